package e2e

import (
	"strings"
	"testing"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
)

// What provably only reads needs no person, what a rule forbids does not happen,
// and everything else is asked; all three are in the log with the rule.
func TestRulesAnswerForThePerson(t *testing.T) {
	t.Parallel()
	w := worldWithoutHub(t, rig.Options{})
	rules := "[policy]\nread_only = \"allow\"\ndeny = [\"Bash(python3 deploy.py:*)\"]\n"
	w.writeConfig(t, rules)
	w.startHub(t)
	harmless, forbidden := fakeapi.Bash("git --version"), fakeapi.Bash("python3 deploy.py --now")
	hidden := fakeapi.Bash(`git --version; python3 -c "print('sneaked in')"`)
	w.API.On("try all", fakeapi.Use(harmless), fakeapi.Use(forbidden), fakeapi.Use(hidden), fakeapi.Say("tried all"))
	s := w.StartTUI(t)
	s.Prompt(t, "try all")
	if got := s.WaitToolResult(t, harmless.ID); got.IsError || !strings.HasPrefix(got.Text, "git version") {
		t.Errorf("the harmless one: %+v", got)
	}
	if got := s.WaitToolResult(t, forbidden.ID); !got.IsError || !strings.Contains(got.Text, "python3 deploy.py") {
		t.Errorf("the forbidden one: %+v", got)
	}
	r := w.one(t) // the one that hides something behind the harmless one
	if r.Call != hidden.ID || r.Risk == nil || r.Risk.Level == "read" {
		t.Errorf("asked: %s, risk %+v", r.Title, r.Risk)
	}
	w.ok(t, "deny", string(r.ID), "-m", "no")
	s.WaitScreen(t, "tried all")
	list, err := w.client.Requests(t.Context(), clientAll)
	if err != nil || len(list) != 3 {
		t.Fatalf("%d requests, %v", len(list), err)
	}
	allowed, denied := list[2].Decision, list[1].Decision
	if allowed.Via != "policy" || allowed.Verdict != nod.VerdictAllow || denied.Via != "policy" || denied.Verdict != nod.VerdictDeny {
		t.Errorf("decided by %+v and %+v", allowed, denied)
	}
	w.reached(t, list[2].ID, nod.StepApplied)
	w.reached(t, list[1].ID, nod.StepApplied)
}
