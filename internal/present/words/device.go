package words

// What a small screen with three buttons asks.
var (
	DeviceRun      = Message{EN: "Run this command?", PL: "Uruchomić to polecenie?", JA: "このコマンドを実行?"}
	DeviceChange   = Message{EN: "Change this file?", PL: "Zmienić ten plik?", JA: "このファイルを変更?"}
	DeviceWrite    = Message{EN: "Write this file?", PL: "Zapisać ten plik?", JA: "このファイルに書き込み?"}
	DeviceRead     = Message{EN: "Read this file?", PL: "Odczytać ten plik?", JA: "このファイルを読む?"}
	DeviceFetch    = Message{EN: "Fetch this page?", PL: "Pobrać tę stronę?", JA: "このページを取得?"}
	DeviceSearch   = Message{EN: "Search the web?", PL: "Szukać w sieci?", JA: "ウェブを検索?"}
	DeviceUse      = Message{EN: "Use %s?", PL: "Użyć: %s?", JA: "%s を使う?"}
	DeviceQuestion = Message{EN: "A question for you", PL: "Pytanie do Ciebie", JA: "質問があります"}
	DevicePlan     = Message{EN: "Go on with this plan?", PL: "Realizować ten plan?", JA: "この計画で進める?"}
	DeviceForm     = Message{EN: "A form for you", PL: "Formularz dla Ciebie", JA: "入力のお願い"}
	DeviceAlways   = Message{EN: "Allow, and never ask again for:", PL: "Pozwól i nie pytaj więcej o:", JA: "許可し、今後は確認しない:"}
	DeviceLease    = Message{EN: "Allow for %[1]s, at most %[2]d×:", PL: "Pozwól na %[1]s, najwyżej %[2]d×:", JA: "%[1]s間、最大 %[2]d 回まで許可:"}
	DeviceReply    = Message{EN: "Reply with:", PL: "Odpowiedz:", JA: "次のように回答:"}
	DevicePage     = Message{EN: "page %[1]d/%[2]d", PL: "str. %[1]d/%[2]d", JA: "%[1]d/%[2]d ページ"}
	DevicePick     = Message{EN: "choice %[1]d/%[2]d", PL: "wybór %[1]d/%[2]d", JA: "選択肢 %[1]d/%[2]d"}
)

// What its buttons say: a word or two.
var (
	DeviceAllow   = Message{EN: "Allow", PL: "Pozwól", JA: "許可"}
	DeviceDeny    = Message{EN: "Deny", PL: "Odmów", JA: "拒否"}
	DeviceDecline = Message{EN: "Skip", PL: "Pomiń", JA: "断る"}
	DeviceChoose  = Message{EN: "Choose", PL: "Wybierz", JA: "選ぶ"}
	DeviceSend    = Message{EN: "Send", PL: "Wyślij", JA: "送る"}
	DeviceEver    = Message{EN: "Always", PL: "Zawsze", JA: "常に"}
	DeviceMore    = Message{EN: "More", PL: "Więcej", JA: "続き"}
	DeviceOther   = Message{EN: "Other", PL: "Inne", JA: "ほか"}
	DeviceNext    = Message{EN: "Next", PL: "Dalej", JA: "次へ"}
	DeviceBack    = Message{EN: "Back", PL: "Wróć", JA: "戻る"}
	DeviceOK      = Message{EN: "OK", PL: "OK", JA: "OK"}
	DeviceHold    = Message{EN: "hold 1 s", PL: "trzymaj 1 s", JA: "1秒長押し"}
	DeviceReadOn  = Message{EN: "read on first", PL: "doczytaj", JA: "先に続きを"}
	DeviceSending = Message{EN: "Sending…", PL: "Wysyłam…", JA: "送信中…"}
)

// What takes more than a button.
var (
	DeviceOpen        = Message{EN: "Open nod", PL: "Otwórz nod", JA: "nod を開く"}
	DeviceOpenPlan    = Message{EN: "A plan wants to be read. Open nod in a browser.", PL: "Plan trzeba przeczytać. Otwórz nod w przeglądarce.", JA: "計画は全文を読む必要があります。ブラウザで nod を開いてください。"}
	DeviceOpenAsk     = Message{EN: "This asks for more than one button can say. Open nod in a browser.", PL: "Jeden przycisk tu nie wystarczy. Otwórz nod w przeglądarce.", JA: "ボタン一つでは答えられません。ブラウザで nod を開いてください。"}
	DeviceOpenLong    = Message{EN: "Too long for this screen. Open nod in a browser to read all of it.", PL: "Za długie na ten ekran. Otwórz nod w przeglądarce, by przeczytać całość.", JA: "この画面には長すぎます。ブラウザで nod を開いて全文を読んでください。"}
	DeviceOpenPasskey = Message{EN: "This takes your passkey. Open nod in a browser.", PL: "To wymaga klucza dostępu. Otwórz nod w przeglądarce.", JA: "パスキーが必要です。ブラウザで nod を開いてください。"}
	DeviceViewOnly    = Message{EN: "This device may look, but not answer.", PL: "To urządzenie może tylko patrzeć.", JA: "この端末は閲覧のみです。"}
)

