package words

// What a voice puck says: as little as possible. It explains its use once.
var (
	PuckAsking      = Message{EN: "Asking Claude.", PL: "Pytam Claude.", JA: "Claude に聞いています。"}
	PuckRun         = Message{EN: "Run %s?", PL: "Uruchomić %s?", JA: "%s を実行しますか?"}
	PuckRunOf       = Message{EN: "%[1]d of %[2]d: run %[3]s?", PL: "%[1]d z %[2]d: uruchomić %[3]s?", JA: "%[2]d 件中 %[1]d 件目。%[3]s を実行しますか?"}
	PuckDo          = Message{EN: "%s?", PL: "%s?", JA: "%s。よろしいですか?"}
	PuckDoOf        = Message{EN: "%[1]d of %[2]d: %[3]s?", PL: "%[1]d z %[2]d: %[3]s?", JA: "%[2]d 件中 %[1]d 件目。%[3]s。よろしいですか?"}
	PuckRunTask     = Message{EN: "%[1]s of this task: run %[2]s?", PL: "%[1]s zgoda w tym zadaniu: uruchomić %[2]s?", JA: "この作業の%[1]s。%[2]s を実行しますか?"}
	PuckDoTask      = Message{EN: "%[1]s of this task: %[2]s?", PL: "%[1]s zgoda w tym zadaniu: %[2]s?", JA: "この作業の%[1]s。%[2]s。よろしいですか?"}
	PuckOrdinals    = Message{EN: "Second|Third|Fourth|Fifth|Sixth|Seventh|Eighth|Ninth|Tenth", PL: "Druga|Trzecia|Czwarta|Piąta|Szósta|Siódma|Ósma|Dziewiąta|Dziesiąta", JA: "2件目|3件目|4件目|5件目|6件目|7件目|8件目|9件目|10件目"}
	PuckOrdinal     = Message{EN: "Number %d", PL: "%d.", JA: "%d件目"}
	PuckRunOnScreen = Message{EN: "It wants to run %s. Allow it on a screen, or say no.", PL: "Chce uruchomić %s. Pozwól na ekranie albo powiedz nie.", JA: "%s を実行しようとしています。画面で許可するか、いいえと言ってください。"}
	PuckDoOnScreen  = Message{EN: "%s. Allow it on a screen, or say no.", PL: "%s. Pozwól na ekranie albo powiedz nie.", JA: "%s。画面で許可するか、いいえと言ってください。"}
	PuckTwice       = Message{EN: "Sure? %s. Say yes again.", PL: "Na pewno? %s. Powiedz tak jeszcze raz.", JA: "本当によろしいですか?%s。もう一度はいと言ってください。"}
	PuckOnScreen    = Message{EN: "That can only be allowed on a screen.", PL: "Na to można pozwolić tylko na ekranie.", JA: "これは画面でのみ許可できます。"}
	PuckCancelled   = Message{EN: "Cancelled.", PL: "Anulowano.", JA: "キャンセルしました。"}
	PuckStillThere  = Message{EN: "Still there?", PL: "Jesteś tam?", JA: "聞こえていますか?"}
	PuckNeverMind   = Message{EN: "Never mind.", PL: "Nieważne.", JA: "また後で。"}
	PuckOption      = Message{EN: "%s.", PL: "%s.", JA: "%s。"}
	PuckChoices     = Message{EN: "%[1]s %[2]s", PL: "%[1]s %[2]s", JA: "%[1]s%[2]s"}
	PuckNumbered    = Message{EN: "%[1]d: %[2]s.", PL: "%[1]d: %[2]s.", JA: "%[1]d、%[2]s。"}
	PuckOnboarding  = Message{
		EN: "Turn right to allow, left to refuse, then press. Or say yes or no.",
		PL: "Obróć w prawo, aby pozwolić, w lewo, aby odmówić, i naciśnij. Albo powiedz tak lub nie.",
		JA: "許可は右、拒否は左に回して、押してください。はい、か、いいえでも答えられます。",
	}
	PuckStopping  = Message{EN: "Stopping.", PL: "Zatrzymuję.", JA: "止めます。"}
	PuckElsewhere = Message{EN: "Done elsewhere.", PL: "Załatwione gdzie indziej.", JA: "別の場所で対応されました。"}
	PuckResumed   = Message{EN: "Back to: %s.", PL: "Wracamy do: %s.", JA: "続きです: %s。"}
	PuckNoResume  = Message{EN: "There is no conversation to go back to.", PL: "Nie ma rozmowy, do której można wrócić.", JA: "戻れる会話がありません。"}
	PuckNoVoice   = Message{EN: "No assistant is set up for this device.", PL: "Do tego urządzenia nie przypisano asystenta.", JA: "この端末にはアシスタントが設定されていません。"}
	PuckRefused   = Message{EN: "This device may not answer. Answer on a screen.", PL: "To urządzenie nie może odpowiadać. Odpowiedz na ekranie.", JA: "この端末では答えられません。画面で答えてください。"}
)

// What a puck says when something fails: what exactly, so that it can be mended.
var (
	PuckMQTTTimeout    = Message{EN: "MQTT publish to claude request timed out after %s.", PL: "Publikacja MQTT na claude request nie powiodła się przez %s.", JA: "claude request への MQTT 送信が%sでタイムアウトしました。"}
	PuckNoResponse     = Message{EN: "No response on claude response after %s.", PL: "Brak odpowiedzi na claude response przez %s.", JA: "claude response に%s応答がありません。"}
	PuckMQTTDisconnect = Message{EN: "MQTT broker disconnected. Check %s.", PL: "Utracono połączenie z brokerem MQTT. Sprawdź %s.", JA: "MQTT ブローカーが切断されました。%s を確認してください。"}
	PuckAutomation     = Message{EN: "Automation %s threw an error. Check the Home Assistant log.", PL: "Automatyzacja %s zgłosiła błąd. Sprawdź dziennik Home Assistant.", JA: "オートメーション %s でエラーが起きました。Home Assistant のログを確認してください。"}
	PuckParse          = Message{EN: "JSON parse error on claude response. %s.", PL: "Błąd odczytu JSON na claude response. %s.", JA: "claude response の JSON を読めません。%s。"}
	PuckHTTP           = Message{EN: "Claude returned %s.", PL: "Claude zwrócił %s.", JA: "Claude が %s を返しました。"}
	PuckMisread        = Message{EN: "The message on %[1]s cannot be read. Check its field %[2]s.", PL: "Nie można odczytać wiadomości na %[1]s. Sprawdź pole %[2]s.", JA: "%[1]s のメッセージを読めません。%[2]s を確認してください。"}
	PuckNotJSON        = Message{EN: "The message on %s is not JSON.", PL: "Wiadomość na %s nie jest w formacie JSON.", JA: "%s のメッセージは JSON ではありません。"}
	PuckUntrusted      = Message{EN: "nod cannot know who answers. Give it an account at the MQTT broker.", PL: "nod nie wie, kto odpowiada. Daj mu konto u brokera MQTT.", JA: "誰の返事かわかりません。MQTT ブローカーに nod のアカウントを作ってください。"}
	PuckOpen           = Message{EN: "Answer the open question first.", PL: "Najpierw odpowiedz na otwarte pytanie.", JA: "先に今の質問に答えてください。"}
	PuckTrouble        = Message{EN: "Something went wrong.", PL: "Coś poszło nie tak.", JA: "問題が起きました。"}
)
