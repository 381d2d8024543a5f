package advise

import (
	"strings"
	"testing"

	"nod"
	"nod/internal/present/words"
)

// What agents say last, and what a person then wants to press.
var messages = []struct {
	text string
	want Reading
}{
	// English
	{"I've looked at the parser. Should I go ahead and rewrite it?", Reading{Topic: YesNo}},
	{"Would you like me to commit these changes?", Reading{Topic: YesNo}},
	{"Want me to run the tests?", Reading{Topic: YesNo}},
	{"Everything is in place.\n\n**Does this look good?**", Reading{Topic: YesNo}},
	{"The fix is ready. Shall I continue? Let me know.", Reading{Topic: YesNo}},
	{"I can also update the docs if you'd like.", Reading{Topic: YesNo}},
	{"Let me know if you want me to push it.", Reading{Topic: YesNo}},
	{"Here is my plan:\n1. Read\n2. Write\n3. Test\n\nShall I proceed?", Reading{Topic: YesNo}},
	{"Do you know when the release is?", Reading{Topic: YesNo}},
	{"OK to proceed?", Reading{Topic: YesNo}},
	{"Should I do it or not?", Reading{Topic: YesNo}},
	{"Shall I delete the old migrations?", Reading{Topic: YesNo, Grave: true}},
	{"This will run on production. Proceed?", Reading{Topic: YesNo, Grave: true}},
	{"Should I force-push the branch?", Reading{Topic: YesNo, Grave: true}},
	{"Should I use SQLite or Postgres?", Reading{Topic: Either}},
	{"Do you want me to fix it now or leave it for later?", Reading{Topic: Either}},
	{"Should I delete the file or keep it?", Reading{Topic: Either, Grave: true}},
	{"There are two ways.\n\n1. A cache\n2. A queue\n\nWhich do you prefer?", Reading{Topic: Choice, Options: 2}},
	{"Which one should I take?\n\n**1.** Redis\n   fast\n**2.** Memcached\n**3.** None", Reading{Topic: Choice, Options: 3}},
	{"Pick an option:\nOption 1: small\nOption 2: large\nWhich option fits?", Reading{Topic: Choice, Options: 2}},
	{"- A) tabs\n- B) spaces\n\nWhich would you choose?", Reading{Topic: Choice, Options: 2, Letters: true}},
	{"1. a\n2. b\nWhich?", Reading{Topic: Choice, Options: 2}},
	{"And now what?", Reading{Topic: Asked}},
	{"What should I call the new package?", Reading{Topic: Asked}},
	{"How would you like to handle the retries?", Reading{Topic: Asked}},
	{"I have two questions left. Which port does it use?", Reading{Topic: Asked}},
	{"Done. Is there anything else you need?", Reading{Topic: Resting}},
	{"The build failed with exit code 2.", Reading{Topic: Error}},
	{"I got a TypeError: undefined is not a function", Reading{Topic: Error}},
	{"3 tests failed.", Reading{Topic: Error}},
	{"I could not find the file.", Reading{Topic: Error}},
	{"I fixed the error in parse.go. All tests pass now.", Reading{Topic: Passed}},
	{"The build works with no errors.", Reading{Topic: Resting}},
	{"All 214 tests pass.", Reading{Topic: Passed}},
	{"I looked at the test suite; it has 12 cases.", Reading{Topic: Tests}},
	{"The changes are staged on the branch feature/x.", Reading{Topic: Git}},
	{"Committed as 4f2a1c.", Reading{Topic: Committed}},
	{"I've committed and pushed everything.", Reading{Topic: Resting}},
	{"Step 2 of 5 is done.", Reading{Topic: Steps}},
	{"That leaves:\n1. the docs\n2. the icons\n3. the release", Reading{Topic: Steps}},
	{"I've implemented the parser and added a new function.", Reading{Topic: Review}},
	{"Added error handling to the client.", Reading{Topic: Review}},
	{"Hello! I'm ready.", Reading{Topic: Resting}},
	{"```js\nconst x = a ? b : c; // really?\n```\nThat is the line I mean.", Reading{Topic: Resting}},
	{"See https://example.org/?q=1 for more.", Reading{Topic: Resting}},
	{"", Reading{Topic: Resting}},

	// Polish
	{"Czy mam to zatwierdzić?", Reading{Topic: YesNo}},
	{"Wszystko gotowe. Czy kontynuować?", Reading{Topic: YesNo}},
	{"Chcesz, żebym uruchomił testy?", Reading{Topic: YesNo}},
	{"Daj znać, jeśli mam to wysłać.", Reading{Topic: YesNo}},
	{"Czy usunąć stare pliki?", Reading{Topic: YesNo, Grave: true}},
	{"Czy użyć SQLite czy Postgresa?", Reading{Topic: Either}},
	{"Mam poprawić to teraz czy później?", Reading{Topic: Either}},
	{"Są dwie możliwości:\n1. pamięć\n2. dysk\nKtórą wybierasz?", Reading{Topic: Choice, Options: 2}},
	{"Jak nazwać nowy pakiet?", Reading{Topic: Asked}},
	{"Gdzie mam zapisać wynik?", Reading{Topic: Asked}},
	{"Gotowe. Czy mogę pomóc w czymś jeszcze?", Reading{Topic: Resting}},
	{"Budowanie nie powiodło się.", Reading{Topic: Error}},
	{"Wystąpił błąd w pliku main.go.", Reading{Topic: Error}},
	{"Wszystkie testy przechodzą.", Reading{Topic: Passed}},
	{"Kompilacja przebiegła bez błędów.", Reading{Topic: Resting}},
	{"Zacommitowałem zmiany.", Reading{Topic: Committed}},
	{"Krok 3 z 7 za nami.", Reading{Topic: Steps}},
	{"Dodałem nową funkcję.", Reading{Topic: Review}},
	{"Jestem na gałęzi main.", Reading{Topic: Git}},

	// Japanese
	{"変更をコミットしますか？", Reading{Topic: YesNo}},
	{"準備ができました。続けてもよろしいですか。", Reading{Topic: YesNo}},
	{"よければテストも実行します。", Reading{Topic: YesNo}},
	{"何か質問はありますか？", Reading{Topic: YesNo}},
	{"古いファイルを削除しますか？", Reading{Topic: YesNo, Grave: true}},
	{"本番に反映してもよいですか?", Reading{Topic: YesNo, Grave: true}},
	{"今直しますか、それとも後にしますか？", Reading{Topic: Either}},
	{"二つの案があります。\n1. キャッシュ\n2. キュー\nどちらにしますか？", Reading{Topic: Choice, Options: 2}},
	{"1、小さくする\n2、大きくする\n3、そのまま\nどれを選びますか。", Reading{Topic: Choice, Options: 3}},
	{"パッケージの名前は何にしますか？", Reading{Topic: Asked}},
	{"どこに保存しますか。", Reading{Topic: Asked}},
	{"完了しました。他に何かありますか？", Reading{Topic: Resting}},
	{"ビルドに失敗しました。", Reading{Topic: Error}},
	{"エラーが出ています。", Reading{Topic: Error}},
	{"エラーはありません。", Reading{Topic: Resting}},
	{"テストはすべて通りました。", Reading{Topic: Passed}},
	{"コミットしました。", Reading{Topic: Committed}},
	{"ステップ2が終わりました。", Reading{Topic: Steps}},
	{"パーサーを実装しました。", Reading{Topic: Review}},
	{"こんにちは。", Reading{Topic: Resting}},
}

