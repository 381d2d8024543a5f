package cli

import (
	"context"

	"github.com/spf13/cobra"

	"nod"
	"nod/internal/cli/console"
	"nod/internal/cli/show"
	"nod/internal/client"
	"nod/internal/present/words"
)

// stopCommand never asks for confirmation: who stops an agent is in a hurry, and
// a stopped agent can be told to go on.
func stopCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("stop AGENT|--all", words.TopicStop)
	all := cmd.Flags().Bool("all", false, c.Say(words.FlagStopAll))
	cmd.Args = oneOrAll(c, all, words.StopWhat)
	cmd.RunE = c.WithHub(func(ctx context.Context, cl *client.Client, args []string) error {
		if *all {
			count, err := cl.StopAll(ctx)
			if err != nil {
				return err
			}
			return reportStop(ctx, c, cl, count, "")
		}
		a, err := c.FindAgent(ctx, cl, args[0])
		if err != nil {
			return err
		}
		count, err := cl.Interrupt(ctx, a.ID)
		if err != nil && nod.CodeOf(err) == nod.NotFound {
			return console.Fail(console.ExitGone, c.Say(words.NoSuchAgent, args[0]))
		}
		if err != nil {
			return err
		}
		return reportStop(ctx, c, cl, count, a.ID)
	})
	return cmd
}

// oneOrAll accepts one argument or --all, never both.
func oneOrAll(c *console.Console, all *bool, otherwise words.Message) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if (len(args) == 1) == *all || len(args) > 1 {
			return c.Misuse(cmd, c.Say(otherwise))
		}
		return nil
	}
}

func reportStop(ctx context.Context, c *console.Console, cl *client.Client, count client.Stopped, only nod.AgentID) error {
	p := c.Page()
	if err := c.Println(p.Wrap(show.StoppedText(p, count))); err != nil || count.Agents == 0 {
		return err
	}
	return awaitStop(ctx, c, cl, only)
}

// awaitStop says of each agent when it has stopped, and of the others what to do.
// An agent that was told to stop may still run, and the person should know.
func awaitStop(ctx context.Context, c *console.Console, cl *client.Client, only nod.AgentID) error {
	snap, err := cl.State(ctx)
	if err != nil {
		return c.Warn(c.Say(words.StopUnknown))
	}
	running := map[nod.AgentID]bool{}
	for _, a := range snap.Agents {
		if only != "" && a.ID == only && a.Stopping == nil {
			return c.Println(c.Say(words.HasStopped, nod.OneLine(a.Name)))
		}
		if a.Stopping != nil && (only == "" || a.ID == only) {
			running[a.ID] = true
		}
	}
	if len(running) == 0 {
		return c.Println(c.Say(words.AllStopped))
	}
	var printErr error
	lost := await(ctx, cl, snap.Seq, c.Patience, func(e *nod.Event) bool {
		if e.Agent == nil || e.Agent.Stopping != nil || !running[e.AgentID] {
			return false
		}
		delete(running, e.AgentID)
		printErr = c.Println(c.Say(words.HasStopped, nod.OneLine(e.Agent.Name)))
		return printErr != nil || len(running) == 0
	})
	switch {
	case printErr != nil:
		return printErr
	case ctx.Err() != nil:
		return ctx.Err()
	case lost:
		return c.Warn(c.Say(words.StopUnknown))
	}
	for _, a := range snap.Agents { // in the order of the list, not of a map
		if running[a.ID] {
			if err := c.Warn(c.Say(words.NotStoppedYet, nod.OneLine(a.Name), nod.OneLine(a.Host))); err != nil {
				return err
			}
		}
	}
	return nil
}
