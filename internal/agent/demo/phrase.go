package demo

import "nod/internal/present/words"

// What the agents say to a decision. The %s are quoted words of a person, code,
// or a name.
var (
	understood = words.Message{
		EN: "Understood, I leave that.",
		PL: "Rozumiem, zostawiam to.",
		JA: "わかりました。それはやめておきます。",
	}
	understoodWith = words.Message{
		EN: "Understood, I leave that. You told me:\n\n%s",
		PL: "Rozumiem, zostawiam to. Twoje słowa:\n\n%s",
		JA: "わかりました。それはやめておきます。いただいたメッセージ:\n\n%s",
	}
	halted = words.Message{
		EN: "Understood. I have stopped and do nothing for two minutes.",
		PL: "Rozumiem. Przerywam i przez dwie minuty nic nie robię.",
		JA: "わかりました。作業を止めました。2 分間は何もしません。",
	}
	haltedWith = words.Message{
		EN: "Understood. I have stopped and do nothing for two minutes. You told me:\n\n%s",
		PL: "Rozumiem. Przerywam i przez dwie minuty nic nie robię. Twoje słowa:\n\n%s",
		JA: "わかりました。作業を止めました。2 分間は何もしません。いただいたメッセージ:\n\n%s",
	}
	stoppedBy = words.Message{
		EN: "Stopped by %s. I am idle. As a demo agent I begin a new task in two minutes, or when you say something.",
		PL: "Zatrzymuje mnie: %s. Nic nie robię. Jako agent demo zacznę nowe zadanie za dwie minuty albo gdy coś powiesz.",
		JA: "%s さんが停止しました。いまは待機中です。デモなので 2 分後、または話しかけられたら新しい作業を始めます。",
	}
	ranEdited = words.Message{
		EN: "You changed it, so this is what “ran” (in the demo nothing really runs):\n\n%s",
		PL: "To po Twojej zmianie „uruchomiono” (w demo nic naprawdę nie działa):\n\n%s",
		JA: "変更された内容を「実行」しました (デモでは実際には何も実行されません):\n\n%s",
	}
	ruleKept = words.Message{
		EN: "Rule kept until the demo ends: %s",
		PL: "Reguła zapamiętana do końca demo: %s",
		JA: "デモが終わるまで有効なルール: %s",
	}
	byRule = words.Message{
		EN: "Not asked: your rule %s covers it.",
		PL: "Bez pytania: obejmuje to Twoja reguła %s.",
		JA: "ルール %s があるため、確認しませんでした。",
	}
	inTerminal = words.Message{
		EN: "Answered in the agent's own terminal (make-believe: the demo has none).",
		PL: "Odpowiedź padła w terminalu agenta (na niby: demo go nie ma).",
		JA: "エージェントのターミナルで回答されました (デモなので、実際のターミナルはありません)。",
	}
	tooLate = words.Message{
		EN: "Nobody answered in time, so I go on without it.",
		PL: "Nikt nie odpowiedział na czas, więc idę dalej bez tego.",
		JA: "時間内に回答がなかったので、このまま進めます。",
	}
	answered = words.Message{
		EN: "Thank you. You answered:\n\n%s",
		PL: "Dziękuję. Twoje odpowiedzi:\n\n%s",
		JA: "ありがとうございます。回答:\n\n%s",
	}
)

// What they say about plans.
var (
	planApproved = words.Message{
		EN: "Plan approved. I go on in the mode **%s**.",
		PL: "Plan przyjęty. Pracuję dalej w trybie **%s**.",
		JA: "計画が承認されました。**%s** モードで進めます。",
	}
	planEdited = words.Message{
		EN: "Plan approved with your changes. I go on in the mode **%s**, by this text:\n\n%s",
		PL: "Plan przyjęty z Twoimi zmianami. Pracuję dalej w trybie **%s**, według tego tekstu:\n\n%s",
		JA: "変更を加えた計画が承認されました。**%s** モードで、次の内容に沿って進めます:\n\n%s",
	}
	planAgain = words.Message{
		EN: "Understood. I make the plan anew with your words:\n\n%s",
		PL: "Rozumiem. Układam plan od nowa według Twoich słów:\n\n%s",
		JA: "わかりました。次の意見をもとに計画を作り直します:\n\n%s",
	}
	planRevised = words.Message{
		EN: "# %s (revised)\n\n## Changed after your words\n\n%s",
		PL: "# %s (poprawiony)\n\n## Zmienione po Twoich słowach\n\n%s",
		JA: "# %s (改訂版)\n\n## ご意見による変更\n\n%s",
	}
	planEnough = words.Message{
		EN: "I have no better plan for now. Say **plan** when you want another one.",
		PL: "Na razie nie mam lepszego planu. Napisz **plan**, gdy zechcesz następny.",
		JA: "いまはこれ以上の案がありません。別の計画が必要なときは「計画」と送ってください。",
	}
)
