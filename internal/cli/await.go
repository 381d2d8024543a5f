package cli

import (
	"context"
	"fmt"

	"nod"
	"nod/internal/client"
	"nod/internal/present/words"
)

// awaitApplied follows a decision until the agent is seen to act on it. A yes that is
// only recorded is not yet a yes, and the person should know which it is.
func awaitApplied(c *console, ctx context.Context, cl *client.Client, r *nod.Request, id string, after nod.Seq) error {
	if snap, err := cl.State(ctx); err == nil {
		if text := answerDelay(c.page().among(snap), r); text != "" {
			return c.warn(text)
		}
	}
	following, cancel := context.WithTimeout(ctx, c.Patience)
	defer cancel()
	step := nod.StepDecided
	lost := after == 0
	if !lost {
		step, lost = follow(following, cl, r.ID, after)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	name, host := nod.OneLine(r.Agent.Name), nod.OneLine(r.Agent.Host)
	switch step {
	case nod.StepApplied:
		return c.println(c.Say(words.Applied))
	case nod.StepOverruled:
		return fail(exitLate, c.Say(words.Overruled, name, host))
	case nod.StepDoubted:
		return c.warn(c.Say(words.Doubted, name, host))
	case nod.StepDelivered:
		return c.warn(c.Say(words.NotConfirmed, name, id))
	}
	if lost {
		return c.warn(c.Say(words.NotFollowed, id))
	}
	return c.warn(c.Say(words.NotDelivered, name, id))
}

// follow returns the last proven step; lost is set when the hub went away
// before that could be known.
func follow(ctx context.Context, cl *client.Client, id nod.RequestID, after nod.Seq) (step nod.Step, lost bool) {
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

// warn is for what is true but not yet good.
func (c *console) warn(text string) error {
	_, err := fmt.Fprintln(c.Stderr, c.page().flow(text))
	return err
}

// headOf is where the log ends now; 0 when that cannot be learnt.
func headOf(ctx context.Context, cl *client.Client) nod.Seq {
	h, err := cl.Health(ctx)
	if err != nil {
		return 0
	}
	return h.Head
}
