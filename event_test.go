package nod

import (
	"encoding/json"
	"testing"
	"time"
)

func chain(t *testing.T, n int) []Event {
	t.Helper()
	var prev Hash
	events := make([]Event, n)
	for i := range events {
		events[i] = Event{Seq: Seq(i + 1), At: time.Unix(int64(i), 0).UTC(), Kind: HubStarted, Note: "é <&>"}
		if err := events[i].Seal(prev); err != nil {
			t.Fatal(err)
		}
		prev = events[i].Hash
	}
	return events
}

func verify(events []Event) error {
	var seq Seq
	var hash Hash
	for i := range events {
		if err := events[i].Verify(seq, hash); err != nil {
			return err
		}
		seq, hash = events[i].Seq, events[i].Hash
	}
	return nil
}

func TestTheChainShowsEveryChange(t *testing.T) {
	if err := verify(chain(t, 5)); err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]func(es []Event) []Event{
		"one byte":          func(es []Event) []Event { es[2].body[10] ^= 1; return es },
		"a removed event":   func(es []Event) []Event { return append(es[:2], es[3:]...) },
		"two swapped":       func(es []Event) []Event { es[1], es[2] = es[2], es[1]; return es },
		"a forged hash":     func(es []Event) []Event { es[4].Hash[0] ^= 1; return es },
		"the first removed": func(es []Event) []Event { return es[1:] },
	} {
		if verify(damage(chain(t, 5))) == nil {
			t.Errorf("%s was not noticed", name)
		}
	}
}

func TestUnsealKeepsTheBytes(t *testing.T) {
	e := chain(t, 1)[0]
	back, err := Unseal(e.Body(), e.Hash)
	if err != nil {
		t.Fatal(err)
	}
	if err := back.Verify(0, Hash{}); err != nil {
		t.Error(err)
	}
	again, err := json.Marshal(&back)
	if err != nil || string(again) != string(e.Body()) {
		t.Errorf("%s\n%s", again, e.Body())
	}
}

func FuzzUnseal(f *testing.F) {
	f.Add([]byte(`{"seq":1,"kind":"request.raised","request":{"id":"a"}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		e, err := Unseal(body, Hash{})
		if err != nil {
			return
		}
		// Whatever a log holds, reading it must not bring the house down.
		s := NewState()
		s.Apply(&e)
		_ = s.Snapshot()
	})
}

func TestStateSurvivesJSON(t *testing.T) {
	s := NewState()
	r := Request{ID: "r1", Agent: AgentRef{ID: "a1"}, Status: Pending}
	for i, e := range []Event{
		{Kind: AgentChanged, AgentID: "a1", Agent: &Agent{ID: "a1", State: AgentWorking}},
		{Kind: RequestRaised, RequestID: "r1", AgentID: "a1", Request: &r},
		{Kind: RequestDecided, RequestID: "r1", AgentID: "a1", Decision: &Decision{Answer: Answer{Verdict: VerdictAllow}, By: "anna"}},
		{Kind: RequestDecided, RequestID: "r1", AgentID: "a1", Decision: &Decision{Answer: Answer{Verdict: VerdictDeny}, By: "ben"}},
	} {
		e.Seq = Seq(i + 1)
		s.Apply(&e)
	}
	if got := s.Requests["r1"].Decision.By; got != "anna" {
		t.Errorf("the second answer won: %s", got)
	}
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var back State
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	if back.Seq != 4 || back.Requests["r1"].Status != Decided || back.OpenOf("a1") != 0 || len(back.Settled) != 1 {
		t.Errorf("%s", b)
	}
}

func TestStateForgetsTheOldest(t *testing.T) {
	s := NewState()
	for i := range keepSettled + 10 {
		id := RequestID(rune('a'+i%26)) + RequestID(time.Duration(i).String())
		s.Apply(&Event{Kind: RequestRaised, RequestID: id, Request: &Request{ID: id, Status: Pending}})
		s.Apply(&Event{Kind: RequestExpired, RequestID: id})
	}
	if len(s.Requests) != keepSettled {
		t.Errorf("%d requests kept", len(s.Requests))
	}
}
