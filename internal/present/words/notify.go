package words

// What a note says beyond what a notification on a phone does.
var (
	NoteOpen = Message{EN: "Open nod", PL: "Otwórz nod", JA: "nod を開く"}
	NoteLeft = Message{EN: "%s left", PL: "zostało %s", JA: "残り %s"}
	NoteMore = Plural{
		EN: [2]string{"and %d more", "and %d more"},
		PL: [3]string{"i jeszcze %d", "i jeszcze %d", "i jeszcze %d"},
		JA: "ほか %d 件",
	}
	NoteResumed = Message{EN: "%s can go on: the limit is over", PL: "%s może pracować dalej: limit minął", JA: "%s の利用制限が解除されました"}
	NoteGoesOn  = Message{EN: "It can go on in %s.", PL: "Może pracować dalej za %s.", JA: "%s後に再開できます。"}
	NoteTest    = Message{EN: "Notes arrive on this channel.", PL: "Powiadomienia docierają tym kanałem.", JA: "このチャンネルに通知が届きます。"}
)

// How something ended that waited: who, and through what.
var (
	NoteAllowed   = Message{EN: "Allowed by %[1]s (%[2]s)", PL: "Zgoda: %[1]s (%[2]s)", JA: "%[1]s(%[2]s)が許可しました"}
	NoteDenied    = Message{EN: "Denied by %[1]s (%[2]s)", PL: "Odmowa: %[1]s (%[2]s)", JA: "%[1]s(%[2]s)が拒否しました"}
	NoteAnswered  = Message{EN: "Answered by %[1]s (%[2]s)", PL: "Odpowiedź: %[1]s (%[2]s)", JA: "%[1]s(%[2]s)が回答しました"}
	NoteTerminal  = Message{EN: "Answered in the agent's terminal", PL: "Odpowiedziano w terminalu agenta", JA: "エージェントの端末で回答済みです"}
	NoteHanded    = Message{EN: "Only the agent's terminal can answer this now", PL: "Odpowiedzieć można już tylko w terminalu agenta", JA: "今はエージェントの端末でのみ回答できます"}
	NoteWithdrawn = Message{EN: "Nobody has to answer this any more", PL: "Nikt już nie musi na to odpowiadać", JA: "もう返事は必要ありません"}
	NoteExpired   = Message{EN: "Its time is over; nothing was allowed", PL: "Czas minął; na nic nie pozwolono", JA: "期限が切れました。何も許可されていません"}
)

// A channel that does not work, told on the others.
var (
	NoteDead     = Message{EN: "Notes do not arrive on %s", PL: "Powiadomienia nie docierają przez %s", JA: "%s に通知が届きません"}
	NoteDeadBody = Message{
		EN: "nod keeps trying. The hub's log says what is wrong.",
		PL: "nod próbuje dalej. Dziennik huba mówi, co jest nie tak.",
		JA: "nod は再試行を続けます。原因はハブのログで分かります。",
	}
	NoteAlive = Message{EN: "Notes arrive on %s again", PL: "Powiadomienia znów docierają przez %s", JA: "%s にまた通知が届くようになりました"}
	NoteLate  = Message{
		EN: "It cannot be reached just now; nod keeps trying.",
		PL: "Teraz jest nieosiągalny; nod próbuje dalej.",
		JA: "今はつながりません。nod は再試行を続けます。",
	}
	NoteRefused = Message{
		EN: "It refused the last note. The hub's log has its own words.",
		PL: "Odrzucił ostatnie powiadomienie. Jego słowa są w dzienniku huba.",
		JA: "直前の通知が拒否されました。相手の応答はハブのログにあります。",
	}
	NoteBroken = Message{
		EN: "It refuses nod: check its address, token and recipient in nod.toml. The hub's log has its own words.",
		PL: "Odrzuca nod: sprawdź adres, token i odbiorcę w nod.toml. Jego słowa są w dzienniku huba.",
		JA: "nod が拒否されています。nod.toml のアドレス、トークン、宛先を確認してください。相手の応答はハブのログにあります。",
	}
)

// The page behind a link in a note, and what a press comes to.
var (
	LinkAllow     = Message{EN: "Allow this?", PL: "Pozwolić?", JA: "許可しますか?"}
	LinkDeny      = Message{EN: "Deny this?", PL: "Odrzucić?", JA: "拒否しますか?"}
	LinkOnce      = Message{EN: "Nothing is decided before you press the button.", PL: "Nic nie jest zdecydowane, dopóki nie naciśniesz przycisku.", JA: "ボタンを押すまでは何も決まりません。"}
	LinkAllowed   = Message{EN: "Allowed", PL: "Pozwolono", JA: "許可しました"}
	LinkDenied    = Message{EN: "Denied", PL: "Odrzucono", JA: "拒否しました"}
	LinkDead      = Message{EN: "This link is no longer good", PL: "Ten odnośnik już nie działa", JA: "このリンクはもう使えません"}
	LinkDeadBody  = Message{EN: "It was used, or nobody has to answer any more. What waits is in nod.", PL: "Został użyty albo nikt już nie musi odpowiadać. To, co czeka, jest w nod.", JA: "使用済みか、もう返事が不要になりました。待っているものは nod で見られます。"}
	LinkNotNow    = Message{EN: "Not now", PL: "Nie teraz", JA: "今はできません"}
	LinkNotNowWhy = Message{EN: "nod could not write the answer down. Try again in a moment.", PL: "nod nie mógł zapisać odpowiedzi. Spróbuj za chwilę.", JA: "回答を保存できませんでした。少し待ってからもう一度お試しください。"}
	LinkOpen      = Message{EN: "This has to be opened in nod", PL: "To trzeba otworzyć w nod", JA: "nod で開いて回答してください"}
	LinkHere      = Message{
		EN: "This link was used on the machine where the agents run, so nod cannot tell you from them. Answer on another device, or in nod.",
		PL: "Tego odnośnika użyto na maszynie, na której działają agenty, więc nod nie odróżni Cię od nich. Odpowiedz na innym urządzeniu albo w nod.",
		JA: "このリンクはエージェントが動いているマシンで使われたため、本人か判別できません。別の端末か nod で回答してください。",
	}
)
