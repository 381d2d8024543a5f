package uplink_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"nod"
)

// here waits until the host and its assistants are known elsewhere.
func (p *pair) here() {
	p.Helper()
	p.until(p.far, "that the host is here", func(s *nod.State) bool { h := s.Hosts["laptop"]; return h != nil && h.Up })
}

// A person at the hub opens a conversation with an assistant of the machine, speaks in it
// and ends it.
func TestConversationIsOpenedFromElsewhere(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.here()
	desk := p.far.Desk(person("anna"))
	list, err := desk.Assistants(t.Context())
	if i := slices.IndexFunc(list, func(a nod.Assistant) bool { return a.Name == "butler@laptop" }); err != nil || i < 0 || list[i].Host != "laptop" || list[i].About != "knows the laptop" {
		t.Fatalf("there is %+v, %v", list, err)
	}
	o := nod.Opening{ID: "talk-0001", Assistant: "butler@laptop", Room: "kitchen", User: "anna", Hints: "be brief", Context: time.Hour}
	for range 2 { // the second finds the first
		a, err := desk.Open(t.Context(), o)
		if err != nil || a.Hub != "link:laptop" || a.Host != "laptop" || a.Name != "butler" {
			t.Fatalf("%+v, %v", a, err)
		}
	}
	p.until(p.Hub, "the conversation", known(o.ID))
	p.Hub.Look(func(s *nod.State) {
		talk := s.Agents[o.ID].Talk
		if talk.Assistant != "butler" || talk.Room != "kitchen" || talk.User != "anna" || talk.Language != "pl" || talk.Hints != "be brief" || talk.Context != 3600 || s.Agents[o.ID].Cwd != "/home/anna" {
			t.Errorf("here: %+v %+v", s.Agents[o.ID], talk)
		}
	})
	p.until(p.far, "what it is there", func(s *nod.State) bool { return s.Agents[o.ID].Cwd == "/home/anna" })
	if a, err := desk.Open(t.Context(), o); err != nil || a.Talk.Assistant != "butler@laptop" {
		t.Errorf("opened again, after it came home: %+v, %v", a, err)
	}
	if _, err := desk.Say(t.Context(), nod.Message{ID: "message-1", Agent: o.ID, Text: "hello"}); err != nil {
		t.Fatal(err)
	}
	p.until(p.Hub, "the words", underway("message-1"))
	if err := desk.Leave(t.Context(), o.ID); err != nil {
		t.Fatal(err)
	}
	p.until(p.Hub, "its end", func(s *nod.State) bool { return !s.Agents[o.ID].Alive() })
}

// A conversation with an assistant that the machine does not have any more ends, and says
// why.
func TestConversationThatCannotBeOpened(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.here()
	desk := p.far.Desk(person("anna"))
	if _, err := desk.Open(t.Context(), nod.Opening{ID: "talk-0001", Assistant: "gone@laptop"}); err != nil {
		t.Fatal(err)
	}
	p.until(p.far, "its end", func(s *nod.State) bool { return !s.Agents["talk-0001"].Alive() })
	p.far.Look(func(s *nod.State) {
		if a := s.Agents["talk-0001"]; !strings.Contains(a.Problem, "no assistant") {
			t.Errorf("%+v", a)
		}
	})
	// An id that an agent here has already is no reason to end that one.
	p.agent("talk-0002")
	p.until(p.far, "the agent", known("talk-0002"))
	if _, err := desk.Open(t.Context(), nod.Opening{ID: "talk-0002", Assistant: "butler@laptop"}); nod.CodeOf(err) != nod.Conflict {
		t.Errorf("opened under another's name: %v", err)
	}
}

func TestAssistantsDisappearWithTheirMachine(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.here()
	p.Stop()
	p.until(p.far, "that the host is away", func(s *nod.State) bool { return !s.Hosts["laptop"].Up })
	desk := p.far.Desk(person("anna"))
	if list, err := desk.Assistants(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("there is %+v, %v", list, err)
	}
	_, err := desk.Open(t.Context(), nod.Opening{ID: "talk-0001", Assistant: "butler@laptop"})
	if nod.CodeOf(err) != nod.Unavailable || !strings.Contains(nod.MessageOf(err), "laptop is away") {
		t.Errorf("opened: %v", err)
	}
}

func TestOldHubGetsNoOffers(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.Stop()
	p.old.Store(true)
	p.start()
	p.agent("agent-1")
	p.until(p.far, "the agent", known("agent-1"))
	p.here()
	p.say("message-1", "hello")
	p.until(p.Hub, "the words", underway("message-1"))
}
