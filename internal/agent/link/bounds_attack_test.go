package link

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
)

// However many agents and questions a host reports, this hub keeps no more than a
// machine can have.
func TestMemoryPerHostIsLimited(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	var events []nod.Event
	for i := range mostAgents + 20 {
		a := nod.Agent{ID: nod.AgentID(fmt.Sprintf("agent-%d", i)), State: nod.AgentIdle}
		events = append(events, nod.Event{Kind: nod.AgentChanged, Agent: &a})
	}
	huge := nod.Agent{ID: "agent-0", State: nod.AgentIdle, Prompt: strings.Repeat("x", mostRecord)}
	events = append(events, nod.Event{Kind: nod.AgentChanged, Agent: &huge})
	d.recounts("laptop", 0, events)
	told := nod.Seq(len(events))
	events = nil
	for i := range mostWaiting + 20 {
		id := nod.RequestID(fmt.Sprintf("request-%d", i))
		events = append(events, nod.Event{Kind: nod.RequestRaised, RequestID: id, Request: &nod.Request{ID: id, Agent: nod.AgentRef{ID: "agent-1"}, Kind: nod.KindQuestion, Title: "which?"}})
	}
	d.recounts("laptop", told, events)
	d.State(func(s *nod.State) {
		if len(s.Agents) != mostAgents || s.Agents["agent-0"].Prompt != "" {
			t.Errorf("%d agents, the first with %d bytes", len(s.Agents), len(s.Agents["agent-0"].Prompt))
		}
		if n := s.OpenOf("agent-1"); n != mostWaiting {
			t.Errorf("%d requests wait", n)
		}
	})
}

func TestPendingRequestsAreLimitedBySize(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	d.agent("mine", "laptop")
	input, err := json.Marshal(strings.Repeat("x", 15<<20))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 6 {
		r := nod.Request{ID: nod.RequestID(fmt.Sprintf("request-%d", i)), Agent: nod.AgentRef{ID: "mine"}, Kind: nod.KindApproval, Title: "Write", Input: input}
		if err := d.Driver.ask(t.Context(), "laptop", r); err != nil {
			t.Fatal(err)
		}
	}
	d.State(func(s *nod.State) {
		if n := s.OpenOf("mine"); n != 4 {
			t.Errorf("%d requests of 15 MB wait", n)
		}
	})
}

func TestConcurrentBatchesPerHostAreLimited(t *testing.T) {
	t.Parallel()
	var b busy
	var leave []func()
	for range mostAtOnce {
		done, ok := b.enter("laptop")
		if !ok {
			t.Fatal("no place")
		}
		leave = append(leave, done)
	}
	if _, ok := b.enter("laptop"); ok {
		t.Error("one too many")
	}
	if _, ok := b.enter("attic"); !ok {
		t.Error("another host pays for it")
	}
	for _, done := range leave {
		done()
	}
	if done, ok := b.enter("laptop"); !ok {
		t.Error("places are not given back")
	} else if done(); b.of["laptop"] != 0 {
		t.Error("it is remembered for ever")
	}
}

// Where a hook waits is for its own hub to say, not for a link that knows the id.
func TestLinkCannotHoldRequestsOfOthers(t *testing.T) {
	t.Parallel()
	drivers, _ := twoHubs(t)
	for id, of := range map[nod.AgentID]string{"here": "a", "mine": hub.Linked + "laptop"} {
		if err := drivers[0].Report(t.Context(), hub.Agent(id, func(a *nod.Agent, now time.Time) { a.Hub = of; a.Enter(nod.AgentWorking, now) })); err != nil {
			t.Fatal(err)
		}
	}
	r := nod.Request{ID: "0123456789abcdef", Agent: nod.AgentRef{ID: "here"}, Kind: nod.KindApproval, Title: "Run ls"}
	if _, err := drivers[0].Ask(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if _, err := drivers[1].Recall(t.Context(), r.ID); err != nil {
		t.Fatal(err)
	}
	r.Agent.ID = "mine"
	if err := drivers[1].ask(t.Context(), "laptop", r); err != nil {
		t.Fatal(err)
	}
	now, err := drivers[0].Recall(t.Context(), r.ID)
	if err != nil || !drivers[0].Held(now) {
		t.Errorf("its hook waits elsewhere: %+v, %v", now, err)
	}
}
