package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"

	"nod"
	"nod/internal/client"
	"nod/internal/present/words"
)

// listed is how many requests --all shows.
const listed = 50

func requestsCommand(c *console) *cobra.Command {
	cmd := c.command("requests [ID] [--all] [--json]", words.TopicRequests)
	all := cmd.Flags().Bool("all", false, c.Say(words.FlagAll))
	asJSON := cmd.Flags().Bool("json", false, c.Say(words.FlagJSON))
	cmd.Args = c.arguments(0, 1, "ID")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			return showRequest(c, cmd.Context(), args[0], *asJSON)
		}
		return listRequests(c, cmd.Context(), *all, *asJSON)
	}
	return cmd
}

// showCommand is what people type when they want to see one; it is the same command.
func showCommand(c *console) *cobra.Command {
	cmd := c.command("show ID [--json]", words.TopicRequests)
	cmd.Hidden = true
	asJSON := cmd.Flags().Bool("json", false, c.Say(words.FlagJSON))
	cmd.Args = c.arguments(1, 1, "ID")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return showRequest(c, cmd.Context(), args[0], *asJSON)
	}
	return cmd
}

func listRequests(c *console, ctx context.Context, all, asJSON bool) error {
	cl, err := c.Client("terminal")
	if err != nil {
		return err
	}
	snap, err := cl.State(ctx)
	if err != nil {
		return err
	}
	list := snap.Requests
	if all {
		if list, err = cl.Requests(ctx, client.Filter{Limit: listed}); err != nil {
			return err
		}
	}
	if asJSON {
		return c.printJSON(orEmpty(list))
	}
	p := c.page().among(snap)
	if _, err := fmt.Fprint(c.Stdout, requestList(p, list, snap.Agents, all)); err != nil {
		return err
	}
	if p.terminal {
		reportShown(ctx, cl, list)
	}
	return nil
}

// reportShown tells the hub what a person has now before their eyes. It is a
// courtesy: that it failed is no reason to trouble them.
func reportShown(ctx context.Context, cl *client.Client, list []*nod.Request) {
	for _, r := range list {
		if !r.Settled() {
			_ = cl.Shown(ctx, r.ID)
		}
	}
}

func requestList(p page, list []*nod.Request, agents []*nod.Agent, all bool) string {
	var b strings.Builder
	waiting := 0
	for _, r := range list {
		if !r.Settled() {
			waiting++
		}
	}
	if waiting > 0 {
		b.WriteString(p.paint(strong, p.Count(words.WaitForYou, waiting)) + "\n")
	} else {
		b.WriteString(idleText(p, agents))
	}
	if all && len(list) == 0 {
		b.WriteString(p.Say(words.NoRequests) + "\n")
	}
	short := shortIDs(list)
	for _, r := range list {
		b.WriteString("\n" + strings.Join(requestLines(p, r, short[r.ID]), "\n") + "\n")
	}
	return b.String()
}

// requestLines is a request for a glance: who asks, what exactly, how risky.
func requestLines(p page, r *nod.Request, short string) []string {
	head := requestHead(p, r, short)
	if automatic(r) { // it has a line of its own, where nothing of it is folded away
		head = headLine(p, r, short, stepAfterDecision(p, r))
	}
	lines := []string{head, "  " + p.oneLine(r.Title, p.columns-2)}
	if automatic(r) {
		_, t := requestSymbol(r)
		lines = append(lines, p.paint(t, "  "+p.oneLine(automaticText(p, r.Decision), p.columns-2)))
	}
	if risk := riskText(p, r.Risk, p.columns-2); risk != "" {
		lines = append(lines, "  "+risk)
	}
	return lines
}

func requestHead(p page, r *nod.Request, short string) string {
	return headLine(p, r, short, requestStatus(p, r))
}

func headLine(p page, r *nod.Request, short, standing string) string {
	shape, t := requestSymbol(r)
	mark := p.paint(t, shape) + " " + p.paint(strong, nod.OneLine(short))
	rest := join(requestLabel(p, r), agentRefName(p, r.Agent), p.Ago(p.now.Sub(r.AskedAt)), standing)
	return mark + "  " + p.oneLine(rest, p.columns-lipgloss.Width(shape+short)-3)
}

// requestLabel is what sort of thing is asked: the tool, or the kind.
func requestLabel(p page, r *nod.Request) string {
	if r.Kind == nod.KindApproval && r.Tool != "" {
		return r.Tool
	}
	return p.Kind(r.Kind)
}

func agentRefName(p page, a nod.AgentRef) string { return agentName(p, a.ID, a.Name, a.Host) }

func nameOnHost(p page, name, host string) string {
	if host == "" {
		return name
	}
	return p.Say(words.OnHost, name, host)
}

// shortIDs are the fewest letters that tell the listed requests apart, four at
// least: short enough to type, long enough not to be hit by accident.
func shortIDs(list []*nod.Request) map[nod.RequestID]string {
	return shortest(list, func(r *nod.Request) nod.RequestID { return r.ID })
}

func shortest[T any, ID ~string](list []T, idOf func(T) ID) map[ID]string {
	ids := make([]string, len(list))
	for i, x := range list {
		ids[i] = string(idOf(x))
	}
	slices.Sort(ids)
	short := make(map[ID]string, len(ids))
	for i, id := range ids {
		n := 4
		if i > 0 {
			n = max(n, shared(id, ids[i-1])+1)
		}
		if i+1 < len(ids) {
			n = max(n, shared(id, ids[i+1])+1)
		}
		short[ID(id)] = id[:min(n, len(id))]
	}
	return short
}

func shared(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
