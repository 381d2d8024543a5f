package words

// ESPHome configurations.
var (
	TopicDeviceESPHome = Topic{
		Short: Message{EN: "Write what ESPHome needs for an M5Stack or a Voice PE", PL: "Zapisz, czego ESPHome potrzebuje dla M5Stack lub Voice PE", JA: "M5Stack や Voice PE 用の ESPHome 設定を作る"},
		Examples: []Example{
			{"nod device esphome m5stack --board core2 --output nod.yaml", Message{EN: "the configuration and what it needs, beside it", PL: "konfiguracja, a obok to, czego wymaga", JA: "設定と、必要なファイルを隣に書き出す"}},
			{"nod device esphome m5stack --hub https://desk.local:8742 --ca ca.pem", Message{EN: "only show it", PL: "tylko pokaż", JA: "表示だけする"}},
			{"nod device esphome voice-pe --output nod-voice-pe.yaml", Message{EN: "dial, single press and every LED of a Home Assistant Voice PE", PL: "gałka, pojedyncze naciśnięcie i każda dioda Home Assistant Voice PE", JA: "Home Assistant Voice PE のダイヤル、1回押し、各 LED"}},
		},
	}
	FlagESPHomeBoard  = Message{EN: "basic (also Gray), core2 or cores3", PL: "basic (także Gray), core2 lub cores3", JA: "basic(Gray も)、core2、cores3"}
	FlagESPHomeName   = Message{EN: "what the device is called on the network", PL: "nazwa urządzenia w sieci", JA: "ネットワーク上の端末名"}
	FlagESPHomeHub    = Message{EN: "the hub's address as the device sees it", PL: "adres huba widziany przez urządzenie", JA: "端末から見たハブのアドレス"}
	FlagESPHomeCA     = Message{EN: "the hub's own CA (PEM), for nod serve --tls", PL: "własne CA huba (PEM), dla nod serve --tls", JA: "ハブ自身の CA(PEM、nod serve --tls 用)"}
	FlagESPHomeOutput = Message{EN: "write the configuration here and its other files beside it", PL: "zapisz konfigurację tutaj, a pozostałe pliki obok", JA: "設定をここに、ほかのファイルを隣に書き出す"}

	ESPHomeBoard = Message{
		EN: "There is no board %q. These work: basic (also Gray), core2, cores3.",
		PL: "Nie ma płytki %q. Działają: basic (także Gray), core2, cores3.",
		JA: "ボード %q はありません。使えるのは basic(Gray も)、core2、cores3 です。",
	}
	ESPHomeDevice = Message{
		EN: "There is no configuration for %q; there are some for m5stack and voice-pe.",
		PL: "Nie ma konfiguracji dla %q; są dla m5stack i voice-pe.",
		JA: "%q 用の設定はありません。あるのは m5stack 用と voice-pe 用です。",
	}
	ESPHomeName = Message{
		EN: "%q is no name for a device: small letters a–z, digits and - inside, at most 31.",
		PL: "%q nie może być nazwą urządzenia: małe litery a–z, cyfry i - w środku, najwyżej 31 znaków.",
		JA: "%q は端末名に使えません。小文字 a–z、数字、途中の - だけで、31 文字までです。",
	}
	ESPHomeHub = Message{
		EN: "%q is no address of a hub; it looks like https://desk.local:8742",
		PL: "%q nie jest adresem huba; wygląda on tak: https://desk.local:8742",
		JA: "%q はハブのアドレスではありません。例: https://desk.local:8742",
	}
	ESPHomeLoopback = Message{
		EN: "To the device %s would be the device itself. Give --hub the name or address that others on the network use.",
		PL: "Dla urządzenia %s to ono samo. Podaj w --hub nazwę lub adres, którego używają inni w sieci.",
		JA: "端末にとって %s は端末自身です。--hub には、ネットワークのほかの機器が使う名前かアドレスを指定してください。",
	}
	ESPHomeCA = Message{
		EN: "%[1]s holds no CA that a device could trust: %[2]s.",
		PL: "W pliku %[1]s nie ma CA, któremu urządzenie mogłoby zaufać: %[2]s.",
		JA: "%[1]s には、端末が信頼できる CA がありません: %[2]s",
	}
	ESPHomeGuessed = Message{
		EN: "The device will look for the hub at %s. If that is not its address, give --hub.",
		PL: "Urządzenie będzie szukać huba pod adresem %s. Jeśli jest inny, podaj --hub.",
		JA: "端末はハブを %s で探します。違う場合は --hub で指定してください。",
	}
	ESPHomeClear = Message{
		EN: "Over http:// the device's token crosses the network in the clear. `nod serve --tls` and an https:// address keep it secret.",
		PL: "Przez http:// token urządzenia idzie siecią otwartym tekstem. `nod serve --tls` i adres https:// zachowają go w tajemnicy.",
		JA: "http:// では端末のトークンがそのまま流れます。`nod serve --tls` と https:// のアドレスなら秘密が守られます。",
	}
	ESPHomeNoCA = Message{
		EN: "The device will trust public certificates only. If the hub has its own CA (`nod serve --tls`), give --ca with the file from %s/ca.pem.",
		PL: "Urządzenie zaufa tylko publicznym certyfikatom. Jeśli hub ma własne CA (`nod serve --tls`), podaj --ca z plikiem spod adresu %s/ca.pem.",
		JA: "端末は公的な証明書だけを信頼します。ハブが自身の CA を使う場合(`nod serve --tls`)は、%s/ca.pem のファイルを --ca で指定してください。",
	}
	ESPHomeBeside = Message{
		EN: "It needs files beside it: --output FILE writes them all.",
		PL: "Potrzebuje plików obok siebie: --output PLIK zapisze wszystkie.",
		JA: "隣に置くファイルも必要です。--output FILE ですべて書き出せます。",
	}
	ESPHomeKept = Message{
		EN: "%s was there already and stays as it is.",
		PL: "%s już tam jest i pozostaje bez zmian.",
		JA: "%s はすでにあるので、そのままにしました。",
	}
	ESPHomeWritten = Message{
		EN: "Wrote %[1]s. Next: fill in %[2]s (`nod token create --name %[3]s --rights view,answer`), connect the device by USB, and `esphome run %[1]s`.",
		PL: "Zapisano %[1]s. Dalej: uzupełnij %[2]s (`nod token create --name %[3]s --rights view,answer`), podłącz urządzenie przez USB i uruchom `esphome run %[1]s`.",
		JA: "%[1]s を書き出しました。次は %[2]s を記入し(`nod token create --name %[3]s --rights view,answer`)、端末を USB でつなぎ、`esphome run %[1]s` を実行してください。",
	}
	ESPHomeNotWritten = Message{
		EN: "%s could not be written.",
		PL: "Nie udało się zapisać %s.",
		JA: "%s を書き込めませんでした。",
	}
)