// What a small screen tells.
var (
	DeviceQuiet    = Message{EN: "All quiet", PL: "Cisza", JA: "静かです"}
	DeviceNoAgents = Message{EN: "No agent is running.", PL: "Żaden agent nie działa.", JA: "動いているエージェントはありません。"}
	DeviceNoAnswer = Message{EN: "Nothing can be answered here now.", PL: "Teraz nie można tu odpowiedzieć.", JA: "今はここで回答できません。"}
	DeviceLost     = Message{EN: "nod comes back by itself. Until then, answer in the agent's own terminal.", PL: "nod wróci sam. Do tego czasu odpowiadaj w terminalu agenta.", JA: "自動で再接続します。それまではエージェントの端末で回答してください。"}
	DeviceAllowed  = Message{EN: "Allowed", PL: "Pozwolono", JA: "許可しました"}
	DeviceDenied   = Message{EN: "Denied", PL: "Odmówiono", JA: "拒否しました"}
	DeviceAnswered = Message{EN: "Answered", PL: "Odpowiedziano", JA: "回答しました"}
	DeviceWasFirst = Message{EN: "%[1]s was first (%[2]s)", PL: "%[1]s: szybciej (%[2]s)", JA: "%[1]s が先に回答 (%[2]s)"}
	DeviceTooLate  = Message{EN: "No answer needed any more", PL: "Odpowiedź już niepotrzebna", JA: "もう回答は不要です"}
	DeviceNotSent  = Message{EN: "Not sent", PL: "Nie wysłano", JA: "未送信"}
)

// The simulator in a terminal.
var (
	TopicDevice = Topic{
		Short: Message{EN: "Small devices: try one here, or set a real one up", PL: "Małe urządzenia: wypróbuj tu albo skonfiguruj prawdziwe", JA: "小型端末(ここで試す、実機を設定する)"},
		Examples: []Example{
			{"nod device m5stack", Message{EN: "an M5Stack in this terminal", PL: "M5Stack w tym terminalu", JA: "この端末で M5Stack を試す"}},
		},
	}
	TopicM5Stack = Topic{
		Short: Message{EN: "An M5Stack in this terminal: keys a, b, c are its buttons", PL: "M5Stack w tym terminalu: klawisze a, b, c to jego przyciski", JA: "この端末で M5Stack を試す(a、b、c キーがボタン)"},
		Examples: []Example{
			{"nod device m5stack", Message{EN: "press a, b, c; A, B, C hold; q ends", PL: "naciskaj a, b, c; A, B, C przytrzymuje; q kończy", JA: "a、b、c で押す、A、B、C で長押し、q で終了"}},
			{"nod device m5stack --language ja", Message{EN: "in Japanese", PL: "po japońsku", JA: "日本語で"}},
			{"nod device m5stack --once now.png", Message{EN: "what it shows now, as a picture", PL: "co teraz pokazuje, jako obrazek", JA: "今の画面を画像に保存"}},
		},
	}
	FlagDeviceLanguage = Message{EN: "en, pl or ja; otherwise the terminal's", PL: "en, pl lub ja; inaczej język terminala", JA: "en、pl、ja(省略時は端末の言語)"}
	FlagDeviceOnce     = Message{EN: "write one picture to this file and end", PL: "zapisz jeden obrazek do tego pliku i zakończ", JA: "画像を一枚このファイルに書いて終了"}
	FlagDevicePixels   = Message{EN: "blocks, sixel or auto", PL: "blocks, sixel albo auto", JA: "blocks、sixel、auto のいずれか"}
	DeviceKeys         = Message{EN: "a b c press · A B C hold · q end", PL: "a b c naciśnij · A B C przytrzymaj · q koniec", JA: "a b c 押す · A B C 長押し · q 終了"}
	DeviceSmall        = Message{EN: "The terminal is too small: %[1]d columns and %[2]d lines are needed.", PL: "Terminal jest za mały: trzeba %[1]d kolumn i %[2]d wierszy.", JA: "端末が小さすぎます。%[1]d 列、%[2]d 行が必要です。"}
	DeviceSaved        = Message{EN: "Saved %s.", PL: "Zapisano %s.", JA: "%s に保存しました。"}
	DeviceLanguageBad  = Message{EN: "There is no language %q: choose en, pl or ja.", PL: "Nie ma języka %q: wybierz en, pl albo ja.", JA: "言語 %q はありません。en、pl、ja から選んでください。"}
	DevicePixelsBad    = Message{EN: "There is no way %q to draw: choose blocks, sixel or auto.", PL: "Nie ma sposobu rysowania %q: wybierz blocks, sixel albo auto.", JA: "描画方法 %q はありません。blocks、sixel、auto から選んでください。"}
)
