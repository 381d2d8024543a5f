package cli

import (
	"context"

	"github.com/spf13/cobra"

	"nod"
	"nod/internal/cli/console"
	"nod/internal/client"
	"nod/internal/present/words"
)

func pressCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("press AGENT background|mode", words.TopicPress)
	cmd.Args = c.Arguments(2, 2, "AGENT background|mode")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		key := nod.Ability(args[1])
		if key != nod.CanBackground && key != nod.CanMode {
			return c.Misuse(cmd, c.Say(words.PressWhich, nod.OneLine(args[1])))
		}
		cl, err := c.Hub()
		if err != nil {
			return err
		}
		return pressKey(cmd.Context(), c, cl, args[0], key)
	}
	return cmd
}

func pressKey(ctx context.Context, c *console.Console, cl *client.Client, called string, key nod.Ability) error {
	a, err := c.FindAgent(ctx, cl, called)
	if err != nil {
		return err
	}
	before := console.HeadOf(ctx, cl)
	switch err := cl.Press(ctx, a.ID, string(key)); {
	case err == nil:
	case nod.CodeOf(err) == nod.Unreachable:
		return console.Fail(console.ExitFailed, c.Say(words.PressUnreachable, nod.OneLine(a.Name), nod.OneLine(a.Host)))
	case nod.CodeOf(err) == nod.NotFound:
		return console.Fail(console.ExitGone, c.Say(words.NoSuchAgent, called))
	default:
		return err
	}
	return awaitKey(ctx, c, cl, a, key, before)
}

// awaitKey says what a key did: the agent's own record shows that it worked, a
// notice that it did not. Claude Code may offer the background only some seconds
// later, so this waits twice as long as usual.
func awaitKey(ctx context.Context, c *console.Console, cl *client.Client, a *nod.Agent, key nod.Ability, after nod.Seq) error {
	name := nod.OneLine(a.Name)
	worked, failed := "", ""
	await(ctx, cl, after, 2*c.Patience, func(e *nod.Event) bool {
		switch now := e.Agent; {
		case e.AgentID != a.ID:
		case e.Turn != nil && e.Turn.Role == nod.TurnSystem && e.Turn.Tool == string(key):
			failed = c.Say(words.PressFailed, name, nod.OneLine(e.Turn.Text))
		case now == nil:
		case key == nod.CanMode && now.Mode != a.Mode:
			worked = c.Say(words.PressMode, name, nod.OneLine(now.Mode))
		case key == nod.CanBackground && a.Tool != "" && now.Tool != a.Tool:
			worked = c.Say(words.PressBehind, name)
		}
		return worked+failed != ""
	})
	switch {
	case worked != "":
		return c.Println(worked)
	case failed != "":
		return console.Fail(console.ExitFailed, failed)
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return c.Warn(c.Say(words.PressUnknown, name))
}
