package cli

import (
	"context"
	"crypto/rand"
	"strings"

	"github.com/spf13/cobra"

	"nod"
	"nod/internal/client"
	"nod/internal/present/words"
)

func sayCommand(c *console) *cobra.Command {
	cmd := c.command("say AGENT TEXT [--when-busy queue|interrupt|wait]", words.TopicSay)
	busy := cmd.Flags().String("when-busy", string(nod.Queue), c.Say(words.FlagWhenBusy))
	cmd.Args = c.arguments(2, -1, "AGENT TEXT")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		n := client.NewMessage{ID: nod.MessageID("m-" + rand.Text()), Text: strings.Join(args[1:], " "), WhenBusy: nod.WhenBusy(*busy)}
		switch {
		case n.WhenBusy != nod.Queue && n.WhenBusy != nod.Interrupt && n.WhenBusy != nod.Wait:
			return c.misuse(cmd, c.Say(words.WrongWhenBusy, *busy))
		case strings.TrimSpace(n.Text) == "":
			return c.misuse(cmd, c.Say(words.MissingArgument, "TEXT"))
		}
		return sendMessage(c, cmd.Context(), args[0], n)
	}
	return cmd
}

func sendMessage(c *console, ctx context.Context, agent string, n client.NewMessage) error {
	cl, err := c.Client("terminal")
	if err != nil {
		return err
	}
	a, err := c.findAgent(ctx, cl, agent)
	if err != nil {
		return err
	}
	before := headOf(ctx, cl)
	m, err := cl.Say(ctx, a.ID, n)
	if err != nil {
		return c.unsaid(a, agent, err)
	}
	return awaitMessage(c, ctx, cl, a, m, before)
}

// unsaid adds what the hub's error cannot know: how the person called the agent,
// and in which language.
func (c *console) unsaid(a *nod.Agent, called string, err error) error {
	name := nod.OneLine(a.Name)
	switch {
	case nod.CodeOf(err) == nod.Unreachable && !a.Alive():
		return fail(exitFailed, c.Say(words.SayEnded, name))
	case nod.CodeOf(err) == nod.Unreachable:
		return fail(exitFailed, c.Say(words.SayUnreachable, name, nod.OneLine(a.Host)))
	case nod.CodeOf(err) == nod.NotFound:
		return fail(exitGone, c.Say(words.NoSuchAgent, called))
	}
	return err
}

// awaitMessage says whether the agent has the words, or where they are.
func awaitMessage(c *console, ctx context.Context, cl *client.Client, a *nod.Agent, m *nod.Message, after nod.Seq) error {
	following, cancel := context.WithTimeout(ctx, c.Patience)
	defer cancel()
	lost := after == 0
	if !lost && m.Status == nod.Queued {
		m, lost = followMessage(following, cl, m, after)
	}
	name := nod.OneLine(a.Name)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case m.Status == nod.Delivered:
		return c.println(c.Say(words.SayHeard, name))
	case m.Status == nod.Failed:
		return fail(exitFailed, c.Say(words.SayFailed, name, nod.OneLine(m.Problem)))
	case lost:
		return c.warn(c.Say(words.SayUnknown, name))
	case m.WhenBusy == nod.Wait:
		return c.warn(c.Say(words.SayWaits, name))
	}
	return c.warn(c.Say(words.SayQueued, name))
}

// followMessage returns the message as it ended; lost is set when the hub went
// away before that could be known.
func followMessage(ctx context.Context, cl *client.Client, m *nod.Message, after nod.Seq) (ended *nod.Message, lost bool) {
	for e, err := range cl.Follow(ctx, after) {
		if err != nil {
			return m, ctx.Err() == nil
		}
		if e.Message != nil && e.Message.ID == m.ID && e.Message.Status != nod.Queued {
			return e.Message, false
		}
	}
	return m, false
}
