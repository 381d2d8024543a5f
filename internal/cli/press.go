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
		switch key := nod.Ability(args[1]); key {
		case nod.CanBackground, nod.CanMode:
			return pressKey(c, cmd.Context(), args[0], key)
		}
		return c.Misuse(cmd, c.Say(words.PressWhich, nod.OneLine(args[1])))
	}
	return cmd
}

func pressKey(c *console.Console, ctx context.Context, called string, key nod.Ability) error {
	cl, err := c.Client("terminal")
	if err != nil {
		return err
	}
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
	return awaitKey(c, ctx, cl, a, key, before)
}

// awaitKey says what came of a key: the agent's own record shows that it worked, a
// notice that it did not. Claude Code may offer the background only some seconds
// later, so twice the usual patience is right.
func awaitKey(c *console.Console, ctx context.Context, cl *client.Client, a *nod.Agent, key nod.Ability, after nod.Seq) error {
	following, cancel := context.WithTimeout(ctx, 2*c.Patience)
	defer cancel()
	name := nod.OneLine(a.Name)
	if after > 0 {
		for e, err := range cl.Follow(following, after) {
			if err != nil {
				break
			}
			switch now := e.Agent; {
			case e.AgentID != a.ID:
			case e.Turn != nil && e.Turn.Role == nod.TurnSystem && e.Turn.Tool == string(key):
				return console.Fail(console.ExitFailed, c.Say(words.PressFailed, name, nod.OneLine(e.Turn.Text)))
			case now == nil:
			case key == nod.CanMode && now.Mode != a.Mode:
				return c.Println(c.Say(words.PressMode, name, nod.OneLine(now.Mode)))
			case key == nod.CanBackground && a.Tool != "" && now.Tool != a.Tool:
				return c.Println(c.Say(words.PressBehind, name))
			}
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return c.Warn(c.Say(words.PressUnknown, name))
}
