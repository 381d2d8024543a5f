package ear

import (
	"strconv"
	"strings"

	"nod/internal/present/words"
)

// measure reads 21.5°C, -3 °C, 40%, 1.5kWh and 20€ in whole words.
func (s Speaker) measure(w string) (string, bool) {
	w = strings.TrimPrefix(w, "~")
	body := strings.TrimPrefix(strings.TrimPrefix(w, "-"), "−")
	minus := body != w
	unit := strings.TrimLeft(body, "0123456789.,")
	digits := body[:len(body)-len(unit)]
	if currency, rest := leading(body); currency != "" {
		unit, digits = currency, rest
	}
	m, known := measureOf(unit)
	if !known || !isAmount(digits) {
		return "", false
	}
	said := s.amount(m, strings.ReplaceAll(digits, ",", "."))
	if minus {
		said = s.say.Say(words.MeasureMinus, said)
	}
	return said, true
}

// leading is a currency symbol before its amount.
func leading(w string) (currency, rest string) {
	for _, c := range []string{"$", "€", "¥", "\uffe5"} {
		if rest, ok := strings.CutPrefix(w, c); ok {
			return c, rest
		}
	}
	return "", ""
}

func isAmount(s string) bool {
	return isNumber(strings.ReplaceAll(s, ",", ".")) && strings.Count(s, ".")+strings.Count(s, ",") <= 1
}

// amount: a whole number chooses its plural form, and 21.0 is 21.
func (s Speaker) amount(m words.Measure, digits string) string {
	digits = strings.TrimSuffix(digits, ".0")
	if n, err := strconv.Atoi(digits); err == nil {
		return s.say.Count(m.Whole, n)
	}
	return s.say.Say(m.Part, s.point(digits))
}

// point is a number with the decimal mark of its language.
func (s Speaker) point(digits string) string {
	if s.say.Lang() == words.Polish {
		return strings.ReplaceAll(digits, ".", ",")
	}
	return digits
}

func measureOf(unit string) (words.Measure, bool) {
	switch unit {
	case "°C", "℃", "°", "º", "ºC":
		return words.MeasureCelsius, true
	case "°F", "℉":
		return words.MeasureFahrenheit, true
	case "%", "\uff05":
		return words.MeasurePercent, true
	case "W":
		return words.MeasureWatts, true
	case "kW":
		return words.MeasureKilowatts, true
	case "kWh":
		return words.MeasureKilowattHours, true
	case "V":
		return words.MeasureVolts, true
	case "km":
		return words.MeasureKilometres, true
	case "m":
		return words.MeasureMetres, true
	case "cm":
		return words.MeasureCentimetres, true
	case "mm":
		return words.MeasureMillimetres, true
	case "m²", "m2":
		return words.MeasureSquareMetres, true
	case "km/h":
		return words.MeasureSpeed, true
	case "m/s":
		return words.MeasureWind, true
	case "hPa":
		return words.MeasurePressure, true
	case "kg":
		return words.MeasureKilograms, true
	case "l", "L":
		return words.MeasureLitres, true
	case "ml", "mL":
		return words.MeasureMillilitres, true
	case "lx":
		return words.MeasureLux, true
	case "zł", "PLN":
		return words.MeasureZloty, true
	case "€", "EUR":
		return words.MeasureEuros, true
	case "$", "USD":
		return words.MeasureDollars, true
	case "¥", "\uffe5", "JPY":
		return words.MeasureYen, true
	}
	return words.Measure{}, false
}

// joinMeasures joins a unit to its number, so that "21 °C" is one word. Letters that are words themselves stay
// separate.
func joinMeasures(fields []string) []string {
	out := fields[:0:0]
	for _, f := range fields {
		bare := strings.TrimRight(f, marks+")*_")
		_, known := measureOf(bare)
		if known && len(out) > 0 && isAmount(strings.TrimLeft(out[len(out)-1], "-−~(*")) && bare != "l" && bare != "m" && bare != "V" && bare != "W" {
			out[len(out)-1] += f
			continue
		}
		out = append(out, f)
	}
	return out
}
