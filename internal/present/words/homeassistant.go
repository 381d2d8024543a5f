package words

// What is said through the satellites of a Home Assistant.
var (
	// Words that Home Assistant should take for an answer, without any marks: | stands between them.
	HomeAssistantYes    = Message{EN: "yes|yes please|yeah|sure|okay|ok|go ahead|do it|allow|approve", PL: "tak|tak proszę|dobrze|jasne|zgoda|potwierdzam|zrób to|pozwól|zezwól", JA: "はい|お願いします|うん|ええ|いいよ|やって|実行して|許可|承認"}
	HomeAssistantNo     = Message{EN: "no|no thanks|cancel|stop|deny|reject|never mind", PL: "nie|nie dziękuję|anuluj|przerwij|odmawiam|odrzuć|nieważne", JA: "いいえ|いや|だめ|やめて|キャンセル|拒否|中止"}
	HomeAssistantCancel = Message{EN: "cancel|stop|never mind|no", PL: "anuluj|przerwij|nieważne|nie", JA: "キャンセル|やめて|中止|いいえ"}
	HomeAssistantOption = Message{EN: "option %d", PL: "opcja %d", JA: "%d番"}

	// What a person says to Home Assistant to ask an assistant; {query} is the rest.
	HomeAssistantAsk = Message{EN: "ask claude {query}|ask cloud {query}|tell claude {query}", PL: "zapytaj claude {query}|zapytaj klauda {query}|zapytaj kloda {query}|powiedz claude {query}", JA: "クロードに{query}|クロードさん{query}"}

	HomeAssistantAgain = Message{EN: "Sorry? %s", PL: "Słucham? %s", JA: "すみません、もう一度。%s"}

	ESPHomeVoicePE = Message{
		EN: "Wrote %[1]s. Next: take control of the device in ESPHome, put the file beside its configuration, add `nod: !include` with its name below `packages:`, and install. The file says it again.",
		PL: "Zapisano %[1]s. Dalej: przejmij urządzenie w ESPHome, połóż plik obok jego konfiguracji, dopisz pod `packages:` wiersz `nod: !include` z nazwą pliku i zainstaluj. Plik powtarza te kroki.",
		JA: "%[1]s を書き出しました。次は ESPHome で端末を引き取り(take control)、その設定の隣にファイルを置き、`packages:` の下に `nod: !include` とファイル名の行を加えて、インストールしてください。手順はファイルにも書かれています。",
	}
)

