package cli

import (
	"context"
	"crypto/rand"
	"strings"

	"github.com/spf13/cobra"

	"nod"
	"nod/internal/cli/console"
	"nod/internal/cli/show"
	"nod/internal/client"
	v1 "nod/internal/client/v1"
	"nod/internal/present/words"
)

func sayCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("say AGENT TEXT [--when-busy queue|interrupt|wait]", words.TopicSay)
	busy := cmd.Flags().String("when-busy", string(nod.Queue), c.Say(words.FlagWhenBusy))
	cmd.Args = c.Arguments(2, -1, "AGENT TEXT")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		n := v1.NewMessage{ID: nod.MessageID("m-" + rand.Text()), Text: strings.Join(args[1:], " "), WhenBusy: nod.WhenBusy(*busy)}
		switch {
		case n.WhenBusy != nod.Queue && n.WhenBusy != nod.Interrupt && n.WhenBusy != nod.Wait:
			return c.Misuse(cmd, c.Say(words.WrongWhenBusy, *busy))
		case strings.TrimSpace(n.Text) == "":
			return c.Misuse(cmd, c.Say(words.MissingArgument, "TEXT"))
		}
		cl, err := c.Hub()
		if err != nil {
			return err
		}
		return sendMessage(cmd.Context(), c, cl, args[0], n)
	}
	return cmd
}

func sendMessage(ctx context.Context, c *console.Console, cl *client.Client, agent string, n v1.NewMessage) error {
	a, err := c.FindAgent(ctx, cl, agent)
	if err != nil {
		return err
	}
	before := console.HeadOf(ctx, cl)
	m, err := cl.Say(ctx, a.ID, n)
	if err != nil {
		return c.SayError(a, agent, err)
	}
	return awaitMessage(ctx, c, cl, a, m, before)
}

// awaitMessage says whether the agent has got the message, or what holds it up.
func awaitMessage(ctx context.Context, c *console.Console, cl *client.Client, a *nod.Agent, m *nod.Message, after nod.Seq) error {
	lost := m.Status == nod.Queued && await(ctx, cl, after, c.Patience, func(e *nod.Event) bool {
		if e.Message == nil || e.Message.ID != m.ID || e.Message.Status == nod.Queued {
			return false
		}
		m = e.Message
		return true
	})
	name := nod.OneLine(a.Name)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case m.Status == nod.Delivered:
		return c.Println(c.Say(words.SayHeard, name))
	case m.Status == nod.Failed:
		return console.Fail(console.ExitFailed, c.Say(words.SayFailed, name, nod.OneLine(m.Problem)))
	case lost:
		return c.Warn(c.Say(words.SayUnknown, name))
	case m.WhenBusy == nod.Wait:
		return c.Warn(c.Say(words.SayWaits, name))
	}
	return c.Warn(c.Say(words.SayQueued, name))
}

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

func reportStop(ctx context.Context, c *console.Console, cl *client.Client, count v1.Stopped, only nod.AgentID) error {
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
