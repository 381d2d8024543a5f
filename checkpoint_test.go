package nod

import (
	"crypto/ed25519"
	"encoding/json"
	"testing"
	"time"
)

func TestACheckpointIsSigned(t *testing.T) {
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	s := NewState()
	s.Seq, s.Hash = 7, Chain(Hash{}, []byte("seven"))
	s.Agents["a"] = &Agent{ID: "a", Name: "<żółw>"}
	c, err := NewCheckpoint(s, time.Date(2026, 3, 1, 7, 0, 0, 5, time.FixedZone("", 3600)), key)
	if err != nil || c.Verify() != nil {
		t.Fatal(err, c.Verify())
	}
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	var back Checkpoint
	if err := json.Unmarshal(text, &back); err != nil || back.Verify() != nil {
		t.Fatal(err, back.Verify())
	}
	if base := back.Base(); base.Seq != 7 || base.Hash != s.Hash || base.Agents["a"].Name != "<żółw>" {
		t.Errorf("%+v", base)
	}
	for name, change := range map[string]func(*Checkpoint){
		"seq":   func(c *Checkpoint) { c.Seq++ },
		"hash":  func(c *Checkpoint) { c.Hash[0]++ },
		"time":  func(c *Checkpoint) { c.At = c.At.Add(1) },
		"state": func(c *Checkpoint) { c.State = []byte(`{}`) },
		"key":   func(c *Checkpoint) { c.Key = nil },
		"other key": func(c *Checkpoint) {
			c.Key = ed25519.NewKeyFromSeed([]byte("another seed of thirty-two bytes")).Public().(ed25519.PublicKey)
		},
	} {
		changed := c
		change(&changed)
		if CodeOf(changed.Verify()) != Conflict {
			t.Errorf("%s was changed, and nobody notices", name)
		}
	}
}

func TestCheckpointOfAnotherVersionIsOnlyAPosition(t *testing.T) {
	c := Checkpoint{Seq: 7, Hash: Chain(Hash{}, nil), State: []byte(`{"version":1,"seq":7}`)}
	if s := c.Base(); !s.Current() || s.Seq != 7 || s.Hash != c.Hash || len(s.Agents) != 0 {
		t.Errorf("%+v", s)
	}
	if s := (&Checkpoint{}).Base(); s.Seq != 0 || !s.Current() {
		t.Errorf("a whole log begins with %+v", s)
	}
}
