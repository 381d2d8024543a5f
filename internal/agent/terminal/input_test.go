package terminal

import (
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/agent/claude/screen"
)

func TestCompose(t *testing.T) {
	for text, want := range map[string]input{
		"hello":                 {text: "hello"},
		"  hello\r\nyou \n":     {text: "hello\nyou"},
		"a\tb":                  {text: "a    b"},
		"!rm -rf /":             {text: " !rm -rf /"},
		" !rm":                  {text: " !rm"},
		"/compact":              {text: "/compact", command: true},
		"/plugin:do it now":     {text: "/plugin:do it now", command: true},
		"/help\nme":             {text: ". /help\nme"},
		"/etc/hosts is what":    {text: "/etc/hosts is what"},
		"/etc/hosts\nis":        {text: "/etc/hosts\nis"},
		"/":                     {text: "/"},
		`C:\`:                   {text: `C:\ `},
		"look at @file":         {text: "look at @file "},
		"mail a@b.pl":           {text: "mail a@b.pl"},
		"#remember":             {text: "#remember"},
		"- a list\n- of things": {text: "- a list\n- of things"},
	} {
		if got, err := compose(&nod.Message{Text: text}); err != nil || got != want {
			t.Errorf("%q became %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"a\x1bb", "a\x03", "a\rb", "\u009b1m", "a\x00b"} {
		if got, err := compose(&nod.Message{Text: text}); err == nil {
			t.Errorf("%q was taken: %+v", text, got)
		}
	}
	got, err := compose(&nod.Message{Text: "see", Files: []nod.Attachment{{Path: "/data/a b.png"}, {Path: "/data/c.txt"}}})
	if err != nil || got.text != "see\n\nAttached file: /data/a b.png\n\nAttached file: /data/c.txt" {
		t.Errorf("%+v %v", got, err)
	}
}

func TestIsSameText(t *testing.T) {
	long := strings.Repeat("ź", 9000)
	for _, c := range []struct {
		turn nod.Turn
		text string
		same bool
	}{
		{nod.Turn{Text: "hello"}, "hello", true},
		{nod.Turn{Text: "hello you"}, "hello", false},
		{nod.Turn{Text: "!echo"}, " !echo", true},
		{nod.Turn{Text: "a\r\nb "}, "a\nb", true},
		{nod.Turn{Text: long[:16384], Cut: len(long) - 16384}, long, true},
		{nod.Turn{Text: long[:16384], Cut: len(long) - 16384}, "x" + long, false},
		{nod.Turn{Text: "[Image #3]"}, "/data/a.png", true},
		{nod.Turn{Text: "[Image #3]"}, "/data/a.txt", false},
		{nod.Turn{Text: "<task-notification>"}, "hello", false},
	} {
		if got := isSameText(c.turn, c.text); got != c.same {
			t.Errorf("%.30q and %.30q: %v", c.turn.Text, c.text, got)
		}
	}
}

func TestATranscriptIsRead(t *testing.T) {
	lines := `{"type":"user","timestamp":"2026-01-02T10:00:00.000Z","message":{"role":"user","content":"early"}}
{"type":"assistant","timestamp":"2026-01-02T10:00:05.000Z","message":{"content":[{"type":"text","text":"reply"}]}}
{"type":"user","timestamp":"2026-01-02T10:01:00.000Z","message":{"role":"user","content":[{"type":"tool_result","content":"tool"}]}}
{"type":"user","timestamp":"2026-01-02T10:01:00.000Z","message":{"role":"user","content":"said"}}
{"type":"queue-operation","operation":"enqueue","timestamp":"2026-01-02T10:01:01.000Z","content":"queued"}
half a line {"type":"user"`
	since := time.Date(2026, 1, 2, 10, 0, 30, 0, time.UTC)
	for text, want := range map[string]bool{"said": true, "queued": true, "early": false, "reply": false, "tool": false, "": false} {
		if got := transcriptContains([]byte(lines), text, since); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestDialogsAreAskedWithTheirLabels(t *testing.T) {
	d := &screen.Dialog{Kind: screen.Trust, Title: "Accessing workspace:", Body: "/x\nis it yours?", Prompt: "is it yours?", Rows: []screen.Row{{Label: "No, exit", Cursor: true}, {Label: "Yes, I trust this folder"}}}
	r, ok := requestOf(d, time.Now())
	if !ok || r.Kind != nod.KindQuestion || r.Questions[0].FreeText || len(r.Questions[0].Choices) != 2 || r.Risk == nil || r.Risk.Level != "unknown" || r.OneTap || r.Title != "In its terminal: Accessing workspace:" {
		t.Errorf("%+v %v", r, ok)
	}
	fit, err := r.Fit(nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{"Accessing workspace: /x": {Text: "no, exit"}}})
	if err != nil || fit.Answers["Accessing workspace: /x"].Picked[0] != "No, exit" {
		t.Errorf("%+v %v", fit, err)
	}
	for name, d := range map[string]*screen.Dialog{
		"ticks":          {MultiSelect: true, Rows: d.Rows},
		"one choice":     {Rows: d.Rows[:1]},
		"twice the same": {Rows: []screen.Row{{Label: "Yes"}, {Label: "Yes"}}},
		"nothing":        {},
		"only Esc":       {Keys: []screen.Key{{Name: "Esc", Action: "cancel"}}},
	} {
		if r, ok := requestOf(d, time.Now()); ok {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// Boxes are one question of which several answers are taken; the row that ends it
// and the one for words are no answers.
func TestBoxesAreOneQuestion(t *testing.T) {
	d := &screen.Dialog{Kind: screen.Question, Title: "Which?", Prompt: "Which?", MultiSelect: true, Rows: []screen.Row{
		{Label: "Go", Checkbox: true, Cursor: true}, {Label: "Rust", Checkbox: true}, {Label: "Type something", Checkbox: true, FreeText: true}, {Label: "Submit", Submit: true}, {Label: "Chat about this"},
	}}
	r, ok := requestOf(d, time.Now())
	if q := r.Questions[0]; !ok || !q.Multi || q.FreeText || len(q.Choices) != 2 || r.OneTap {
		t.Fatalf("%+v %v", r, ok)
	}
	fit, err := r.Fit(nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{"Which?": {Text: "2,1"}}})
	if err != nil || len(fit.Answers["Which?"].Picked) != 2 {
		t.Errorf("%+v %v", fit, err)
	}
}
