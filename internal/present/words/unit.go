package words

// Measure is a unit in whole words: after a whole number, and after a part of one.
type Measure struct {
	Whole Plural
	Part  Message
}

// Units of smart-home devices, as they are spoken.
var (
	MeasureCelsius = Measure{
		Plural{EN: [2]string{"%d degree", "%d degrees"}, PL: [3]string{"%d stopień", "%d stopnie", "%d stopni"}, JA: "%d 度"},
		Message{EN: "%s degrees", PL: "%s stopnia", JA: "%s 度"},
	}
	MeasureFahrenheit = Measure{
		Plural{EN: [2]string{"%d degree Fahrenheit", "%d degrees Fahrenheit"}, PL: [3]string{"%d stopień Fahrenheita", "%d stopnie Fahrenheita", "%d stopni Fahrenheita"}, JA: "華氏 %d 度"},
		Message{EN: "%s degrees Fahrenheit", PL: "%s stopnia Fahrenheita", JA: "華氏 %s 度"},
	}
	MeasurePercent = Measure{
		Plural{EN: [2]string{"%d percent", "%d percent"}, PL: [3]string{"%d procent", "%d procent", "%d procent"}, JA: "%d パーセント"},
		Message{EN: "%s percent", PL: "%s procent", JA: "%s パーセント"},
	}
	MeasureWatts = Measure{
		Plural{EN: [2]string{"%d watt", "%d watts"}, PL: [3]string{"%d wat", "%d waty", "%d watów"}, JA: "%d ワット"},
		Message{EN: "%s watts", PL: "%s wata", JA: "%s ワット"},
	}
	MeasureKilowatts = Measure{
		Plural{EN: [2]string{"%d kilowatt", "%d kilowatts"}, PL: [3]string{"%d kilowat", "%d kilowaty", "%d kilowatów"}, JA: "%d キロワット"},
		Message{EN: "%s kilowatts", PL: "%s kilowata", JA: "%s キロワット"},
	}
	MeasureKilowattHours = Measure{
		Plural{EN: [2]string{"%d kilowatt hour", "%d kilowatt hours"}, PL: [3]string{"%d kilowatogodzina", "%d kilowatogodziny", "%d kilowatogodzin"}, JA: "%d キロワット時"},
		Message{EN: "%s kilowatt hours", PL: "%s kilowatogodziny", JA: "%s キロワット時"},
	}
	MeasureVolts = Measure{
		Plural{EN: [2]string{"%d volt", "%d volts"}, PL: [3]string{"%d wolt", "%d wolty", "%d woltów"}, JA: "%d ボルト"},
		Message{EN: "%s volts", PL: "%s wolta", JA: "%s ボルト"},
	}
	MeasureKilometres = Measure{
		Plural{EN: [2]string{"%d kilometre", "%d kilometres"}, PL: [3]string{"%d kilometr", "%d kilometry", "%d kilometrów"}, JA: "%d キロメートル"},
		Message{EN: "%s kilometres", PL: "%s kilometra", JA: "%s キロメートル"},
	}
	MeasureMetres = Measure{
		Plural{EN: [2]string{"%d metre", "%d metres"}, PL: [3]string{"%d metr", "%d metry", "%d metrów"}, JA: "%d メートル"},
		Message{EN: "%s metres", PL: "%s metra", JA: "%s メートル"},
	}
	MeasureCentimetres = Measure{
		Plural{EN: [2]string{"%d centimetre", "%d centimetres"}, PL: [3]string{"%d centymetr", "%d centymetry", "%d centymetrów"}, JA: "%d センチメートル"},
		Message{EN: "%s centimetres", PL: "%s centymetra", JA: "%s センチメートル"},
	}
	MeasureMillimetres = Measure{
		Plural{EN: [2]string{"%d millimetre", "%d millimetres"}, PL: [3]string{"%d milimetr", "%d milimetry", "%d milimetrów"}, JA: "%d ミリメートル"},
		Message{EN: "%s millimetres", PL: "%s milimetra", JA: "%s ミリメートル"},
	}
	MeasureSquareMetres = Measure{
		Plural{EN: [2]string{"%d square metre", "%d square metres"}, PL: [3]string{"%d metr kwadratowy", "%d metry kwadratowe", "%d metrów kwadratowych"}, JA: "%d 平方メートル"},
		Message{EN: "%s square metres", PL: "%s metra kwadratowego", JA: "%s 平方メートル"},
	}
	MeasureSpeed = Measure{
		Plural{EN: [2]string{"%d kilometre per hour", "%d kilometres per hour"}, PL: [3]string{"%d kilometr na godzinę", "%d kilometry na godzinę", "%d kilometrów na godzinę"}, JA: "時速 %d キロメートル"},
		Message{EN: "%s kilometres per hour", PL: "%s kilometra na godzinę", JA: "時速 %s キロメートル"},
	}
	MeasureWind = Measure{
		Plural{EN: [2]string{"%d metre per second", "%d metres per second"}, PL: [3]string{"%d metr na sekundę", "%d metry na sekundę", "%d metrów na sekundę"}, JA: "秒速 %d メートル"},
		Message{EN: "%s metres per second", PL: "%s metra na sekundę", JA: "秒速 %s メートル"},
	}
	MeasurePressure = Measure{
		Plural{EN: [2]string{"%d hectopascal", "%d hectopascals"}, PL: [3]string{"%d hektopaskal", "%d hektopaskale", "%d hektopaskali"}, JA: "%d ヘクトパスカル"},
		Message{EN: "%s hectopascals", PL: "%s hektopaskala", JA: "%s ヘクトパスカル"},
	}
	MeasureKilograms = Measure{
		Plural{EN: [2]string{"%d kilogram", "%d kilograms"}, PL: [3]string{"%d kilogram", "%d kilogramy", "%d kilogramów"}, JA: "%d キログラム"},
		Message{EN: "%s kilograms", PL: "%s kilograma", JA: "%s キログラム"},
	}
	MeasureLitres = Measure{
		Plural{EN: [2]string{"%d litre", "%d litres"}, PL: [3]string{"%d litr", "%d litry", "%d litrów"}, JA: "%d リットル"},
		Message{EN: "%s litres", PL: "%s litra", JA: "%s リットル"},
	}
	MeasureMillilitres = Measure{
		Plural{EN: [2]string{"%d millilitre", "%d millilitres"}, PL: [3]string{"%d mililitr", "%d mililitry", "%d mililitrów"}, JA: "%d ミリリットル"},
		Message{EN: "%s millilitres", PL: "%s mililitra", JA: "%s ミリリットル"},
	}
	MeasureLux = Measure{
		Plural{EN: [2]string{"%d lux", "%d lux"}, PL: [3]string{"%d luks", "%d luksy", "%d luksów"}, JA: "%d ルクス"},
		Message{EN: "%s lux", PL: "%s luksa", JA: "%s ルクス"},
	}
	MeasureZloty = Measure{
		Plural{EN: [2]string{"%d zloty", "%d zlotys"}, PL: [3]string{"%d złoty", "%d złote", "%d złotych"}, JA: "%d ズウォティ"},
		Message{EN: "%s zlotys", PL: "%s złotego", JA: "%s ズウォティ"},
	}
	MeasureEuros = Measure{
		Plural{EN: [2]string{"%d euro", "%d euros"}, PL: [3]string{"%d euro", "%d euro", "%d euro"}, JA: "%d ユーロ"},
		Message{EN: "%s euros", PL: "%s euro", JA: "%s ユーロ"},
	}
	MeasureDollars = Measure{
		Plural{EN: [2]string{"%d dollar", "%d dollars"}, PL: [3]string{"%d dolar", "%d dolary", "%d dolarów"}, JA: "%d ドル"},
		Message{EN: "%s dollars", PL: "%s dolara", JA: "%s ドル"},
	}
	MeasureYen = Measure{
		Plural{EN: [2]string{"%d yen", "%d yen"}, PL: [3]string{"%d jen", "%d jeny", "%d jenów"}, JA: "%d 円"},
		Message{EN: "%s yen", PL: "%s jena", JA: "%s 円"},
	}
	MeasureMinus = Message{EN: "minus %s", PL: "minus %s", JA: "マイナス %s"}
)
