package nod

import (
	"encoding/json"
	"testing"
	"time"
)

func TestAgentNumbersAreNeverGivenTwice(t *testing.T) {
	s := NewState()
	seen := func(id string, at AgentState) int {
		s.Apply(&Event{Kind: AgentChanged, Agent: &Agent{ID: AgentID(id), State: at}})
		return s.NumberOf(AgentID(id))
	}
	if a, b := seen("a", AgentIdle), seen("b", AgentIdle); a != 1 || b != 2 {
		t.Errorf("the first two are %d and %d", a, b)
	}
	if a := seen("a", AgentEnded); a != 1 {
		t.Errorf("an agent that ended is %d", a)
	}
	for i := range keepEnded + 1 { // the first is forgotten
		seen(time.Unix(int64(i), 0).String(), AgentEnded)
	}
	if n := s.NumberOf("a"); n != 0 || len(s.Numbers) != len(s.Agents) {
		t.Errorf("forgotten: %d, and %d numbers for %d agents", n, len(s.Numbers), len(s.Agents))
	}
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var back State
	if err := json.Unmarshal(text, &back); err != nil || !back.Current() || back.NumberOf("b") != 2 {
		t.Errorf("after a restart b is %d, %v", back.NumberOf("b"), err)
	}
	s = back
	if n := seen("a", AgentIdle); n != keepEnded+4 {
		t.Errorf("seen again after it was forgotten, it is %d", n)
	}
}

// A pruned log of an older nod begins with a state that has no numbers yet.
func TestOldCheckpointsGetNumbers(t *testing.T) {
	c := Checkpoint{Seq: 7, Hash: Chain(Hash{}, nil)}
	s := NewState()
	s.Seq, s.Hash, s.Version = c.Seq, c.Hash, 3
	s.Agents["old"] = &Agent{ID: "old", Started: time.Unix(1, 0)}
	s.Agents["new"] = &Agent{ID: "new", Started: time.Unix(2, 0)}
	var err error
	if c.State, err = json.Marshal(s); err != nil {
		t.Fatal(err)
	}
	base := c.Base()
	if !base.Current() || base.NumberOf("old") != 1 || base.NumberOf("new") != 2 || base.Numbered != 2 {
		t.Errorf("%+v", base)
	}
}
