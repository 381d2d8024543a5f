package cli

import (
	"context"
	"crypto/rand"
	"strings"

	"github.com/spf13/cobra"

	"nod"
	"nod/internal/cli/console"
	"nod/internal/client"
	"nod/internal/present/words"
)

func sayCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("say AGENT TEXT [--when-busy queue|interrupt|wait]", words.TopicSay)
	busy := cmd.Flags().String("when-busy", string(nod.Queue), c.Say(words.FlagWhenBusy))
	cmd.Args = c.Arguments(2, -1, "AGENT TEXT")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		n := client.NewMessage{ID: nod.MessageID("m-" + rand.Text()), Text: strings.Join(args[1:], " "), WhenBusy: nod.WhenBusy(*busy)}
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

func sendMessage(ctx context.Context, c *console.Console, cl *client.Client, agent string, n client.NewMessage) error {
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
