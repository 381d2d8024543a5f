package hub_test

import (
	"context"
	"crypto/ed25519"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/hubtest"
	"nod/internal/hub/store/mem"
	"nod/internal/hub/store/sqlite"
)

// cut is a log whose beginning was taken out, and a saved state that may be of any
// use or none.
type cut struct {
	*mem.Store
	base   nod.Checkpoint
	saved  nod.State
	broken bool // what is kept was changed
}

func (c *cut) Base(context.Context) (nod.Checkpoint, error) { return c.base, nil }

func (c *cut) Load(context.Context) (nod.State, error) { return c.saved, nil }

func (c *cut) Read(ctx context.Context, after nod.Seq, limit int) ([]nod.Event, error) {
	if after < c.base.Seq {
		return nil, nod.Errorf(nod.Gone, "event %d is no longer there", after+1)
	}
	es, err := c.Store.Read(ctx, after, limit)
	if c.broken && len(es) > 0 {
		es[0].Hash[0] ^= 1
	}
	return es, err
}

// pruned is a log with an agent from before the cut and one from after it, and its
// states at the beginning, at the cut and at the end.
func pruned(t *testing.T) (c *cut, states [3]nod.State) {
	t.Helper()
	s := mem.New()
	g := hubtest.New(t, hubtest.Options{Store: s})
	for i, id := range []nod.AgentID{"older", "newer"} {
		g.Hub.Look(func(s *nod.State) { states[i] = s.Clone() })
		g.Agent(id, nod.AgentIdle)
	}
	g.Hub.Look(func(s *nod.State) { states[2] = s.Clone() })
	g.Close()
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	base, err := nod.NewCheckpoint(states[1], time.Now(), key)
	if err != nil {
		t.Fatal(err)
	}
	return &cut{Store: s, base: base}, states
}

func TestPrunedLogBeginsAtItsCheckpoint(t *testing.T) {
	for name, saved := range map[string]func(states [3]nod.State) nod.State{
		"nothing was saved":                 func([3]nod.State) nod.State { return nod.State{} },
		"the newest was saved":              func(s [3]nod.State) nod.State { return s[2] },
		"it is of another version":          func(s [3]nod.State) nod.State { s[2].Version = 99; return s[2] },
		"it is of another log":              func(s [3]nod.State) nod.State { s[1].Hash[0] ^= 1; return s[1] },
		"the log was pruned in this moment": func(s [3]nod.State) nod.State { return s[0] },
		"it knows more than the log":        func(s [3]nod.State) nod.State { s[2].Seq += 9; return s[2] },
	} {
		t.Run(name, func(t *testing.T) {
			c, states := pruned(t)
			c.saved = saved(states)
			open(t, c).Look(func(s *nod.State) {
				if s.Agents["older"] == nil || s.Agents["newer"] == nil || s.Seq != states[2].Seq+1 {
					t.Errorf("agents %v at event %d", s.Agents, s.Seq)
				}
			})
		})
	}
}

// Damage is reported as damage, not as gone.
func TestDamagedPrunedLog(t *testing.T) {
	for name, at := range map[string]int{"with the state of its checkpoint": 1, "with none that can be used": 0} {
		c, states := pruned(t)
		c.saved, c.broken = states[at], true
		_, err := hub.Open(t.Context(), c, hub.Options{})
		if nod.CodeOf(err) != nod.Internal || !strings.Contains(nod.MessageOf(err), "damaged") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The same with a real file, whose state is of a future release.
func TestPrunedFileWithAStateOfAnotherRelease(t *testing.T) {
	s, err := sqlite.Open(t.Context(), t.TempDir()+"/nod.db")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	c, states := pruned(t)
	es, err := c.Store.Read(t.Context(), 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Append(t.Context(), 0, es); err != nil {
		t.Fatal(err)
	}
	if err := s.Prune(t.Context(), c.base); err != nil {
		t.Fatal(err)
	}
	states[2].Version = 99
	if err := s.Save(t.Context(), states[2]); err != nil {
		t.Fatal(err)
	}
	h := open(t, s)
	h.Look(func(s *nod.State) {
		if s.Agents["older"] == nil || s.Agents["newer"] == nil {
			t.Errorf("agents %v", s.Agents)
		}
	})
}
