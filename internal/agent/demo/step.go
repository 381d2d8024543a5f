package demo

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/present/words"
)

// scene is one task of an agent.
type scene struct {
	prompt string // what a person is supposed to have asked for
	mode   string // the permission mode it begins in; empty: default
	steps  []step
}

// step is one thing in a scene.
type step func(ctx context.Context, t *thread) error

// work shows the agent at a tool that needs no permission.
func work(d time.Duration, tool, what string) step {
	return func(ctx context.Context, t *thread) error {
		t.report(t.life, t.doing(tool+": "+what))
		if err := t.rest(ctx, d); err != nil {
			return err
		}
		t.report(t.life, t.turn(nod.TurnTool, tool, what))
		return nil
	}
}

// think shows the agent at work on nothing in particular.
func think(d time.Duration) step {
	return func(ctx context.Context, t *thread) error {
		t.report(t.life, t.doing(""))
		return t.rest(ctx, d)
	}
}

// reply is the end of a turn.
func reply(text string) step {
	return func(ctx context.Context, t *thread) error {
		if err := t.rest(ctx, time.Second); err != nil {
			return err
		}
		t.report(t.life, t.turn(nod.TurnAgent, "", text))
		return nil
	}
}

// helper does steps in a subagent, which asks in the agent's name.
func helper(kind string, steps ...step) step {
	return func(ctx context.Context, t *thread) error {
		inside := *t
		inside.who = &nod.Subagent{ID: newID(), Type: kind}
		t.report(t.life, hub.Agent(t.id, func(g *nod.Agent, now time.Time) {
			g.Subagents = append(g.Subagents, nod.Subagent{ID: inside.who.ID, Type: kind, Since: now})
		}))
		defer t.report(t.life, hub.Agent(t.id, func(g *nod.Agent, _ time.Time) {
			g.Subagents = slices.DeleteFunc(g.Subagents, func(s nod.Subagent) bool { return s.ID == inside.who.ID })
		}))
		for _, s := range steps {
			if err := s(ctx, &inside); err != nil {
				return err
			}
		}
		return nil
	}
}

// together does steps at the same time. One that was refused leaves the others
// alone; one that was stopped stops them all.
func together(steps ...step) step {
	return func(ctx context.Context, t *thread) error {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		results := make([]error, len(steps))
		var all sync.WaitGroup
		for i, s := range steps {
			all.Go(func() {
				if results[i] = s(ctx, t); errors.Is(results[i], errHalt) {
					stop()
				}
			})
		}
		all.Wait()
		err := errors.Join(results...)
		if errors.Is(err, errHalt) {
			return errHalt
		}
		return err
	}
}

// later does a step after a while.
func later(d time.Duration, s step) step {
	return func(ctx context.Context, t *thread) error {
		if err := t.rest(ctx, d); err != nil {
			return err
		}
		return s(ctx, t)
	}
}

// trouble is a state in which the agent can do nothing for a while.
func trouble(s nod.AgentState, d time.Duration, problem words.Message) step {
	return func(ctx context.Context, t *thread) error {
		why := t.say.Say(problem)
		t.feel(s)
		t.report(t.life, hub.Agent(t.id, func(g *nod.Agent, now time.Time) {
			g.Enter(s, now)
			g.Tool, g.Problem = "", why
			if s == nod.AgentLimited {
				until := now.Add(t.scaled(d))
				g.Until = &until
			}
		}), t.turn(nod.TurnSystem, "", why))
		err := t.rest(ctx, d)
		t.feel("")
		t.report(t.life, t.doing(""))
		return err
	}
}
