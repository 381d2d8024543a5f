package words

// Lists of requests.
var (
	WaitForYou = Plural{
		EN: [2]string{"%d request waits for you", "%d requests wait for you"},
		PL: [3]string{"%d prośba czeka na Ciebie", "%d prośby czekają na Ciebie", "%d próśb czeka na Ciebie"},
		JA: "%d 件が返事を待っています",
	}
	AllQuiet      = Message{EN: "All quiet.", PL: "Cisza.", JA: "静かです。"}
	AgentsWorking = Plural{
		EN: [2]string{"%d agent is working.", "%d agents are working."},
		PL: [3]string{"%d agent pracuje.", "%d agenty pracują.", "%d agentów pracuje."},
		JA: "%d つのエージェントが作業中です。",
	}
	NoAgents = Message{
		EN: "No agent is running. `nod setup claude` connects Claude Code.",
		PL: "Żaden agent nie działa. `nod setup claude` podłączy Claude Code.",
		JA: "動いているエージェントはありません。`nod setup claude` で Claude Code をつなげます。",
	}
	NoneWorking = Message{
		EN: "No agent is working.",
		PL: "Żaden agent nie pracuje.",
		JA: "作業中のエージェントはありません。",
	}
	NoRequests = Message{
		EN: "Nothing was asked yet.",
		PL: "Jeszcze o nic nie zapytano.",
		JA: "まだ何も聞かれていません。",
	}
	OnHost    = Message{EN: "%[1]s on %[2]s", PL: "%[1]s na %[2]s", JA: "%[1]s(%[2]s)"}
	ExpiresIn = Message{EN: "expires in %s", PL: "wygasa za %s", JA: "残り %s"}
	InFolder  = Message{EN: "in %s", PL: "w %s", JA: "場所: %s"}
	ForSub    = Message{EN: "asked by its subagent %s", PL: "pyta jego podagent %s", JA: "サブエージェント %s からの質問"}
)

// One request in full.
var (
	AnyText      = Message{EN: "words of your own are welcome", PL: "można też odpowiedzieć własnymi słowami", JA: "自由に書いてもかまいません"}
	SeveralPicks = Message{EN: "several may be chosen", PL: "można wybrać kilka", JA: "複数選べます"}
	MayBeEmpty   = Message{EN: "may be left out", PL: "można pominąć", JA: "省略できます"}
	AlwaysAdds   = Message{EN: "--always adds this rule:", PL: "--always doda tę regułę:", JA: "--always で加わるルール:"}
	AlwaysOneOf  = Message{EN: "--always adds the first of these rules, --always=N another:", PL: "--always doda pierwszą z tych reguł, --always=N inną:", JA: "--always は最初の、--always=N はほかのルールを加えます:"}
	ModesOffered = Message{EN: "--mode says how it goes on:", PL: "--mode mówi, jak dalej:", JA: "--mode でその後の進め方を選べます:"}
	OpenPage     = Message{EN: "Page to open: %s", PL: "Strona do otwarcia: %s", JA: "開くページ: %s"}
	TypeNext     = Message{EN: "Type next:", PL: "Wpisz dalej:", JA: "次に入力するもの:"}
	ReceiptsAre  = Message{EN: "So far:", PL: "Dotąd:", JA: "これまで:"}
	DialogOpen   = Message{
		EN: "Its terminal on %s asks the same; the first answer wins.",
		PL: "Jego terminal na %s pyta o to samo; wygrywa pierwsza odpowiedź.",
		JA: "%s の端末でも同じことを聞いています。先の回答が有効です。",
	}

	ToAllow   = Message{EN: "allow it once", PL: "pozwól raz", JA: "一度だけ許可"}
	ToApprove = Message{EN: "approve; it goes on asking", PL: "zatwierdź; dalej będzie pytać", JA: "承認(その後も確認あり)"}
	ToAlways  = Message{EN: "allow it and add the rule above", PL: "pozwól i dodaj regułę powyżej", JA: "許可し、上のルールを加える"}
	ToEdit    = Message{EN: "change it, then allow", PL: "zmień, potem pozwól", JA: "書き換えて許可"}
	ToDeny    = Message{EN: "deny and say why", PL: "odrzuć i powiedz dlaczego", JA: "理由を添えて拒否"}
	ToStop    = Message{EN: "deny and stop the whole turn", PL: "odrzuć i zatrzymaj całą turę", JA: "拒否して全体を止める"}
	ToAnswer  = Message{EN: "by number, label or own words", PL: "numerem, etykietą lub słowami", JA: "番号、選択肢、自由な言葉で"}
	ToMode    = Message{EN: "approve the plan in another mode", PL: "zatwierdź plan w innym trybie", JA: "別のモードで計画を承認"}
)