func TestAMessageIsReadAsAPersonWould(t *testing.T) {
	for _, m := range messages {
		if got := Read(m.text); got != m.want {
			t.Errorf("%q\n got %+v\nwant %+v", m.text, got, m.want)
		}
	}
}

func TestOnlyTheEndOfALongMessageCounts(t *testing.T) {
	long := strings.Repeat("Everything failed with an error. Should I delete it? ", 5000) + strings.Repeat("Words. ", 600)
	if got := Read(long); got != (Reading{Topic: Resting}) {
		t.Errorf("%+v", got)
	}
	if got := Read(strings.Repeat("語", 100_000) + "。続けますか？"); got.Topic != YesNo {
		t.Errorf("%+v", got)
	}
}

func TestTheStateComesBeforeTheWords(t *testing.T) {
	asks := &nod.Turn{Role: nod.TurnAgent, Text: "Shall I go on?"}
	noted := func(why nod.Trouble) *nod.Turn { return &nod.Turn{Role: nod.TurnSystem, Trouble: why} }
	for _, tt := range []struct {
		name string
		s    Situation
		want Topic
	}{
		{"limit", Situation{Agent: &nod.Agent{State: nod.AgentLimited}, Last: asks}, Limit},
		{"stopped", Situation{Agent: &nod.Agent{State: nod.AgentIdle}, Last: asks, Stopped: true}, Halted},
		{"stopped, noted", Situation{Agent: &nod.Agent{State: nod.AgentIdle}, Last: noted(nod.TroubleStopped)}, Halted},
		{"limit, noted", Situation{Agent: &nod.Agent{State: nod.AgentIdle}, Last: noted(nod.TroubleLimit)}, Limit},
		{"refused", Situation{Agent: &nod.Agent{State: nod.AgentIdle}, Last: noted(nod.TroubleRefused)}, Refused},
		{"crash", Situation{Agent: &nod.Agent{State: nod.AgentIdle}, Last: noted(nod.TroubleCrash)}, Error},
		{"error", Situation{Agent: &nod.Agent{State: nod.AgentError}, Last: asks}, Error},
		{"question", Situation{Agent: &nod.Agent{State: nod.AgentIdle}, Last: asks}, YesNo},
		{"nothing said", Situation{Agent: &nod.Agent{State: nod.AgentIdle}}, Resting},
	} {
		if got := tt.s.Reading(); got.Topic != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got.Topic, tt.want)
		}
	}
}

