package demo

import (
	"slices"
	"strings"
	"unicode"

	"nod/internal/present/words"
)

// topic is something that people can ask a demo agent for.
type topic struct {
	keys  []string // words; with * at the end a prefix; Japanese ones count anywhere in the text
	reply words.Message
	show  func(words.Printer) task // nil: only the reply
}

// topics are tried in this order: "ask me for a plan" is about a plan, not about
// questions.
func topics() []topic {
	return []topic{
		{[]string{"plan", "plans", "planu", "planem", "plany", "zaplanuj*", "計画", "プラン"}, replyPlan, showPlan},
		{[]string{"risk*", "danger*", "destructive", "ryzyk*", "niebezpieczn*", "groźn*", "危険", "危ない", "リスク"}, replyRisky, showRisky},
		{[]string{"limit*", "制限", "上限"}, replyLimit, showLimit},
		{[]string{"fail*", "error*", "crash*", "błąd*", "błęd*", "awari*", "zawied*", "zepsuj*", "失敗", "エラー", "障害"}, replyFail, showFail},
		{[]string{"form", "forms", "formularz*", "フォーム"}, replyForm, showForm},
		{[]string{"question*", "ask", "pytani*", "pytaj", "zapytaj*", "spytaj*", "質問", "聞いて", "尋ねて"}, replyQuestion, showQuestion},
	}
}

// understand finds the topic of a message and its language.
func understand(text string) (topic, words.Printer) {
	text = strings.ToLower(text)
	list := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	say := words.In(language(text, list))
	for _, t := range topics() {
		if slices.ContainsFunc(t.keys, func(key string) bool { return mentions(text, list, key) }) {
			return t, say
		}
	}
	return topic{reply: replyHello}, say
}

func mentions(text string, list []string, key string) bool {
	if japanese(key) {
		return strings.Contains(text, key)
	}
	beginning, open := strings.CutSuffix(key, "*")
	return slices.ContainsFunc(list, func(word string) bool {
		return word == key || open && strings.HasPrefix(word, beginning)
	})
}

// language guesses from letters first and from a few common words after that.
func language(text string, list []string) words.Lang {
	switch {
	case japanese(text):
		return words.Japanese
	case strings.ContainsAny(text, "ąćęłńóśźż"), slices.ContainsFunc(list, polish):
		return words.Polish
	}
	return words.English
}

func japanese(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han)
	})
}

func polish(word string) bool {
	switch word {
	case "pokaz", "prosze", "poprosze", "daj", "zrob", "jak", "czesc", "hej", "mi", "cos", "mnie", "zapytaj", "spytaj",
		"pytanie", "ryzykownego", "ryzykowne", "planu", "formularz", "awaria", "dzien", "dobry", "jest", "nie", "tak":
		return true
	}
	return false
}

// The replies.
var (
	replyHello = words.Message{
		EN: "Hello! I am a demo agent: I make everything up and touch nothing. Say one of these and I show it at once:\n\n- **ask me for a plan**\n- **ask me something risky**\n- **ask me a question**\n- **show a form**\n- **fail**, or **limit**",
		PL: "Cześć! Jestem agentem demo: wszystko zmyślam i niczego nie dotykam. Napisz jedno z tych, a od razu to pokażę:\n\n- **pokaż plan**\n- **zapytaj o coś ryzykownego**\n- **zadaj pytanie**\n- **pokaż formularz**\n- **awaria** albo **limit**",
		JA: "こんにちは。デモ用のエージェントです。すべて作り話で、実際には何も変更しません。次のどれかを送ると、すぐに試せます:\n\n- **計画を見せて**\n- **危険なことを聞いて**\n- **質問して**\n- **フォームを見せて**\n- **失敗して**、または**制限**",
	}
	replyPlan = words.Message{
		EN: "With pleasure. A make-believe plan waits for your approval now. Refuse it with a few words and I change it.",
		PL: "Z przyjemnością. Zmyślony plan czeka teraz na Twoją zgodę. Odrzuć go w kilku słowach, a go zmienię.",
		JA: "わかりました。架空の計画が承認待ちになりました。意見を添えて却下すると、作り直します。",
	}
	replyRisky = words.Message{
		EN: "Here is something nobody should allow without reading. In the demo it would do nothing.",
		PL: "Oto coś, na co nikt nie powinien zgadzać się bez czytania. W demo i tak nic się nie stanie.",
		JA: "よく読まずに許可してはいけない操作です。デモなので、許可しても何も起こりません。",
	}
	replyQuestion = words.Message{
		EN: "Gladly. My question waits for you now.",
		PL: "Chętnie. Moje pytanie już na Ciebie czeka.",
		JA: "はい。質問を用意しました。回答をお待ちしています。",
	}
	replyForm = words.Message{
		EN: "Here is a form, as an MCP server would ask with it.",
		PL: "Oto formularz, taki, jakim pyta serwer MCP.",
		JA: "MCP サーバーが使うようなフォームを用意しました。",
	}
	replyFail = words.Message{
		EN: "Watch me fail. I recover in half a minute.",
		PL: "Patrz, jak zawodzę. Za pół minuty dojdę do siebie.",
		JA: "これから失敗してみせます。30 秒ほどで回復します。",
	}
	replyLimit = words.Message{
		EN: "I have just reached my make-believe usage limit. It ends in half a minute.",
		PL: "Właśnie wyczerpał mi się zmyślony limit użycia. Minie za pół minuty.",
		JA: "架空の利用制限に達しました。30 秒ほどで解除されます。",
	}
)
