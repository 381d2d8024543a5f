package e2e

import (
	"strings"
	"testing"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
)

type choice struct {
	Label       string `json:"label"`
	Description string `json:"description"`
}

func question(text string, multi bool, labels ...string) map[string]any {
	var options []choice
	for _, l := range labels {
		options = append(options, choice{l, "about " + l})
	}
	return map[string]any{"question": text, "header": "Pick", "multiSelect": multi, "options": options}
}

func questions(qs ...map[string]any) fakeapi.Call {
	return fakeapi.Tool("AskUserQuestion", map[string]any{"questions": qs})
}

func TestQuestions(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	s := w.StartTUI(t)
	db := question("Which DB?", false, "Postgres", "SQLite")
	langs := question("Which languages?", true, "Go", "C", "Rust")
	for _, c := range []struct {
		name string
		call fakeapi.Call
		args []string
		want []string // what the model is told
	}{
		{"by label", questions(db), []string{"sqlite"}, []string{`"Which DB?"="SQLite"`}},
		{"by number", questions(db), []string{"1"}, []string{`"Which DB?"="Postgres"`}},
		{"free text", questions(db), []string{"flat", "files"}, []string{`"Which DB?"="flat files"`}},
		{"several choices", questions(langs), []string{"1,3"}, []string{"Go", "Rust"}},
		{"several questions", questions(db, langs), []string{"SQLite", "Go, C"}, []string{`"Which DB?"="SQLite"`, "Go, C"}},
		{"with a note", questions(db), []string{"SQLite", "--note", "keep it small"}, []string{"SQLite", "keep it small"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w.API.On("ask "+c.name, fakeapi.Use(c.call), fakeapi.Say("heard "+c.name))
			s.Prompt(t, "ask "+c.name)
			r := w.one(t)
			if r.Kind != nod.KindQuestion {
				t.Fatalf("kind %s", r.Kind)
			}
			if out, exit := w.nod(t, "allow", string(r.ID)); exit == 0 {
				t.Fatalf("a bare allow was taken for an answer: %s", out)
			}
			w.ok(t, append([]string{"answer", string(r.ID)}, c.args...)...)
			got := s.WaitToolResult(t, c.call.ID)
			for _, want := range c.want {
				if !strings.Contains(got.Text, want) {
					t.Errorf("the model was told %q, want …%s…", got.Text, want)
				}
			}
			w.reached(t, r.ID, nod.StepApplied)
			s.WaitScreen(t, "heard "+c.name)
			s.WaitStatus(t, "idle")
		})
	}
	t.Run("denied with words", func(t *testing.T) {
		call := questions(db)
		w.API.On("ask no", fakeapi.Use(call), fakeapi.Say("heard no"))
		s.Prompt(t, "ask no")
		r := w.one(t)
		w.ok(t, "deny", string(r.ID), "-m", "you choose")
		if got := s.WaitToolResult(t, call.ID); got.Text != "you choose" {
			t.Errorf("the model was told %+v", got)
		}
		w.reached(t, r.ID, nod.StepApplied)
	})
}

func TestPlans(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{Mode: "plan"})
	s := w.StartTUI(t)
	plan := func(n string) (fakeapi.Call, fakeapi.Call) {
		write := fakeapi.Tool("Write", map[string]any{"file_path": w.ConfigDir + "/plans/" + n + ".md", "content": "# Plan " + n + "\n\n1. Do it\n"})
		return write, fakeapi.Tool("ExitPlanMode", map[string]any{"plan": "# Plan " + n})
	}
	_, exit := plan("feedback")
	w.API.On("plan it", fakeapi.Use(exit), fakeapi.Say("planning on"))
	s.Prompt(t, "plan it")
	r := w.one(t)
	if r.Kind != nod.KindPlan {
		t.Fatalf("kind %s", r.Kind)
	}
	w.ok(t, "deny", string(r.ID), "-m", "smaller steps")
	if got := s.WaitToolResult(t, exit.ID); got.Text != "smaller steps" {
		t.Errorf("the model was told %+v", got)
	}
	s.WaitScreen(t, "planning on")
	s.WaitStatus(t, "idle")

	_, again := plan("approve")
	w.API.On("plan again", fakeapi.Use(again), fakeapi.Say("building"))
	s.Prompt(t, "plan again")
	r = w.one(t)
	w.ok(t, "allow", string(r.ID), "--mode", "acceptEdits")
	if got := s.WaitToolResult(t, again.ID); got.IsError {
		t.Errorf("the model was told %+v", got)
	}
	s.WaitScreen(t, "building")
	w.reached(t, r.ID, nod.StepApplied)
	w.agent(t, "accepts edits", func(a *nod.Agent) bool { return a.Mode == "acceptEdits" })
}