// What `nod doctor --homeassistant` says: the way of a question from a voice to an
// answer, leg by leg.
var (
	FlagDoctorHome = Message{EN: "walk the whole way of a voice: MQTT, Home Assistant, Claude Code, speech", PL: "przejdź całą drogę głosu: MQTT, Home Assistant, Claude Code, mowa", JA: "音声の経路をすべてたどる(MQTT、Home Assistant、Claude Code、発話)"}

	LegSettings   = Message{EN: "Settings", PL: "Ustawienia", JA: "設定"}
	LegBroker     = Message{EN: "MQTT broker", PL: "Broker MQTT", JA: "MQTT ブローカー"}
	LegMessages   = Message{EN: "MQTT messages", PL: "Wiadomości MQTT", JA: "MQTT メッセージ"}
	LegHome       = Message{EN: "Home Assistant", PL: "Home Assistant", JA: "Home Assistant"}
	LegHomeMQTT   = Message{EN: "Home Assistant → MQTT", PL: "Home Assistant → MQTT", JA: "Home Assistant → MQTT"}
	LegSatellites = Message{EN: "Satellites", PL: "Satelity", JA: "サテライト"}
	LegHub        = Message{EN: "Hub", PL: "Hub", JA: "ハブ"}
	LegClaude     = Message{EN: "Question → answer", PL: "Pytanie → odpowiedź", JA: "質問 → 回答"}
	LegSpeech     = Message{EN: "Speech", PL: "Mowa", JA: "発話"}

	LegBehind        = Message{EN: "not tried: %s comes first", PL: "nie sprawdzono: najpierw %s", JA: "未確認: 先に「%s」が必要です"}
	LegNoMQTT        = Message{EN: "there is no [mqtt]; the way without it needs none", PL: "brak [mqtt]; droga bez niego go nie wymaga", JA: "[mqtt] はありません。なしでも使えます"}
	LegNoHome        = Message{EN: "there is no [homeassistant] url", PL: "brak [homeassistant] url", JA: "[homeassistant] url がありません"}
	LegNothing       = Message{EN: "neither [homeassistant] url nor [mqtt] is set", PL: "nie ustawiono ani [homeassistant] url, ani [mqtt]", JA: "[homeassistant] url も [mqtt] も設定されていません"}
	LegNothingFix    = Message{EN: "Set homeassistant.url and homeassistant.token_file in nod.toml; docs/home-assistant-voice.md takes five minutes.", PL: "Ustaw homeassistant.url i homeassistant.token_file w nod.toml; docs/home-assistant-voice.md zajmie pięć minut.", JA: "nod.toml に homeassistant.url と homeassistant.token_file を設定してください。docs/home-assistant-voice.md なら 5 分です。"}
	LegConfigFix     = Message{EN: "`nod doctor` says what is wrong with it.", PL: "`nod doctor` powie, co jest nie tak.", JA: "`nod doctor` で原因を確認してください。"}
	LegSet           = Message{EN: "set: %s", PL: "ustawione: %s", JA: "設定済み: %s"}
	LegBrokerUp      = Message{EN: "%s answers", PL: "%s odpowiada", JA: "%s は応答しています"}
	LegBrokerOwn     = Message{EN: "nod's own at %s answers", PL: "własny broker noda pod %s odpowiada", JA: "nod 内蔵のブローカー(%s)は応答しています"}
	LegBrokerDown    = Message{EN: "no connection to %[1]s (%[2]s)", PL: "brak połączenia z %[1]s (%[2]s)", JA: "%[1]s に接続できません (%[2]s)"}
	LegBrokerFix     = Message{EN: "See that the broker runs, that mqtt.url names it, and that its name and password are right.", PL: "Sprawdź, czy broker działa, czy mqtt.url na niego wskazuje i czy nazwa i hasło są poprawne.", JA: "ブローカーが動いているか、mqtt.url、ユーザー名、パスワードが正しいかを確認してください。"}
	LegOwnFix        = Message{EN: "Start the hub: the broker lives in it.", PL: "Uruchom hub: broker działa w nim.", JA: "ハブを起動してください。ブローカーはその中で動きます。"}
	LegSilent        = Message{EN: "it did not answer in time", PL: "nie odpowiedział na czas", JA: "時間内に応答がありません"}
	LegRound         = Message{EN: "a message went out and came back", PL: "wiadomość wyszła i wróciła", JA: "メッセージが往復しました"}
	LegNoRound       = Message{EN: "a message went out and did not come back", PL: "wiadomość wyszła i nie wróciła", JA: "送ったメッセージが戻りません"}
	LegNoRoundFix    = Message{EN: "Let the broker's account read and write nod/#.", PL: "Pozwól kontu w brokerze czytać i pisać nod/#.", JA: "ブローカーのアカウントに nod/# の読み書きを許可してください。"}
	LegOwnRound      = Message{EN: "nod's own broker has them in the house", PL: "własny broker noda ma je u siebie", JA: "内蔵ブローカーなので確認は不要です"}
	LegHomeUp        = Message{EN: "%[1]s answers and takes the token (version %[2]s)", PL: "%[1]s odpowiada i przyjmuje token (wersja %[2]s)", JA: "%[1]s は応答し、トークンも有効です(バージョン %[2]s)"}
	LegHomeDown      = Message{EN: "no connection to %[1]s: %[2]s", PL: "brak połączenia z %[1]s: %[2]s", JA: "%[1]s に接続できません: %[2]s"}
	LegHomeFix       = Message{EN: "Open the address in a browser on this machine. If that works, look at homeassistant.url.", PL: "Otwórz ten adres w przeglądarce na tym komputerze. Jeśli działa, sprawdź homeassistant.url.", JA: "このマシンのブラウザでそのアドレスを開いてみてください。開けるなら homeassistant.url を確認してください。"}
	LegToken         = Message{EN: "Home Assistant does not take the token", PL: "Home Assistant nie przyjmuje tokenu", JA: "Home Assistant がトークンを受け付けません"}
	LegTokenFix      = Message{EN: "Make a new one in Home Assistant (your profile → Security → Long-lived access tokens) and put it into %s.", PL: "Utwórz nowy w Home Assistant (profil → Bezpieczeństwo → Długoterminowe tokeny dostępu) i zapisz go w %s.", JA: "Home Assistant(プロフィール → セキュリティ → 長期アクセストークン)で作り直し、%s に保存してください。"}
	LegTokenFile     = Message{EN: "%[1]s cannot be read (%[2]s)", PL: "nie można odczytać %[1]s (%[2]s)", JA: "%[1]s を読めません (%[2]s)"}
	LegNoComponent   = Message{EN: "Home Assistant has no MQTT integration", PL: "Home Assistant nie ma integracji MQTT", JA: "Home Assistant に MQTT 統合がありません"}
	LegComponentFix  = Message{EN: "Add it: Settings → Devices & services → Add integration → MQTT, with the same broker as nod.", PL: "Dodaj ją: Ustawienia → Urządzenia i usługi → Dodaj integrację → MQTT, z tym samym brokerem co nod.", JA: "設定 → デバイスとサービス → 統合を追加 → MQTT で、nod と同じブローカーを指定してください。"}
	LegHomeRound     = Message{EN: "what Home Assistant publishes arrives here", PL: "to, co publikuje Home Assistant, dociera tutaj", JA: "Home Assistant からのメッセージが届きます"}
	LegHomePublishes = Message{EN: "Home Assistant publishes; whether it is to nod's broker is not seen from here", PL: "Home Assistant publikuje; stąd nie widać, czy do brokera noda", JA: "Home Assistant は送信できます(nod のブローカー宛かはここからは分かりません)"}
	LegOtherBroker   = Message{EN: "what Home Assistant publishes does not arrive here: it uses another broker", PL: "to, co publikuje Home Assistant, tu nie dociera: używa innego brokera", JA: "Home Assistant のメッセージが届きません。別のブローカーを使っています"}
	LegFound         = Message{EN: "%s", PL: "%s", JA: "%s"}
	LegNoneFound     = Message{EN: "Home Assistant has no voice satellite", PL: "Home Assistant nie ma satelity głosowego", JA: "Home Assistant に音声サテライトがありません"}
	LegNoneFix       = Message{EN: "Add the device to Home Assistant first, and set up an Assist pipeline for it.", PL: "Najpierw dodaj urządzenie do Home Assistant i skonfiguruj dla niego Assist.", JA: "まず端末を Home Assistant に追加し、Assist を設定してください。"}
	LegAsked         = Message{EN: "asked, and answered: %s", PL: "zapytano i jest odpowiedź: %s", JA: "質問して回答を得ました: %s"}
	LegAskedPerson   = Message{EN: "Claude Code waits for a person before it reads anything", PL: "Claude Code czeka na człowieka, zanim cokolwiek odczyta", JA: "Claude Code は読み取りでも人の確認を待ちます"}
	LegAskedFix      = Message{EN: "policy.read_only = \"allow\" lets through what provably only reads. The test question was refused.", PL: "policy.read_only = \"allow\" przepuszcza to, co na pewno tylko czyta. Pytanie testowe odrzucono.", JA: "policy.read_only = \"allow\" で、読み取りだけと分かるものは自動で通ります。テストの質問は拒否しました。"}
	LegNoAnswer      = Message{EN: "no answer from Claude Code: %s", PL: "brak odpowiedzi od Claude Code: %s", JA: "Claude Code の回答がありません: %s"}
	LegNoAnswerFix   = Message{EN: "Try `nod ask` in a terminal; the log of `nod serve` has the details.", PL: "Spróbuj `nod ask` w terminalu; szczegóły są w dzienniku `nod serve`.", JA: "ターミナルで `nod ask` を試してください。詳細は `nod serve` のログにあります。"}
	LegSaid          = Message{EN: "%s has spoken", PL: "%s przemówił", JA: "%s が話しました"}
	LegMute          = Message{EN: "%[1]s did not speak: %[2]s", PL: "%[1]s nie przemówił: %[2]s", JA: "%[1]s が話しません: %[2]s"}
	LegMuteFix       = Message{EN: "In Home Assistant try Developer tools → Actions → assist_satellite.announce. The device fetches its sound from Home Assistant by HTTP: it must reach that address.", PL: "W Home Assistant wypróbuj Narzędzia deweloperskie → Akcje → assist_satellite.announce. Urządzenie pobiera dźwięk z Home Assistant przez HTTP: musi mieć dostęp do tego adresu.", JA: "Home Assistant の開発者ツール → アクション → assist_satellite.announce を試してください。端末は音声を Home Assistant から HTTP で取得するので、そのアドレスに届く必要があります。"}
	LegHello         = Message{EN: "nod is here. Everything works.", PL: "Tu nod. Wszystko działa.", JA: "nod です。すべて動いています。"}
)
