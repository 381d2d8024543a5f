package demo

import (
	"context"
	"time"

	"nod"
	"nod/internal/present/words"
)

// The tasks that a person can ask for, in the language of the message.

func showPlan(say words.Printer) task {
	return task{mode: "plan", steps: []step{think(time.Second), proposePlan(say.Say(wishPlan)), localReply(wishPlanDone)}}
}

func showRisky(words.Printer) task {
	return task{steps: []step{
		think(time.Second),
		approve(bash("rm -rf ./dist && git push --force origin main", "", "")),
		localReply(wishRiskyDone),
	}}
}

func showQuestion(say words.Printer) task {
	q := choice(say.Say(wishHeader), say.Say(wishQuestion),
		nod.Choice{Label: say.Say(wishSmall), Description: say.Say(wishSmallWhy)},
		nod.Choice{Label: say.Say(wishLarge), Description: say.Say(wishLargeWhy)},
	)
	return task{steps: []step{think(time.Second), questions(q)}}
}

func showForm(say words.Printer) task {
	return task{steps: []step{think(time.Second), form("demo-calendar", say.Say(wishForm), patience{},
		field("title", "string", say.Say(wishTitle)),
		field("minutes", "integer", say.Say(wishMinutes)),
		field("remind", "boolean", say.Say(wishRemind)),
		optional(field("room", "string", say.Say(wishRoom), nod.Choice{Label: "A1"}, nod.Choice{Label: "B2"})),
	)}}
}

func showFail(words.Printer) task {
	return task{steps: []step{trouble(nod.AgentError, 30*time.Second, wishProblem), localReply(wishBack)}}
}

func showLimit(words.Printer) task {
	return task{steps: []step{trouble(nod.AgentLimited, 30*time.Second, wishLimit), localReply(wishBack)}}
}

// localReply is a reply in the language of the activity.
func localReply(m words.Message) step {
	return func(ctx context.Context, t *activity) error { return reply(t.language.Say(m))(ctx, t) }
}

var (
	wishPlan = words.Message{
		EN: "# A faster home page\n\n| step | what | risk |\n|---|---|---|\n| 1 | measure the first load | none |\n| 2 | shrink the pictures | low |\n| 3 | load the map only when needed | low |\n\n```sh\nnpm run measure\n```\n\nDone when the page shows in **under a second**.",
		PL: "# Szybsza strona główna\n\n| krok | co | ryzyko |\n|---|---|---|\n| 1 | zmierzyć pierwsze ładowanie | brak |\n| 2 | zmniejszyć zdjęcia | małe |\n| 3 | ładować mapę dopiero, gdy jest potrzebna | małe |\n\n```sh\nnpm run measure\n```\n\nGotowe, gdy strona pokaże się w **mniej niż sekundę**.",
		JA: "# トップページの高速化\n\n| 手順 | 内容 | リスク |\n|---|---|---|\n| 1 | 最初の読み込みを計測する | なし |\n| 2 | 画像を小さくする | 低 |\n| 3 | 地図は必要なときだけ読み込む | 低 |\n\n```sh\nnpm run measure\n```\n\n**1 秒以内**に表示されたら完了です。",
	}
	wishPlanDone = words.Message{
		EN: "All three steps are “done”. A real agent would now have worked for a while.",
		PL: "Wszystkie trzy kroki „gotowe”. Prawdziwy agent popracowałby teraz dłużej.",
		JA: "3 つの手順が「完了」しました。本物のエージェントなら、もう少し時間がかかります。",
	}
	wishRiskyDone = words.Message{
		EN: "You allowed it. In the demo nothing was deleted and nothing was pushed.",
		PL: "Zgoda udzielona. W demo nic nie usunięto i nic nie wysłano.",
		JA: "許可されました。デモなので、何も削除されず、何もプッシュされていません。",
	}
	wishHeader   = words.Message{EN: "Size", PL: "Rozmiar", JA: "サイズ"}
	wishQuestion = words.Message{
		EN: "How large should the new button be?",
		PL: "Jak duży ma być nowy przycisk?",
		JA: "新しいボタンの大きさはどうしますか?",
	}
	wishSmall    = words.Message{EN: "Small", PL: "Mały", JA: "小さい"}
	wishSmallWhy = words.Message{EN: "Leaves room for text", PL: "Zostawia miejsce na tekst", JA: "文章の場所が広くなります"}
	wishLarge    = words.Message{EN: "Large", PL: "Duży", JA: "大きい"}
	wishLargeWhy = words.Message{EN: "Easy to hit with a thumb", PL: "Łatwo trafić kciukiem", JA: "親指で押しやすくなります"}
	wishForm     = words.Message{
		EN: "The calendar (make-believe) needs a few details",
		PL: "Kalendarz (zmyślony) potrzebuje kilku szczegółów",
		JA: "カレンダー (架空) に必要な情報を入力してください",
	}
	wishTitle   = words.Message{EN: "Title", PL: "Tytuł", JA: "件名"}
	wishMinutes = words.Message{EN: "Minutes", PL: "Minuty", JA: "時間 (分)"}
	wishRemind  = words.Message{EN: "Remind me", PL: "Przypomnij mi", JA: "リマインダー"}
	wishRoom    = words.Message{EN: "Room", PL: "Sala", JA: "会議室"}
	wishProblem = words.Message{
		EN: "Make-believe error: the model did not answer (demo)",
		PL: "Zmyślony błąd: model nie odpowiedział (demo)",
		JA: "架空のエラー: モデルが応答しませんでした (デモ)",
	}
	wishLimit = words.Message{
		EN: "Make-believe usage limit reached (demo)",
		PL: "Zmyślony limit użycia wyczerpany (demo)",
		JA: "架空の利用制限に達しました (デモ)",
	}
	wishBack = words.Message{
		EN: "I am back. That is how it looks when an agent cannot go on for a while.",
		PL: "Jestem z powrotem. Tak to wygląda, gdy agent przez chwilę nie może pracować.",
		JA: "復帰しました。エージェントがしばらく動けないときは、このように見えます。",
	}
)
