package hub_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/store/mem"
)

// byCommand judges a request by what it would run, as a policy does: rm
// destroys, and one rule of the person allows to drop a table.
type byCommand struct{}

func (byCommand) Judge(r *nod.Request, leases []*nod.Lease) hub.Judgement {
	switch {
	case bytes.Contains(r.Input, []byte("drop")):
		return hub.Judgement{Risk: &nod.Risk{Level: "destructive"}, Verdict: nod.VerdictAllow, Rule: "your allow rule"}
	case bytes.Contains(r.Input, []byte("rm")) && len(leases) > 0:
		return hub.Judgement{Risk: &nod.Risk{Level: "destructive"}, Verdict: nod.VerdictAllow, Rule: "your lease", Lease: leases[0].ID}
	case bytes.Contains(r.Input, []byte("rm")):
		return hub.Judgement{Risk: &nod.Risk{Level: "destructive", Reason: "deletes"}, Kind: []string{"Bash(rm:*)"}}
	case len(leases) > 0:
		return hub.Judgement{Risk: &nod.Risk{Level: "read"}, Verdict: nod.VerdictAllow, Lease: leases[0].ID}
	}
	return hub.Judgement{Risk: &nod.Risk{Level: "read"}, Kind: []string{"Bash(ls:*)"}}
}
func (byCommand) Check([]string) error { return nil }

func guarded(t *testing.T, levels ...string) *hub.Hub {
	t.Helper()
	return open(t, mem.New(), hub.Options{Policy: byCommand{}, Proof: levels})
}

func command(id, line string) nod.Request {
	r := request(id)
	input, _ := json.Marshal(map[string]string{"command": line})
	r.Title, r.Input, r.CanEdit, r.EditField, r.CanAlways = line, input, true, "command", true
	r.Options = []nod.Option{{ID: "rule", Kind: nod.OptionAlways, Label: "Bash(x:*)"}}
	return r
}

func TestAllowOfAListedRiskNeedsProof(t *testing.T) {
	device := nod.Actor{Kind: nod.ActorDevice, Name: "phone", ID: "t1", Via: "web", Rights: nod.RightsOf(nod.View, nod.Answering, nod.Admin)}
	for _, by := range []nod.Actor{device, anna} {
		h := guarded(t, "secret", "destructive")
		ask(t, h, command("rm", "rm -rf build"))
		ask(t, h, command("other", "rm -rf other"))
		for name, a := range map[string]nod.Answer{
			"plain":  {Verdict: nod.VerdictAllow},
			"always": {Verdict: nod.VerdictAllow, Remember: "rule"},
			"lease":  {Verdict: nod.VerdictAllow, Lease: &nod.Terms{Minutes: 5}},
			"edited": {Verdict: nod.VerdictAllow, Input: json.RawMessage(`"ls"`)},
		} {
			before, _ := h.Head()
			_, err := h.Desk(by).Decide(t.Context(), "rm", a)
			if nod.CodeOf(err) != nod.ProofNeeded || !strings.HasPrefix(nod.MessageOf(err), "Confirm with your passkey") {
				t.Errorf("%s, %s: %v", by.Name, name, err)
			}
			if err != nil && strings.Contains(nod.MessageOf(err), "browser") != (by.Kind == nod.ActorPerson) {
				t.Errorf("%s is told: %s", by.Name, nod.MessageOf(err))
			}
			if after, _ := h.Head(); after != before {
				t.Errorf("%s left something in the log", name)
			}
		}
		by.Proven = "other"
		if _, err := h.Desk(by).Decide(t.Context(), "rm", nod.Answer{Verdict: nod.VerdictAllow}); nod.CodeOf(err) != nod.ProofNeeded {
			t.Errorf("the proof of another request counts: %v", err)
		}
		by.Proven = "rm"
		if _, err := h.Desk(by).Decide(t.Context(), "other", nod.Answer{Verdict: nod.VerdictAllow}); nod.CodeOf(err) != nod.ProofNeeded {
			t.Errorf("the proof of another request counts: %v", err)
		}
		if _, err := h.Desk(by).Decide(t.Context(), "rm", nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
			t.Errorf("proven: %v", err)
		}
	}
}

func TestProofGivesNoRight(t *testing.T) {
	h := guarded(t, "destructive")
	ask(t, h, command("rm", "rm x"))
	screen := nod.Actor{Kind: nod.ActorDevice, Name: "screen", Proven: "rm", Rights: nod.RightsOf(nod.View)}
	if _, err := h.Desk(screen).Decide(t.Context(), "rm", nod.Answer{Verdict: nod.VerdictAllow}); nod.CodeOf(err) != nod.Forbidden {
		t.Error(err)
	}
}

