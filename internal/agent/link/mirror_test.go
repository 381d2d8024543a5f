package link

import (
	"fmt"
	"testing"

	"nod"
)

// Which agent an event is about counts, not the name in it.
func TestLinkReportsOnlyItsOwnAgents(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	d.agent("agent-laptop", "laptop")
	d.agent("agent-attic", "attic")
	if _, err := d.Ask(t.Context(), nod.Request{ID: "of-attic", Agent: nod.AgentRef{ID: "agent-attic", Host: "attic"}, Kind: nod.KindApproval, Title: "Run ls"}); err != nil {
		t.Fatal(err)
	}
	d.say(nod.Message{ID: "message-1", Agent: "agent-attic", Text: "hello"})
	d.hello("laptop")
	before := d.head()
	d.told("laptop", 9, `{"seq":1,"kind":"turn.taken","agent_id":"agent-laptop","turn":{"agent":"agent-attic","role":"replied","text":"forged"}}`,
		`{"seq":2,"kind":"request.withdrawn","request_id":"of-attic","agent_id":"agent-laptop","withdrawal":{"reason":"ended"}}`,
		`{"seq":3,"kind":"request.decided","request_id":"of-attic","agent_id":"agent-laptop","decision":{"verdict":"allow","by":"anna"}}`,
		`{"seq":4,"kind":"request.receipt","request_id":"of-attic","agent_id":"agent-laptop","receipt":{"step":"applied"}}`,
		`{"seq":5,"kind":"message.delivered","agent_id":"agent-laptop","message":{"id":"message-1","agent":"agent-laptop"}}`)
	if after := d.head(); after != before+1 {
		t.Errorf("%d events came into the log; want the one that says how far it was heard", after-before)
	}
	d.State(func(s *nod.State) {
		if r := s.Requests["of-attic"]; r.Status != nod.Pending || s.Messages["message-1"].Status != nod.Queued {
			t.Errorf("of the attic: %s, %s", r.Status, s.Messages["message-1"].Status)
		}
	})
}

// A machine was away for so long that the hub has the request in its log only, and its
// agent perhaps not at all.
func TestLateReports(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	d.agent("agent-laptop", "laptop")
	by := nod.Actor{Kind: nod.ActorPerson, Name: "anna", Via: "web", Rights: nod.RightsOf(nod.View, nod.Answering)}
	ask := func(id nod.RequestID) {
		t.Helper()
		if _, err := d.Ask(t.Context(), nod.Request{ID: id, Agent: nod.AgentRef{ID: "agent-laptop", Host: "laptop"}, Kind: nod.KindApproval, Title: "Run ls"}); err != nil {
			t.Fatal(err)
		}
		if _, err := d.hub.Desk(by).Decide(t.Context(), id, nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
			t.Fatal(err)
		}
	}
	ask("request-denied-there")
	ask("request-as-decided")
	for n := range 201 {
		ask(nod.RequestID(fmt.Sprintf("request-since-%03d", n)))
	}
	d.State(func(s *nod.State) {
		if s.Requests["request-denied-there"] != nil {
			t.Fatal("it is still at hand")
		}
	})
	d.hello("laptop")
	d.told("laptop", 9, `{"seq":1,"kind":"request.decided","request_id":"request-denied-there","agent_id":"agent-laptop","decision":{"verdict":"deny","by":"bert"}}`,
		`{"seq":2,"kind":"request.decided","request_id":"request-as-decided","agent_id":"agent-laptop","decision":{"verdict":"allow","by":"anna"}}`,
		`{"seq":3,"kind":"request.receipt","request_id":"request-as-decided","agent_id":"agent-laptop","receipt":{"step":"delivered"}}`,
		`{"seq":4,"kind":"request.receipt","request_id":"request-never-heard-of","agent_id":"agent-laptop","receipt":{"step":"delivered"}}`)
	for id, want := range map[nod.RequestID]nod.Step{"request-denied-there": nod.StepOverruled, "request-as-decided": nod.StepDelivered} {
		r, err := d.hub.Desk(by).Request(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if _, proven := r.Receipt(want); !proven {
			t.Errorf("%s: %+v; want %s", id, r.Receipts, want)
		}
	}
}
