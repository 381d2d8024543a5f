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

// stopCommand is the red button. It asks nothing back: whoever presses it is in a hurry,
// and what was stopped can be told to go on.
func stopCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("stop AGENT|--all", words.TopicStop)
	all := cmd.Flags().Bool("all", false, c.Say(words.FlagStopAll))
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if (len(args) == 1) == *all || len(args) > 1 {
			return c.Misuse(cmd, c.Say(words.StopWhat))
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		cl, err := c.Client("terminal")
		if err != nil {
			return err
		}
		if *all {
			return stopAll(c, cmd.Context(), cl)
		}
		return stopOne(c, cmd.Context(), cl, args[0])
	}
	return cmd
}

func stopAll(c *console.Console, ctx context.Context, cl *client.Client) error {
	count, err := cl.StopAll(ctx)
	if err != nil {
		return err
	}
	if err := c.Println(c.Page().Wrap(show.StoppedText(c.Page(), count))); err != nil || count.Agents == 0 {
		return err
	}
	return awaitStop(c, ctx, cl, "")
}

func stopOne(c *console.Console, ctx context.Context, cl *client.Client, text string) error {
	a, err := c.FindAgent(ctx, cl, text)
	if err != nil {
		return err
	}
	count, err := cl.Interrupt(ctx, a.ID)
	if err != nil && nod.CodeOf(err) == nod.NotFound {
		return console.Fail(console.ExitGone, c.Say(words.NoSuchAgent, text))
	}
	if err != nil {
		return err
	}
	if err := c.Println(c.Page().Wrap(show.StoppedText(c.Page(), count))); err != nil {
		return err
	}
	if count.Agents == 0 {
		return nil
	}
	return awaitStop(c, ctx, cl, a.ID)
}

// awaitStop says of each agent when it has stopped, and of those that have not,
// what to do. An order is not yet an end, and the person should know which it is.
func awaitStop(c *console.Console, ctx context.Context, cl *client.Client, only nod.AgentID) error {
	snap, err := cl.State(ctx)
	if err != nil {
		return c.Warn(c.Say(words.StopUnknown))
	}
	going := map[nod.AgentID]*nod.Agent{}
	for _, a := range snap.Agents {
		if only != "" && a.ID == only && a.Stopping == nil {
			return c.Println(c.Say(words.HasStopped, nod.OneLine(a.Name)))
		}
		if a.Stopping != nil && (only == "" || a.ID == only) {
			going[a.ID] = a
		}
	}
	if len(going) == 0 {
		return c.Println(c.Say(words.AllStopped))
	}
	lost, err := followStop(c, ctx, cl, snap.Seq, going)
	switch {
	case err != nil:
		return err
	case lost:
		return c.Warn(c.Say(words.StopUnknown))
	}
	for _, a := range snap.Agents { // in the order of the list, not of a map
		if going[a.ID] != nil {
			if err := c.Warn(c.Say(words.NotStoppedYet, nod.OneLine(a.Name), nod.OneLine(a.Host))); err != nil {
				return err
			}
		}
	}
	return nil
}

// followStop takes agents out of going as they stop, until patience ends.
func followStop(c *console.Console, ctx context.Context, cl *client.Client, after nod.Seq, going map[nod.AgentID]*nod.Agent) (lost bool, err error) {
	following, cancel := context.WithTimeout(ctx, c.Patience)
	defer cancel()
	for e, err := range cl.Follow(following, after) {
		if err != nil {
			return following.Err() == nil, ctx.Err()
		}
		if e.Agent == nil || e.Agent.Stopping != nil || going[e.AgentID] == nil {
			continue
		}
		if err := c.Println(c.Say(words.HasStopped, nod.OneLine(e.Agent.Name))); err != nil {
			return false, err
		}
		if delete(going, e.AgentID); len(going) == 0 {
			return false, nil
		}
	}
	return false, ctx.Err()
}
