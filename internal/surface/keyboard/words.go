package keyboard

import "nod/internal/words"

// Labels fit a key: ten characters.
var (
	wordYes       = words.Message{EN: "Yes", PL: "Tak", JA: "はい"}
	wordAlways    = words.Message{EN: "Always", PL: "Zawsze", JA: "常に許可"}
	wordNo        = words.Message{EN: "No", PL: "Nie", JA: "いいえ"}
	wordStop      = words.Message{EN: "STOP", PL: "STOP", JA: "停止"}
	wordFinish    = words.Message{EN: "Finish", PL: "Dokończ", JA: "区切りまで"}
	wordFinishing = words.Message{EN: "Finishing", PL: "Kończy", JA: "終了処理中"}
	wordResume    = words.Message{EN: "Resume", PL: "Wznów", JA: "再開"}
	wordBack      = words.Message{EN: "Background", PL: "W tle", JA: "背景へ"}
	wordMore      = words.Message{EN: "More", PL: "Więcej", JA: "次へ"}
	wordContinue  = words.Message{EN: "Continue", PL: "Dalej", JA: "続ける"}
	wordRetry     = words.Message{EN: "Retry", PL: "Ponów", JA: "再試行"}
	wordSwitch    = words.Message{EN: "Switch", PL: "Zmień", JA: "切り替え"}
	wordEveryone  = words.Message{EN: "Everyone", PL: "Wszyscy", JA: "全員"}
	wordEnded     = words.Message{EN: "Ended", PL: "Koniec", JA: "終了"}
	wordProceed   = words.Message{EN: "Proceed", PL: "Dalej", JA: "進める"}
	wordHelp      = words.Message{EN: "Help", PL: "Pomoc", JA: "ヘルプ"}

	// What came of a press.
	wordSent    = words.Message{EN: "Sent", PL: "Wysłano", JA: "送信済み"}
	wordAllowed = words.Message{EN: "Allowed", PL: "Zgoda", JA: "許可済み"}
	wordDenied  = words.Message{EN: "Denied", PL: "Odmowa", JA: "拒否済み"}
	wordStopped = words.Message{EN: "Stopped", PL: "Stop", JA: "停止済み"}
	wordAgain   = words.Message{EN: "Press anew", PL: "Jeszcze r.", JA: "もう一度"}
	wordTooLate = words.Message{EN: "Too late", PL: "Za późno", JA: "処理済み"}
	wordGone    = words.Message{EN: "It is gone", PL: "Już go nie", JA: "もうない"}
	wordOpen    = words.Message{EN: "Open nod", PL: "Otwórz nod", JA: "nodを開く"}
	wordNotSent = words.Message{EN: "Not sent", PL: "Nie wysł.", JA: "未送信"}
	wordNobody  = words.Message{EN: "Nobody", PL: "Nikogo", JA: "相手なし"}
)

// What an agent hears. These go to the agent as a person's words.
var (
	sayFinish   = words.Message{EN: "Please finish your current step, write down where you are and what is left, and stop there.", PL: "Dokończ bieżący krok, zapisz, na czym stoisz i co zostało, i na tym się zatrzymaj.", JA: "今の作業の区切りまで終えたら、現状と残りの作業を書き留めて、そこで止まってください。"}
	sayResume   = words.Message{EN: "Please go on from where you stopped.", PL: "Kontynuuj od miejsca, w którym przerwano.", JA: "止めたところから続けてください。"}
	sayContinue = words.Message{EN: "Continue.", PL: "Kontynuuj.", JA: "続けてください。"}
	sayRetry    = words.Message{EN: "Please try that again.", PL: "Spróbuj jeszcze raz.", JA: "もう一度試してください。"}
)

// What people are told by the doors of administration.
var (
	wordWrongCode = words.Message{EN: "That is not the code on its keys. Read the four keys from left to right and try again.", PL: "To nie jest kod z klawiszy. Odczytaj cztery klawisze od lewej i spróbuj ponownie.", JA: "キーに表示されたコードと違います。四つのキーを左から読んで、もう一度試してください。"}
	wordNewCode   = words.Message{EN: "That was wrong too often, so its keys show a new code now. Read it and try again.", PL: "Za dużo pomyłek: klawisze pokazują teraz nowy kod. Odczytaj go i spróbuj ponownie.", JA: "間違いが続いたため、キーに新しいコードを表示しました。読み直して試してください。"}
	wordUnknown   = words.Message{EN: "There is no keyboard %q here. Is it connected? The list of keyboards shows those that are.", PL: "Nie ma tu klawiatury %q. Czy jest połączona? Lista klawiatur pokazuje te, które są.", JA: "キーボード %q は見つかりません。接続されていますか。一覧で確認できます。"}
	wordAlready   = words.Message{EN: "This keyboard was admitted already.", PL: "Ta klawiatura jest już dopuszczona.", JA: "このキーボードはすでに許可されています。"}
)
