package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
)

// Auto mode without the server's check asks in the terminal alone: a notice whose
// keys are its choices, then No and Yes without numbers. No hook reports either.
func TestDialogsWithoutAHook(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{Mode: "auto"})
	call, second := fakeapi.Bash(`python3 -c "print(6*7)"`), fakeapi.Bash(`python3 -c "print('never')"`)
	w.API.On("run the sum", fakeapi.Use(call), fakeapi.Say("sum done"))
	w.API.On("run another", fakeapi.Use(second), fakeapi.Say("went on"))
	s := w.StartTUI(t)
	a, m := w.talkable(t), w.follow(t)
	w.delivered(t, m, s, a, "run the sum")

	r := w.one(t)
	if r.Kind != nod.KindQuestion || r.Tool != "Terminal" || !strings.Contains(r.Title, "Auto mode can't check") || r.Dialog != nod.DialogBeside {
		t.Fatalf("the request is %+v", r)
	}
	w.reply(t, r, "stay in auto mode")
	w.reached(t, r.ID, nod.StepApplied)

	r = w.one(t)
	if q := r.Questions[0]; q.Text != "Do you want to proceed?" || len(q.Choices) != 2 || q.Choices[0].Label != "No" || r.Risk == nil || !strings.Contains(r.Display, "print(6*7)") {
		t.Fatalf("the request is %+v", r)
	}
	w.reply(t, r, "Yes")
	w.reached(t, r.ID, nod.StepApplied)
	if got := s.WaitToolResult(t, call.ID); got.IsError || strings.TrimSpace(got.Text) != "42" {
		t.Errorf("the model was told %+v", got)
	}
	s.WaitScreen(t, "sum done")

	s.WaitStatus(t, "idle")
	w.delivered(t, m, s, a, "run another")
	r = w.one(t)
	s.Answer(t, "Enter") // No, by a person at the terminal
	if r = w.settled(t, r.ID); r.Status != nod.Withdrawn || r.Withdrawal.Reason != nod.WithdrawnTerminal {
		t.Errorf("%s %+v", r.Status, r.Withdrawal)
	}
	s.WaitStatus(t, "idle")
}

// reply answers the only question of a request.
func (w *world) reply(t *testing.T, r *nod.Request, text string) {
	t.Helper()
	w.answer(t, r, nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{r.Questions[0].Key(): {Text: text}}})
}

// forgetHook takes one hook out of the settings.
func (w *world) forgetHook(t *testing.T, event string) {
	t.Helper()
	file := filepath.Join(w.ConfigDir, "settings.json")
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	delete(all["hooks"].(map[string]any), event)
	if raw, err = json.Marshal(all); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Without the hook that asks, the screen does: permissions, questions with a free
// answer, several questions.
func TestScreenReplacesAMissingHook(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	w.forgetHook(t, "PermissionRequest")
	s := w.StartTUI(t)
	a, m := w.talkable(t), w.follow(t)

	t.Run("a permission", func(t *testing.T) {
		call := fakeapi.Bash(`python3 -c "print('by label')"`)
		w.API.On("permit", fakeapi.Use(call), fakeapi.Say("permitted"))
		w.delivered(t, m, s, a, "permit")
		r := w.one(t)
		w.reply(t, r, "Yes")
		if got := s.WaitToolResult(t, call.ID); got.IsError || strings.TrimSpace(got.Text) != "by label" {
			t.Errorf("the model was told %+v", got)
		}
		s.WaitStatus(t, "idle")
	})
	t.Run("denied", func(t *testing.T) {
		call := fakeapi.Bash(`python3 -c "print('never')"`)
		w.API.On("deny", fakeapi.Use(call), fakeapi.Say("went on"))
		w.delivered(t, m, s, a, "deny")
		r := w.one(t)
		w.answer(t, r, nod.Answer{Verdict: nod.VerdictDeny})
		w.reached(t, r.ID, nod.StepApplied)
		s.WaitStatus(t, "idle")
		if strings.Contains(s.Screen(), "went on") {
			t.Errorf("it went on:\n%s", s.Screen())
		}
	})
	t.Run("a question in one's own words", func(t *testing.T) {
		call := questions(question("Which DB?", false, "Postgres", "SQLite"))
		w.API.On("which", fakeapi.Use(call), fakeapi.Say("so be it"))
		w.delivered(t, m, s, a, "which")
		r := w.one(t)
		if !r.Questions[0].FreeText || len(r.Questions[0].Choices) != 3 { // the two, and "Chat about this"
			t.Errorf("asked: %+v", r.Questions[0])
		}
		w.reply(t, r, "2 flat files; -x")
		if got := s.WaitToolResult(t, call.ID); !strings.Contains(got.Text, "2 flat files; -x") {
			t.Errorf("the model was told %+v", got)
		}
		s.WaitStatus(t, "idle")
	})
	t.Run("several questions, one after the other", func(t *testing.T) {
		call := questions(question("Which DB?", false, "Postgres", "SQLite"), question("Which lang?", false, "Go", "Rust"))
		w.API.On("both", fakeapi.Use(call), fakeapi.Say("both it is"))
		w.delivered(t, m, s, a, "both")
		for _, choice := range []string{"SQLite", "Go", "Submit answers"} {
			r := w.one(t)
			w.reply(t, r, choice)
			w.settled(t, r.ID)
		}
		if got := s.WaitToolResult(t, call.ID); !strings.Contains(got.Text, "SQLite") || !strings.Contains(got.Text, "Go") {
			t.Errorf("the model was told %+v", got)
		}
	})
}
