package cli

import (
	"context"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"

	"nod"
	"nod/internal/cli/console"
	"nod/internal/cli/show"
	"nod/internal/cli/term"
	"nod/internal/client"
	v1 "nod/internal/client/v1"
	"nod/internal/present/words"
)

// hostsCommand lists and links the machines of the hub.
func hostsCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("hosts [add NAME | remove NAME] [--json]", words.TopicHosts)
	asJSON := c.JSONFlag(cmd)
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return c.NoSuchCommand(cmd, "hosts "+args[0])
		}
		return nil
	}
	cmd.RunE = c.WithHub(func(ctx context.Context, cl *client.Client, _ []string) error {
		list, err := cl.Hosts(ctx)
		if err != nil {
			return err
		}
		if *asJSON {
			return c.PrintJSON(console.OrEmpty(list))
		}
		return c.Println(hostList(c.Page(), list))
	})
	add := func(use string, run func(context.Context, *console.Console, *client.Client, string) error) {
		sub := c.Command(use, words.TopicHosts)
		sub.Args = c.Arguments(1, 1, "NAME")
		sub.RunE = c.WithHub(func(ctx context.Context, cl *client.Client, args []string) error { return run(ctx, c, cl, args[0]) })
		cmd.AddCommand(sub)
	}
	add("add NAME", addHost)
	add("remove NAME", removeHost)
	return cmd
}

func hostList(p show.Page, list []v1.Host) string {
	if len(list) == 0 {
		return p.Say(words.NoHosts)
	}
	widest := 0
	hubs := map[string]int{} // per machine
	for _, h := range list {
		widest = max(widest, lipgloss.Width(nod.OneLine(h.Name)))
		if h.Hub != "" {
			hubs[h.Name]++
		}
	}
	up, gone := p.Say(words.HostUp), p.Say(words.HostAway)
	states := max(lipgloss.Width(up), lipgloss.Width(gone))
	lines := make([]string, len(list))
	for i, h := range list {
		state, tone := up, term.Good
		if !h.Up {
			state, tone = gone, term.Quiet
		}
		waiting := ""
		if h.Pending > 0 {
			waiting = p.Say(words.HostWaiting, h.Pending)
		}
		since := p.Say(words.HostSince, p.Span(p.Now.Sub(h.Since)))
		rest := term.Join(hubText(p, h, hubs[h.Name]), since, p.Count(words.HostAgents, h.Agents), waiting, h.Version)
		lines[i] = p.Paint(term.Strong, term.Pad(nod.OneLine(h.Name), widest)) + "  " + p.Paint(tone, term.Pad(state, states)) + "  " + p.OneLine(rest, p.Columns-widest-states-4)
	}
	return strings.Join(lines, "\n")
}

// hubText marks hubs, and names them if a machine has several.
func hubText(p show.Page, h v1.Host, onMachine int) string {
	switch {
	case h.Hub == "":
		return ""
	case onMachine > 1:
		return p.Say(words.HostHubNamed, h.Hub)
	}
	return p.Say(words.HostHub)
}

// addHost prints only the token on stdout, so that > catches nothing else.
func addHost(ctx context.Context, c *console.Console, cl *client.Client, name string) error {
	t, err := cl.CreateToken(ctx, v1.NewToken{Name: name, Rights: nod.RightsOf(nod.Raise), Room: nod.LinkRoom + name})
	if err != nil {
		return err
	}
	if err := c.Println(t.Secret); err != nil {
		return err
	}
	where := "https://…"
	if health, err := cl.Health(ctx); err == nil && health.Listen != "" {
		where = health.Listen
	}
	return c.Warn(c.Say(words.HostToken, nod.OneLine(name), where))
}

func removeHost(ctx context.Context, c *console.Console, cl *client.Client, name string) error {
	list, err := cl.Tokens(ctx)
	if err != nil {
		return err
	}
	gone := false
	for _, t := range list {
		if t.Room == nod.LinkRoom+name {
			if err := cl.RevokeToken(ctx, t.ID); err != nil {
				return err
			}
			gone = true
		}
	}
	if !gone {
		return console.Fail(console.ExitGone, c.Say(words.NoSuchHost, nod.OneLine(name)))
	}
	return c.Println(c.Say(words.HostRemoved, nod.OneLine(name)))
}