func TestTheLastWordIsTheAgentsOwn(t *testing.T) {
	reply := nod.Turn{Role: nod.TurnAgent, Text: "done"}
	sub := nod.Turn{Role: nod.TurnAgent, Text: "inner", Who: &nod.Subagent{ID: "s"}}
	tool := nod.Turn{Role: nod.TurnTool}
	person := nod.Turn{Role: nod.TurnPerson}
	key := nod.Turn{Role: nod.TurnSystem, Tool: "mode"}
	if got := LastWord([]nod.Turn{key, sub, tool, reply}); got == nil || got.Text != "done" {
		t.Errorf("%+v", got)
	}
	if got := LastWord([]nod.Turn{tool, person, reply}); got != nil {
		t.Errorf("a person has spoken since: %+v", got)
	}
}

func TestEveryTopicHasRepliesThatExist(t *testing.T) {
	for _, topic := range []Topic{YesNo, Either, Choice, Asked, Error, Refused, Tests, Passed, Git, Committed, Steps, Review, Files, Halted, Limit, Resting} {
		for _, name := range usual(topic) {
			if _, ok := Reply(name, words.In(words.English)); !ok {
				t.Errorf("%s: there is no reply %q", topic, name)
			}
		}
	}
}

func TestEveryLabelFitsAKey(t *testing.T) {
	for _, lang := range []words.Lang{words.English, words.Polish, words.Japanese} {
		say := words.In(lang)
		for _, name := range Names() {
			b, _ := Reply(name, say)
			if Width(b.Label) > Cells || b.Do.Text == "" || b.Emoji == "" {
				t.Errorf("%s: %q takes %d cells", name, b.Label, Width(b.Label))
			}
		}
		for _, m := range []words.Message{
			words.AdviseYes, words.AdviseNo, words.AdviseAlways, words.AdviseDecline, words.AdviseApprove, words.AdviseChanges,
			words.AdviseStop, words.AdviseBackground, words.AdviseMore, words.AdviseBack, words.AdviseOpen,
		} {
			if label := say.Say(m); Width(label) > Cells {
				t.Errorf("%q takes %d cells", label, Width(label))
			}
		}
	}
}

func BenchmarkRules(b *testing.B) {
	text := strings.Repeat("I changed the parser and ran the tests. Nothing failed. ", 2000) + "Which one?\n1. a\n2. b\nShould I take the first or the second?"
	s := Situation{Agent: &nod.Agent{ID: "a", State: nod.AgentIdle, Can: []nod.Ability{nod.CanSay}}, Last: &nod.Turn{Role: nod.TurnAgent, Text: text}}
	for b.Loop() {
		if len(For(s, 4)) != 4 {
			b.Fatal("no buttons")
		}
	}
}
