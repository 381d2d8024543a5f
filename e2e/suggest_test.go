package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
)

// "You allowed 5 of these; make a rule?" The rule is tried against the past,
// written into nod.toml, and counts at once.
func TestARuleIsSuggestedAndMade(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	if err := os.WriteFile(filepath.Join(w.Dir, "check.sh"), []byte("#!/bin/sh\necho checked $1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if out := w.ok(t, "policy", "suggest"); !strings.Contains(out, "No rule stands out") {
		t.Errorf("before anything was decided: %s", out)
	}
	var steps []fakeapi.Step
	for i := range 5 {
		steps = append(steps, fakeapi.Use(fakeapi.Bash(fmt.Sprint("./check.sh ", i))))
	}
	w.API.On("check", append(steps, fakeapi.Say("checked five"))...)
	s := w.StartTUI(t)
	s.Prompt(t, "check")
	for range 5 {
		r := w.one(t)
		w.answer(t, r, nod.Answer{Verdict: nod.VerdictAllow})
		w.settled(t, r.ID)
	}
	s.WaitScreen(t, "checked five")
	if out := w.ok(t, "policy", "suggest"); !strings.Contains(out, "Bash(./check.sh:*)") || !strings.Contains(out, "5") {
		t.Fatalf("suggested: %s", out)
	}
	// What would the rule have done? Nothing is changed by asking.
	trial := filepath.Join(w.Dir, "trial.toml")
	if err := os.WriteFile(trial, []byte("[policy]\nallow = [\"Bash(./check.sh:*)\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := w.ok(t, "policy", "replay", "--config", trial); !strings.Contains(out, "Allowed without asking: 5") {
		t.Errorf("replayed: %s", out)
	}
	if out := w.ok(t, "policy", "replay"); !strings.Contains(out, "5 would be decided as they were") {
		t.Errorf("replayed with the rules in force: %s", out)
	}
	w.ok(t, "policy", "suggest", "--save", "1")
	text, err := os.ReadFile(filepath.Join(w.data, "nod.toml"))
	if err != nil || !strings.Contains(string(text), `"Bash(./check.sh:*)"`) {
		t.Errorf("nod.toml: %s, %v", text, err)
	}
	sixth := fakeapi.Bash("./check.sh six")
	w.API.On("once more", fakeapi.Use(sixth), fakeapi.Say("and six"))
	s.Prompt(t, "once more")
	if got := s.WaitToolResult(t, sixth.ID); strings.TrimSpace(got.Text) != "checked six" {
		t.Errorf("the sixth: %+v", got)
	}
	list, err := w.client.Requests(t.Context(), clientAll)
	if err != nil || !list[0].Decision.Automatic() {
		t.Errorf("the sixth was decided by %+v, %v", list[0].Decision, err)
	}
}
