package cli

import (
	"context"
	"time"

	"nod"
	"nod/internal/cli/console"
	"nod/internal/cli/show"
	"nod/internal/client"
	"nod/internal/present/words"
)

// await follows the log until done reports true or patience ends. lost means
// that the hub went away, so what happened is not known.
func await(ctx context.Context, cl *client.Client, after nod.Seq, patience time.Duration, done func(*nod.Event) bool) (lost bool) {
	if after == 0 {
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for e, err := range cl.Follow(ctx, after) {
		if err != nil {
			return ctx.Err() == nil
		}
		if done(&e) {
			return false
		}
	}
	return false
}

// awaitApplied follows a decision until the agent acts on it. A recorded yes has
// no effect yet, and the person should know how far it has come.
func awaitApplied(ctx context.Context, c *console.Console, cl *client.Client, r *nod.Request, id string, after nod.Seq) error {
	if snap, err := cl.State(ctx); err == nil {
		if text := show.AnswerDelay(c.Page().With(snap), r); text != "" {
			return c.Warn(text)
		}
	}
	step := nod.StepDecided
	lost := await(ctx, cl, after, c.Patience, func(e *nod.Event) bool {
		if e.RequestID != r.ID || e.Receipt == nil {
			return false
		}
		switch e.Receipt.Step {
		case nod.StepApplied, nod.StepOverruled, nod.StepDoubted:
			step = e.Receipt.Step
			return true
		case nod.StepDelivered:
			step = nod.StepDelivered
		}
		return false
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	name, host := nod.OneLine(r.Agent.Name), nod.OneLine(r.Agent.Host)
	switch step {
	case nod.StepApplied:
		return c.Println(c.Say(words.Applied))
	case nod.StepOverruled:
		return console.Fail(console.ExitLate, c.Say(words.Overruled, name, host))
	case nod.StepDoubted:
		return c.Warn(c.Say(words.Doubted, name, host))
	case nod.StepDelivered:
		return c.Warn(c.Say(words.NotConfirmed, name, id))
	}
	if lost {
		return c.Warn(c.Say(words.NotFollowed, id))
	}
	return c.Warn(c.Say(words.NotDelivered, name, id))
}
