package policy

import (
	"strings"
	"testing"
)

func TestBadPhrasesAreNamed(t *testing.T) {
	for _, c := range []struct {
		rule PhraseRule
		want string
	}{
		{PhraseRule{Text: "zrób kawę", Verdict: Allow}, `phrase rule "zrób kawę": a phrase cannot allow`},
		{PhraseRule{Text: "zrób kawę"}, `its verdict is ""; write ask or deny`},
		{PhraseRule{Text: "zrób kawę", Verdict: "Deny!"}, "write ask or deny"},
		{PhraseRule{Text: "", Verdict: Deny}, "no words"},
		{PhraseRule{Text: "… *", Verdict: Deny}, "no words"},
		{PhraseRule{Text: "a … b … c … d … e", Verdict: Deny}, "gaps"},
	} {
		_, err := New(Config{Phrases: []PhraseRule{{Text: "ok", Verdict: Ask}, c.rule}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want …%s…", c.rule, err, c.want)
		}
	}
}

func TestPhrasesOfTheUser(t *testing.T) {
	p := must(t, Config{Phrases: []PhraseRule{
		{Text: "wyłącz … serwer*", Verdict: Deny, Reason: "the server stays on"},
		{Text: "zamknij okno", Verdict: Ask},
		{Text: "turn off all", Verdict: Deny},
	}})
	for text, want := range map[string]struct {
		verdict      Verdict
		rule, reason string
	}{
		"Wyłącz proszę ten serwer!": {Deny, "your phrase rule wyłącz … serwer*", "the server stays on"},
		"WYLACZ SERWEROWNIE":        {Deny, "your phrase rule wyłącz … serwer*", "the server stays on"},
		"zamknij okno":              {Ask, "your phrase rule zamknij okno", "you made a rule for this"},
		"turn off all lights":       {Deny, "your phrase rule turn off all", "you made a rule for this"},
		"turn off everything":       {Ask, "phrase: turn off … everything", "turns everything off"},
		"what time is it":           {Allow, "no phrase rule", "nothing dangerous was said"},
	} {
		j := p.JudgePhrase(text)
		if j.Verdict != want.verdict || j.Rule != want.rule || j.Reason != want.reason {
			t.Errorf("%q → %s by %q (%s), want %v", text, j.Verdict, j.Rule, j.Reason, want)
		}
	}
}
