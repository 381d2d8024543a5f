package link

import (
	"encoding/json"
	"strings"
	"testing"

	"nod"
	"nod/internal/agent/link/wire"
	"nod/internal/hub"
)

// recounts has a host say hello and tell events of its log, and words that failed there.
func (d *rig) recounts(host string, after nod.Seq, events []nod.Event, failed ...nod.Message) {
	d.Helper()
	if status, text := d.ask("POST", "/v1/link/hello", host, `{"version":"1","log":"log","pending":[]}`); status != 200 {
		d.Fatal(status, text)
	}
	f := wire.Facts{Log: "log", After: after, Upto: after + nod.Seq(len(events)), Events: []json.RawMessage{}, Failed: failed}
	for i := range events {
		events[i].Seq = after + nod.Seq(i) + 1
		body, err := json.Marshal(events[i])
		if err != nil {
			d.Fatal(err)
		}
		f.Events = append(f.Events, body)
	}
	body, err := json.Marshal(f)
	if err != nil {
		d.Fatal(err)
	}
	if status, text := d.ask("POST", "/v1/link/facts", host, string(body)); status != 200 {
		d.Fatal(status, text)
	}
}

func (d *rig) raise(id nod.RequestID, agent nod.AgentID) {
	d.Helper()
	if _, err := d.Ask(d.Context(), nod.Request{ID: id, Agent: nod.AgentRef{ID: agent}, Kind: nod.KindApproval, Title: "Run ls"}); err != nil {
		d.Fatal(err)
	}
}

// An event that names an agent of the link's own host reaches nothing of others by the
// ids inside it.
func TestLinkCannotTouchOthersByTheirIDs(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	d.agent("mine", "laptop")
	for id, host := range map[nod.AgentID]string{"attic": "attic", "here": ""} {
		d.agent(id, host)
		d.raise(nod.RequestID("of-"+id), id)
		d.say(nod.Message{ID: nod.MessageID("words-" + id), Agent: id, Text: "hello"})
	}
	head, _ := d.hub.Head()
	allow := nod.Answer{Verdict: nod.VerdictAllow}
	var events []nod.Event
	for _, other := range []string{"attic", "here"} {
		r, m := nod.RequestID("of-"+other), nod.MessageID("words-"+other)
		events = append(events,
			nod.Event{Kind: nod.RequestReceipt, AgentID: "mine", RequestID: r, Receipt: &nod.Receipt{Step: nod.StepApplied, Proof: "PostToolUse"}},
			nod.Event{Kind: nod.RequestDecided, AgentID: "mine", RequestID: r, Decision: &nod.Decision{Answer: allow, By: "anna"}},
			nod.Event{Kind: nod.RequestWithdrawn, AgentID: "mine", RequestID: r, Withdrawal: &nod.Withdrawal{Reason: nod.WithdrawnTerminal}},
			nod.Event{Kind: nod.RequestExpired, AgentID: "mine", RequestID: r},
			nod.Event{Kind: nod.MessageTyped, AgentID: "mine", Message: &nod.Message{ID: m}},
			nod.Event{Kind: nod.MessageDelivered, AgentID: "mine", Message: &nod.Message{ID: m}},
			nod.Event{Kind: nod.MessageFailed, AgentID: "mine", Message: &nod.Message{ID: m, Problem: "no"}},
			nod.Event{Kind: nod.TurnTaken, AgentID: "mine", Turn: &nod.Turn{Agent: nod.AgentID(other), Role: nod.TurnAgent, Text: "forged"}},
		)
	}
	d.recounts("laptop", 0, events, nod.Message{ID: "words-attic", Agent: "mine", Problem: "no"}, nod.Message{ID: "words-here", Agent: "mine", Problem: "no"})
	d.State(func(s *nod.State) {
		for _, other := range []string{"attic", "here"} {
			r := s.Requests[nod.RequestID("of-"+other)]
			if _, forged := r.Receipt(nod.StepApplied); r.Status != nod.Pending || forged {
				t.Errorf("the request of %s is %s, applied: %v", other, r.Status, forged)
			}
			if m := s.Messages[nod.MessageID("words-"+other)]; m.Status != nod.Queued {
				t.Errorf("the words for %s are %s", other, m.Status)
			}
		}
	})
	for e, err := range d.Follow(t.Context(), head) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == nod.TurnTaken {
			t.Errorf("a turn of %s, told by the laptop", e.Turn.Agent)
		}
		if now, _ := d.hub.Head(); e.Seq >= now {
			break
		}
	}
}

