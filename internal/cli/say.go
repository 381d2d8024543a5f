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
		return sendMessage(c, cmd.Context(), args[0], n)
	}
	return cmd
}

func sendMessage(c *console.Console, ctx context.Context, agent string, n client.NewMessage) error {
	cl, err := c.Client("terminal")
	if err != nil {
		return err
	}
	a, err := c.FindAgent(ctx, cl, agent)
	if err != nil {
		return err
	}
	before := console.HeadOf(ctx, cl)
	m, err := cl.Say(ctx, a.ID, n)
	if err != nil {
		return c.SayError(a, agent, err)
	}
	return awaitMessage(c, ctx, cl, a, m, before)
}

// awaitMessage says whether the agent has the words, or where they are.
func awaitMessage(c *console.Console, ctx context.Context, cl *client.Client, a *nod.Agent, m *nod.Message, after nod.Seq) error {
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
