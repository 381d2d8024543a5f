package cli

import (
	"context"

	"nod"
	"nod/internal/cli/console"
	"nod/internal/cli/show"
	"nod/internal/client"
	"nod/internal/present/words"
)

// awaitApplied follows a decision until the agent is seen to act on it. A yes that is
// only recorded is not yet a yes, and the person should know which it is.
func awaitApplied(c *console.Console, ctx context.Context, cl *client.Client, r *nod.Request, id string, after nod.Seq) error {
	if snap, err := cl.State(ctx); err == nil {
		if text := show.AnswerDelay(c.Page().With(snap), r); text != "" {
			return c.Warn(text)
		}
	}
	following, cancel := context.WithTimeout(ctx, c.Patience)
	defer cancel()
	step := nod.StepDecided
	lost := after == 0
	if !lost {
		step, lost = followDecision(following, cl, r.ID, after)
	}
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

// followDecision returns the last proven step; lost is set when the hub went away
// before that could be known.
func followDecision(ctx context.Context, cl *client.Client, id nod.RequestID, after nod.Seq) (step nod.Step, lost bool) {
	step = nod.StepDecided
	for e, err := range cl.Follow(ctx, after) {
		if err != nil {
			return step, ctx.Err() == nil
		}
		if e.RequestID != id || e.Receipt == nil {
			continue
		}
		switch e.Receipt.Step {
		case nod.StepApplied, nod.StepOverruled, nod.StepDoubted:
			return e.Receipt.Step, false
		case nod.StepDelivered:
			step = nod.StepDelivered
		}
	}
	return step, false
}