// An agent with an empty id would be all agents.
func TestAgentWithAnEmptyIDIsRefused(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	d.agent("here", "")
	d.raise("of-here", "here")
	d.say(nod.Message{ID: "words-here", Agent: "here", Text: "hello"})
	d.recounts("laptop", 0, []nod.Event{
		{Kind: nod.AgentChanged, Agent: &nod.Agent{Name: "nobody", State: nod.AgentWorking}},
		{Kind: nod.AgentChanged, Agent: &nod.Agent{Name: "nobody", State: nod.AgentEnded}},
		{Kind: nod.AgentChanged, Agent: &nod.Agent{Name: "nobody", State: nod.AgentWorking}},
		{Kind: nod.AgentChanged, Agent: &nod.Agent{ID: nod.AgentID(strings.Repeat("x", 1000)), Name: "long", State: nod.AgentWorking}},
		{Kind: nod.AgentChanged, Agent: &nod.Agent{ID: "two\nlines", Name: "odd", State: nod.AgentWorking}},
	})
	if status, text := d.ask("POST", "/v1/link/standing", "laptop", `{"log":"log","after":5,"upto":9,"orders":0,"events":[],"agents":[],"requests":[],"messages":[],"done":true}`); status != 200 {
		t.Fatal(status, text)
	}
	d.State(func(s *nod.State) {
		if r, m := s.Requests["of-here"], s.Messages["words-here"]; r.Status != nod.Pending || m.Status != nod.Queued {
			t.Errorf("the hub's own request is %s, its words are %s", r.Status, m.Status)
		}
		if len(s.Agents) != 1 {
			t.Errorf("%d agents", len(s.Agents))
		}
	})
}

// Asking a request again says where its hook waits: only its own agent may do that.
func TestLinkCannotRepeatRequestsOfOthers(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	d.agent("mine", "laptop")
	d.agent("here", "")
	d.raise("0123456789abcdef", "here")
	head, _ := d.hub.Head()
	ask := func(id nod.RequestID) nod.Event {
		return nod.Event{Kind: nod.RequestRaised, AgentID: "mine", RequestID: id, Request: &nod.Request{ID: id, Agent: nod.AgentRef{ID: "mine"}, Kind: nod.KindApproval, Title: "Run rm"}}
	}
	d.recounts("laptop", 0, []nod.Event{ask("0123456789abcdef"), ask(""), ask(nod.RequestID(strings.Repeat("a", 1000))), ask("two\nlines")})
	for e, err := range d.Follow(t.Context(), head) {
		if err != nil {
			t.Fatal(err)
		}
		if e.RequestID != "" || e.Kind == nod.RequestRaised {
			t.Errorf("%s of %q", e.Kind, e.RequestID)
		}
		if now, _ := d.hub.Head(); e.Seq >= now {
			break
		}
	}
}

// A link must not change what the hubs of the log report about themselves.
func TestLinkCannotChangeHubs(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	err := d.Report(t.Context(), hub.Fact(changed("hub/one", func(h *nod.Host) { h.Name, h.Hub, h.Up = "server", "one", true })))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/v1/link/hello", "/v1/link/offer"} {
		body := `{"version":"1","log":"log","pending":[]}`
		if strings.HasSuffix(path, "offer") {
			body = `{"assistants":[]}`
		}
		if status, _ := d.ask("POST", path, "hub/one", body); status != 403 {
			t.Errorf("%s: %d", path, status)
		}
	}
}

// A pending decision is sent once, however often the link says hello.
func TestHelloSendsADecisionOnce(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	d.agent("mine", "laptop")
	d.raise("of-mine", "mine")
	by := nod.Actor{Kind: nod.ActorPerson, Name: "anna", Via: "web", Rights: nod.RightsOf(nod.View, nod.Answering)}
	if _, err := d.hub.Desk(by).Decide(t.Context(), "of-mine", nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
		t.Fatal(err)
	}
	_, text := d.ask("POST", "/v1/link/hello", "laptop", `{"version":"1","log":"log","pending":["of-mine"`+strings.Repeat(`,"of-mine"`, 1000)+`]}`)
	var w wire.Welcome
	if err := json.Unmarshal([]byte(text), &w); err != nil || len(w.Decided) != 1 {
		t.Errorf("%d decisions, %v", len(w.Decided), err)
	}
}
