package hub_test

import (
	"testing"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/store/mem"
)

type byTitle map[string]hub.Judgement

func (p byTitle) Judge(r *nod.Request, _ []*nod.Lease) hub.Judgement { return p[r.Title] }
func (p byTitle) Check([]string) error                               { return nil }

func TestPolicyAnswersInTheSameCommit(t *testing.T) {
	risk := &nod.Risk{Level: "read", Reason: "lists files"}
	h := open(t, mem.New(), hub.Options{Policy: byTitle{
		"ls":    {Risk: risk, Verdict: nod.VerdictAllow, Rule: "read-only: ls"},
		"rm":    {Risk: &nod.Risk{Level: "destructive"}, Verdict: nod.VerdictDeny, Rule: "your rule", Message: "never here"},
		"think": {Risk: &nod.Risk{Level: "unknown"}},
		"wrong": {Verdict: "perhaps", Rule: "broken"},
	}})
	for i, c := range []struct {
		title  string
		kind   nod.RequestKind
		status nod.Status
		by     string
	}{
		{"ls", nod.KindApproval, nod.Decided, "read-only: ls"},
		{"rm", nod.KindApproval, nod.Decided, "your rule"},
		{"think", nod.KindApproval, nod.Pending, ""},
		{"wrong", nod.KindApproval, nod.Pending, ""},
		{"ls", nod.KindPlan, nod.Pending, ""}, // a plan is a person's, whatever it is called
	} {
		r := request(string(rune('a' + i)))
		r.Title, r.Kind = c.title, c.kind
		before, _ := h.Head()
		got := ask(t, h, r)
		if got.Status != c.status {
			t.Errorf("%s is %s", c.title, got.Status)
		}
		if c.by == "" {
			continue
		}
		if got.Decision.By != c.by || got.Decision.Via != "policy" {
			t.Errorf("%s was decided by %+v", c.title, got.Decision)
		}
		es, err := h.Desk(anna).Log(t.Context(), before, 10)
		if err != nil || len(es) != 2 || es[1].Kind != nod.RequestDecided || es[1].By.Kind != nod.ActorPolicy {
			t.Errorf("%s left %d events, %v", c.title, len(es), err)
		}
		_, err = h.Desk(anna).Decide(t.Context(), got.ID, nod.Answer{Verdict: nod.VerdictDeny})
		if nod.CodeOf(err) != nod.Conflict {
			t.Errorf("a person answered what was answered: %v", err)
		}
	}
	if r, _ := h.Desk(anna).Request(t.Context(), "a"); r.Risk == nil || r.Risk.Reason != "lists files" {
		t.Errorf("the badge is %+v", r.Risk)
	}
}

// A rule for the input says nothing about a dialog that may be about something else.
func TestNoRuleAnswersWhatIsUnsure(t *testing.T) {
	for _, verdict := range []nod.Verdict{nod.VerdictAllow, nod.VerdictDeny} {
		h := open(t, mem.New(), hub.Options{Policy: byTitle{"ls": {Risk: &nod.Risk{Level: "read"}, Verdict: verdict, Rule: "read-only: ls", Kind: []string{"Bash(ls:*)"}}}})
		r := request("a")
		r.Title, r.Unsure = "ls", true
		if got := ask(t, h, r); got.Settled() || got.Risk == nil || got.Risk.Level != "unknown" || got.Risk.Reason != hub.UnsureReason || len(got.Options) != len(r.Options) {
			t.Errorf("%s: %+v, risk %+v", verdict, got, got.Risk)
		}
	}
}
