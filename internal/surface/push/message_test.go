package push

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"nod"
	"nod/internal/present/words"
)

func TestAnswersFromTheLockScreen(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*nod.Request)
		rights nod.Rights
		want   bool
	}{
		"a small risk":               {func(r *nod.Request) { r.Risk.Level = "network" }, answering, true},
		"a device that may not":      {func(*nod.Request) {}, nod.RightsOf(nod.View), false},
		"the request says no":        {func(r *nod.Request) { r.OneTap = false }, answering, false},
		"destructive":                {func(r *nod.Request) { r.Risk.Level = "destructive" }, answering, false},
		"secret":                     {func(r *nod.Request) { r.Risk.Level = "secret" }, answering, false},
		"unknown":                    {func(r *nod.Request) { r.Risk.Level = "unknown" }, answering, false},
		"a level of another version": {func(r *nod.Request) { r.Risk.Level = "cosmic" }, answering, false},
		"nobody judged it":           {func(r *nod.Request) { r.Risk = nil }, answering, false},
		"a question":                 {func(r *nod.Request) { r.Kind = nod.KindQuestion }, answering, false},
		"a plan":                     {func(r *nod.Request) { r.Kind = nod.KindPlan }, answering, false},
	} {
		r := request("r1")
		tt.change(&r)
		got := requestPayload(&r, words.In(words.English), tt.rights)
		if got.OneTap != tt.want || (got.Allow != "") != tt.want || (got.Deny != "") != tt.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestSecretIsNotOnTheLockScreen(t *testing.T) {
	r := request("r1")
	r.Title, r.Display, r.Input = "Bash: cat hunter2", "hunter2", json.RawMessage(`{"command":"cat hunter2"}`)
	r.Risk = &nod.Risk{Level: "secret", Reason: "reads hunter2"}
	m, err := job{request: &r}.message(words.In(words.English), answering, time.Now())
	if err != nil || strings.Contains(string(m.Payload), "hunter2") || !strings.Contains(string(m.Payload), "something secret") {
		t.Errorf("%s, %v", m.Payload, err)
	}
}

func TestOnlyTheLineThatIsNeeded(t *testing.T) {
	r := request("r1")
	r.Display, r.Input, r.Agent.Cwd = "the display", json.RawMessage(`{"the":"input"}`), "/home/anna/garden"
	m, err := job{request: &r}.message(words.In(words.English), answering, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for _, more := range []string{"the display", "input", "/home/anna"} {
		if strings.Contains(string(m.Payload), more) {
			t.Errorf("%s is in %s", more, m.Payload)
		}
	}
}

func TestNotificationsSpeakTheLanguageOfTheDevice(t *testing.T) {
	r := request("r1")
	r.Risk.Level = "destructive"
	for lang, want := range map[string][2]string{
		"en": {"garden needs you", "destructive · Bash: ls"},
		"pl": {"garden czeka na Ciebie", "niszczące · Bash: ls"},
		"ja": {"garden が返事を待っています", "破壊的 · Bash: ls"},
		"":   {"garden needs you", "destructive · Bash: ls"},
	} {
		got := requestPayload(&r, printer(lang), answering)
		if got.Title != want[0] || got.Body != want[1] {
			t.Errorf("%s: %+v", lang, got)
		}
	}
	for kind, want := range map[nod.RequestKind]string{
		nod.KindQuestion: "garden has a question", nod.KindPlan: "garden has a plan", nod.KindElicitation: "garden has a form for you",
	} {
		if r.Kind = kind; requestPayload(&r, printer("en"), answering).Title != want {
			t.Errorf("%s: %+v", kind, requestPayload(&r, printer("en"), answering))
		}
	}
}

func TestHiddenCharactersAndLengths(t *testing.T) {
	for name, text := range map[string]string{
		"long":         strings.Repeat("rm -rf / ", 10_000),
		"wide":         strings.Repeat("\U0001F468", 10_000),
		"escaped":      strings.Repeat(`"\<&>`, 10_000),
		"hidden":       strings.Repeat("a\u202e\u200b\x00\x1b", 10_000),
		"broken":       strings.Repeat("\xff", 10_000),
		"several rows": "first\nsecond\tthird",
	} {
		r := request(strings.Repeat("i", 200))
		r.Title, r.Agent.Name = text, text
		m, err := job{request: &r}.message(words.In(words.Japanese), answering, time.Now())
		if err != nil || len(m.Payload) > maxPayload || !utf8.Valid(m.Payload) {
			t.Errorf("%s: %d bytes, %v", name, len(m.Payload), err)
		}
		var p Payload
		if err := json.Unmarshal(m.Payload, &p); err != nil || p.ID != string(r.ID) {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
		if nod.OneLine(p.Title) != p.Title || nod.OneLine(p.Body) != p.Body {
			t.Errorf("%s: something hides in %q or %q", name, p.Title, p.Body)
		}
	}
	r := request(strings.Repeat("i", 2*maxPayload))
	if _, err := (job{request: &r}).message(words.In(words.English), answering, time.Now()); err == nil {
		t.Error("an id that does not fit was sent")
	}
}

func TestAgentWithoutAName(t *testing.T) {
	for want, a := range map[string]nod.AgentRef{
		"garden": {Cwd: "/home/anna/garden", Kind: "claude"}, "claude": {Kind: "claude"}, "shed": {Name: "shed", Cwd: "/x"},
	} {
		if got := nameOf(a); got != want {
			t.Errorf("%+v: %q, want %q", a, got, want)
		}
	}
}
