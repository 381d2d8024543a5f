package words

// Labels of keys with screens: ten characters fit.
var (
	KeyboardFinish    = Message{EN: "Finish", PL: "Dokończ", JA: "区切りまで"}
	KeyboardFinishing = Message{EN: "Finishing", PL: "Kończy", JA: "終了処理中"}
	KeyboardResume    = Message{EN: "Resume", PL: "Wznów", JA: "再開"}
	KeyboardMore      = Message{EN: "More", PL: "Więcej", JA: "次へ"}
	KeyboardContinue  = Message{EN: "Continue", PL: "Dalej", JA: "続ける"}
	KeyboardProceed   = Message{EN: "Proceed", PL: "Kontynuuj", JA: "進める"}
	KeyboardRetry     = Message{EN: "Retry", PL: "Ponów", JA: "再試行"}
	KeyboardAlways    = Message{EN: "Always", PL: "Zawsze", JA: "常に許可"}
	KeyboardSure      = Message{EN: "Sure?", PL: "Na pewno?", JA: "本当に?"}
	KeyboardSwitch    = Message{EN: "Switch", PL: "Zmień", JA: "切り替え"}
	KeyboardEveryone  = Message{EN: "Everyone", PL: "Wszyscy", JA: "全員"}
	KeyboardEnded     = Message{EN: "Ended", PL: "Koniec", JA: "終了"}

	// What came of a press.
	KeyboardSent    = Message{EN: "Sent", PL: "Wysłano", JA: "送信済み"}
	KeyboardAllowed = Message{EN: "Allowed", PL: "Zgoda", JA: "許可済み"}
	KeyboardDenied  = Message{EN: "Denied", PL: "Odmowa", JA: "拒否済み"}
	KeyboardStopped = Message{EN: "Stopped", PL: "Stop", JA: "停止済み"}
	KeyboardAgain   = Message{EN: "Press anew", PL: "Jeszcze r.", JA: "もう一度"}
	KeyboardTooLate = Message{EN: "Too late", PL: "Za późno", JA: "処理済み"}
	KeyboardGone    = Message{EN: "It is gone", PL: "Już go nie", JA: "もうない"}
	KeyboardOpen    = Message{EN: "Open nod", PL: "Otwórz nod", JA: "nodを開く"}
	KeyboardNotSent = Message{EN: "Not sent", PL: "Nie wysł.", JA: "未送信"}
	KeyboardNobody  = Message{EN: "Nobody", PL: "Nikogo", JA: "相手なし"}
)

// What an agent hears when such a key is pressed. These go to it as a person's words.
var (
	KeyboardSayFinish   = Message{EN: "Please finish your current step, write down where you are and what is left, and stop there.", PL: "Dokończ bieżący krok, zapisz, na czym stoisz i co zostało, i na tym się zatrzymaj.", JA: "今の作業の区切りまで終えたら、現状と残りの作業を書き留めて、そこで止まってください。"}
	KeyboardSayResume   = Message{EN: "Please go on from where you stopped.", PL: "Kontynuuj od miejsca, w którym przerwano.", JA: "止めたところから続けてください。"}
	KeyboardSayContinue = Message{EN: "Continue.", PL: "Kontynuuj.", JA: "続けてください。"}
	KeyboardSayRetry    = Message{EN: "Please try that again.", PL: "Spróbuj jeszcze raz.", JA: "もう一度試してください。"}
)

// Texts for pairing a keyboard.
var (
	KeyboardWrongCode = Message{EN: "That is not the code on its keys. Read the four keys from left to right and try again.", PL: "To nie jest kod z klawiszy. Odczytaj cztery klawisze od lewej i spróbuj ponownie.", JA: "キーに表示されたコードと違います。四つのキーを左から読んで、もう一度試してください。"}
	KeyboardNewCode   = Message{EN: "That was wrong too often, so its keys show a new code now. Read it and try again.", PL: "Za dużo pomyłek: klawisze pokazują teraz nowy kod. Odczytaj go i spróbuj ponownie.", JA: "間違いが続いたため、キーに新しいコードを表示しました。読み直して試してください。"}
	KeyboardUnknown   = Message{EN: "There is no keyboard %q here. Is it connected? The list of keyboards shows those that are.", PL: "Nie ma tu klawiatury %q. Czy jest połączona? Lista klawiatur pokazuje te, które są.", JA: "キーボード %q は見つかりません。接続されていますか。一覧で確認できます。"}
	KeyboardAlready   = Message{EN: "This keyboard was admitted already.", PL: "Ta klawiatura jest już dopuszczona.", JA: "このキーボードはすでに許可されています。"}
)
