package words

// What a notification says on a phone. The first argument is the agent's name.
var (
	PushApproval = Message{EN: "%s needs you", PL: "%s czeka na Ciebie", JA: "%s が返事を待っています"}
	PushQuestion = Message{EN: "%s has a question", PL: "%s ma pytanie", JA: "%s からの質問です"}
	PushPlan     = Message{EN: "%s has a plan", PL: "%s ma plan", JA: "%s の計画ができました"}
	PushForm     = Message{EN: "%s has a form for you", PL: "%s ma dla Ciebie formularz", JA: "%s からのフォームです"}
	PushSecret   = Message{
		EN: "It is about something secret. Open nod to see it.",
		PL: "Chodzi o coś poufnego. Otwórz nod, aby to zobaczyć.",
		JA: "機密に関わる内容です。nod を開いて確認してください。",
	}
	PushSettled = Message{EN: "Already settled", PL: "Już załatwione", JA: "対応済みです"}
	PushAllow   = Message{EN: "Allow", PL: "Pozwól", JA: "許可"}
	PushDeny    = Message{EN: "Deny", PL: "Odrzuć", JA: "拒否"}
)

// News of an agent that needs no answer.
var (
	PushFinished = Message{EN: "%s is done", PL: "%s: gotowe", JA: "%s が完了しました"}
	PushFailed   = Message{EN: "%s failed", PL: "%s: błąd", JA: "%s でエラーが起きました"}
	PushLimited  = Message{EN: "%s has reached its limit", PL: "%s: limit wyczerpany", JA: "%s は利用制限に達しました"}
	PushEnded    = Message{EN: "%s ended while it worked", PL: "%s: koniec w trakcie pracy", JA: "%s は作業中に終了しました"}
)

// A notification on trial, and what is wrong when none comes.
var (
	PushTestTitle = Message{EN: "nod can reach you", PL: "nod ma z Tobą kontakt", JA: "nod からの通知です"}
	PushTestBody  = Message{EN: "Notifications work on this device.", PL: "Powiadomienia działają na tym urządzeniu.", JA: "この端末で通知を受け取れます。"}
	PushBusy      = Message{
		EN: "The push service of this browser cannot be reached just now. nod keeps trying; what waits is in the app.",
		PL: "Usługa push tej przeglądarki jest teraz nieosiągalna. nod próbuje dalej; to, co czeka, jest w aplikacji.",
		JA: "このブラウザのプッシュサービスに今はつながりません。nod は再試行を続けます。待っているものはアプリで見られます。",
	}
	PushRefused = Message{
		EN: "The push service of this browser refuses nod's messages. Turn notifications off and on again; the hub's log says why.",
		PL: "Usługa push tej przeglądarki odrzuca wiadomości nod. Wyłącz i włącz powiadomienia; dziennik huba mówi dlaczego.",
		JA: "このブラウザのプッシュサービスが nod の通知を拒否しています。通知を一度切って入れ直してください。理由はハブのログにあります。",
	}
)
