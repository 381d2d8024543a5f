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

// task is one task of an agent.
type task struct {
	prompt string // the prompt that the task pretends to answer
	mode   string // the permission mode it begins in; empty: default
	steps  []step
}

// step is one part of a task.
type step func(ctx context.Context, t *activity) error

// work shows the agent at a tool that needs no permission.
func work(d time.Duration, tool, what string) step {
	return func(ctx context.Context, t *activity) error {
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
	return func(ctx context.Context, t *activity) error {
		t.report(t.life, t.doing(""))
		return t.rest(ctx, d)
	}
}

// reply is the end of a turn.
func reply(text string) step {
	return func(ctx context.Context, t *activity) error {
		if err := t.rest(ctx, time.Second); err != nil {
			return err
		}
		t.report(t.life, t.turn(nod.TurnAgent, "", text))
		return nil
	}
}

// inSubagent runs steps in a subagent, which asks in the agent's name.
func inSubagent(kind string, steps ...step) step {
	return func(ctx context.Context, t *activity) error {
		inside := *t
		inside.subagent = &nod.Subagent{ID: newID(), Type: kind}
		t.report(t.life, hub.Agent(t.id, func(g *nod.Agent, now time.Time) {
			g.Subagents = append(g.Subagents, nod.Subagent{ID: inside.subagent.ID, Type: kind, Since: now})
		}))
		defer t.report(t.life, hub.Agent(t.id, func(g *nod.Agent, _ time.Time) {
			g.Subagents = slices.DeleteFunc(g.Subagents, func(s nod.Subagent) bool { return s.ID == inside.subagent.ID })
		}))
		for _, s := range steps {
			if err := s(ctx, &inside); err != nil {
				return err
			}
		}
		return nil
	}
}

// together runs steps at the same time. A refusal ends one of them, a stop all.
func together(steps ...step) step {
	return func(ctx context.Context, t *activity) error {
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

// later delays a step.
func later(d time.Duration, s step) step {
	return func(ctx context.Context, t *activity) error {
		if err := t.rest(ctx, d); err != nil {
			return err
		}
		return s(ctx, t)
	}
}

// trouble is a state in which the agent cannot work for a while.
func trouble(s nod.AgentState, d time.Duration, problem words.Message) step {
	return func(ctx context.Context, t *activity) error {
		why := t.language.Say(problem)
		t.setTrouble(s)
		t.report(t.life, hub.Agent(t.id, func(g *nod.Agent, now time.Time) {
			g.Enter(s, now)
			g.Tool, g.Problem = "", why
			if s == nod.AgentLimited {
				until := now.Add(d)
				g.Until = &until
			}
		}), t.turn(nod.TurnSystem, "", why))
		err := t.rest(ctx, d)
		t.setTrouble("")
		t.report(t.life, t.doing(""))
		return err
	}
}