func TestDenyAndStopNeedNoProof(t *testing.T) {
	h := guarded(t, "destructive")
	for id, a := range map[string]nod.Answer{"deny": {Verdict: nod.VerdictDeny}, "stop": {Verdict: nod.VerdictDeny, Stop: true, Message: "no"}} {
		ask(t, h, command(id, "rm x"))
		if _, err := h.Desk(anna).Decide(t.Context(), nod.RequestID(id), a); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
	ask(t, h, command("red", "rm x"))
	if n, err := h.Desk(anna).StopAll(t.Context()); err != nil || n.Requests != 1 {
		t.Errorf("%+v, %v", n, err)
	}
}

func TestOtherRisksNeedNoProof(t *testing.T) {
	h := guarded(t, "secret")
	ask(t, h, command("rm", "rm x"))
	plan := request("plan")
	plan.Kind, plan.Options = nod.KindPlan, []nod.Option{{ID: "default", Kind: nod.OptionMode}}
	ask(t, h, plan)
	off := guarded(t)
	ask(t, off, command("rm", "rm x"))
	for _, err := range []error{
		second(h.Desk(anna).Decide(t.Context(), "rm", nod.Answer{Verdict: nod.VerdictAllow})),
		second(h.Desk(anna).Decide(t.Context(), "plan", nod.Answer{Verdict: nod.VerdictAllow})),
		second(off.Desk(anna).Decide(t.Context(), "rm", nod.Answer{Verdict: nod.VerdictAllow})),
	} {
		if err != nil {
			t.Error(err)
		}
	}
}

func second(_ *nod.Request, err error) error { return err }

func TestEditedInputNeedsProof(t *testing.T) {
	h := guarded(t, "destructive")
	ask(t, h, command("ls", "ls"))
	edit := func(input string) error {
		return second(h.Desk(anna).Decide(t.Context(), "ls", nod.Answer{Verdict: nod.VerdictAllow, Input: json.RawMessage(input)}))
	}
	for _, input := range []string{`"rm -rf ~"`, `{"command":"rm -rf ~"}`} {
		if err := edit(input); nod.CodeOf(err) != nod.ProofNeeded {
			t.Errorf("a harmless request was edited into %s: %v", input, err)
		}
	}
	if err := edit(`"ls -l"`); err != nil {
		t.Error(err)
	}
}

func TestLateOrInvalidAnswerComesBeforeProof(t *testing.T) {
	h := guarded(t, "destructive")
	ask(t, h, command("rm", "rm x"))
	if err := second(h.Desk(anna).Decide(t.Context(), "rm", nod.Answer{Verdict: nod.VerdictAllow, Mode: "odd"})); nod.CodeOf(err) != nod.Unprocessable {
		t.Errorf("an answer that does not fit: %v", err)
	}
	if err := second(h.Desk(anna).Decide(t.Context(), "rm", nod.Answer{Verdict: nod.VerdictDeny})); err != nil {
		t.Fatal(err)
	}
	if err := second(h.Desk(anna).Decide(t.Context(), "rm", nod.Answer{Verdict: nod.VerdictAllow})); nod.CodeOf(err) != nod.Conflict {
		t.Errorf("a late answer: %v", err)
	}
}

func TestLeaseDoesNotReplaceProofButARuleDoes(t *testing.T) {
	for _, c := range []struct {
		levels []string
		line   string
		want   nod.Status
	}{
		{[]string{"destructive"}, "rm x", nod.Pending}, // the lease spells rm out, but no passkey was shown
		{[]string{"destructive"}, "ls", nod.Decided},   // what is harmless is the lease's
		{[]string{"secret"}, "rm x", nod.Decided},      // another level
		{nil, "rm x", nod.Decided},                     // off
		{[]string{"destructive"}, "drop", nod.Decided}, // a rule of nod.toml
	} {
		h := guarded(t, c.levels...)
		_, err := h.Desk(anna).Grant(t.Context(), nod.Lease{Rules: []string{"Bash(rm:*)"}, Until: time.Now().Add(time.Hour), Limit: 9})
		if err != nil {
			t.Fatal(err)
		}
		got := ask(t, h, command("r", c.line))
		if got.Status != c.want {
			t.Errorf("%v, %s: %s", c.levels, c.line, got.Status)
		}
		if got.Risk == nil || got.Status == nod.Pending && got.Risk.Reason == "" {
			t.Errorf("%v, %s: the risk is %+v", c.levels, c.line, got.Risk)
		}
	}
}
