package hub

import (
	"context"
	"strings"
	"time"

	"nod"
)

// keys are what can be pressed for an agent, and the ability that each takes.
var keys = [...]struct {
	name string
	can  nod.Ability
}{{"background", nod.CanBackground}, {"mode", nod.CanMode}}

// Keys lists the names of the keys that Press takes.
func Keys() []string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.name
	}
	return names
}

// Press presses a key of an agent's terminal. When it returns that is on disk;
// the agent's driver follows the log and presses. A key is for now: one that
// cannot be pressed within seconds is not pressed later, and the conversation
// says why.
func (d Desk) Press(ctx context.Context, id nod.AgentID, key string) error {
	if err := d.require(ctx, nod.Answering, "press a key of agent "+string(id)); err != nil {
		return err
	}
	can, err := keyNamed(key)
	if err != nil {
		return err
	}
	return d.hub.writer.commit(ctx, func(s *nod.State, _ time.Time) ([]nod.Event, error) {
		if err := pressable(s, id, can); err != nil {
			return nil, err
		}
		by := d.by
		return []nod.Event{{Kind: nod.KeyPressed, AgentID: id, By: &by, Note: key}}, nil
	})
}

func keyNamed(name string) (nod.Ability, error) {
	for _, k := range keys {
		if k.name == name {
			return k.can, nil
		}
	}
	return "", nod.Errorf(nod.Invalid, "there is no key %q; there is: %s", nod.Fold(nod.OneLine(name), 40), strings.Join(Keys(), ", "))
}

func pressable(s *nod.State, id nod.AgentID, can nod.Ability) error {
	a, ok := s.Agents[id]
	switch {
	case !ok:
		return nod.Errorf(nod.NotFound, "there is no agent %q; `nod agents` lists them", id)
	case !a.Alive():
		return nod.Errorf(nod.Unreachable, "%s has ended: there is no terminal to press a key in", a.Name)
	case s.Away(id) != nil:
		return nod.Errorf(nod.Unreachable, "%s is on %s, which is away: a key is for now, and would be pressed too late", a.Name, s.Away(id).Name)
	case !a.Able(can):
		return nod.Errorf(nod.Unreachable, "nod cannot press keys in the terminal of %s: press it there", a.Name)
	}
	return nil
}

// Unpressed reports that a key was not pressed, or did nothing, and why: a notice
// in the conversation that names the key.
func Unpressed(id nod.AgentID, key, why string) Fact {
	return Said(nod.Turn{Agent: id, Role: nod.TurnSystem, Tool: key, Text: why})
}
