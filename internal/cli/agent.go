package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"

	"nod"
	"nod/internal/present/words"
)

func agentsCommand(c *console) *cobra.Command {
	cmd := c.command("agents [--all] [--json]", words.TopicAgents)
	all := cmd.Flags().Bool("all", false, c.Say(words.FlagEnded))
	asJSON := cmd.Flags().Bool("json", false, c.Say(words.FlagJSON))
	cmd.Args = c.arguments(0, 0, "")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return listAgents(c, cmd.Context(), *all, *asJSON)
	}
	return cmd
}

func listAgents(c *console, ctx context.Context, all, asJSON bool) error {
	cl, err := c.Client("terminal")
	if err != nil {
		return err
	}
	snap, err := cl.State(ctx)
	if err != nil {
		return err
	}
	list := snap.Agents
	if !all {
		list = alive(list)
	}
	if asJSON {
		return c.printJSON(orEmpty(list))
	}
	p := c.page().among(snap)
	if len(list) == 0 {
		return c.println(p.Say(words.NoAgents))
	}
	_, err = fmt.Fprint(c.Stdout, agentList(p, list))
	return err
}

func alive(list []*nod.Agent) []*nod.Agent {
	return slices.DeleteFunc(slices.Clone(list), func(a *nod.Agent) bool { return !a.Alive() })
}

func agentList(p page, list []*nod.Agent) string {
	var b strings.Builder
	for i, a := range list {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(agentLine(p, a, stateWidth(p, list)) + "\n")
		for _, text := range agentDetails(p, a) {
			b.WriteString("  " + text + "\n")
		}
	}
	return b.String()
}

// stateWidth is how wide the words for the states of these agents are.
func stateWidth(p page, list []*nod.Agent) int {
	widest := 0
	for _, a := range list {
		widest = max(widest, lipgloss.Width(stateText(p, a)))
	}
	return widest
}

// stateText is what an agent does, or that it has been told to stop.
func stateText(p page, a *nod.Agent) string {
	if a.Stopping != nil {
		return p.Say(words.StateStopping)
	}
	return p.State(a.State)
}

// agentLine is an agent for a glance: what it does, since when.
func agentLine(p page, a *nod.Agent, stateWidth int) string {
	shape, t := agentSymbol(a)
	word := stateText(p, a)
	until := ""
	if a.State == nod.AgentLimited && a.Until != nil {
		until = p.Say(words.LimitedUntil, a.Until.In(p.now.Location()).Format("15:04"))
	}
	rest := join(agentName(p, a.ID, a.Name, a.Host), until, p.Span(p.now.Sub(a.Since)), a.Tool)
	head := p.paint(t, shape+" "+word) + strings.Repeat(" ", max(0, stateWidth-lipgloss.Width(word)))
	return head + "  " + p.oneLine(rest, p.columns-stateWidth-4)
}

func agentDetails(p page, a *nod.Agent) []string {
	subs := ""
	if n := len(a.Subagents); n > 0 {
		subs = p.Count(words.Subagents, n)
	}
	var lines []string
	add := func(t tone, text string) {
		if text != "" {
			lines = append(lines, p.paint(t, p.oneLine(text, p.columns-2)))
		}
	}
	if a.NeedsYou != "" {
		add(asks, symbolAsks+" "+a.NeedsYou)
	}
	add(bad, a.Problem)
	add(quiet, conversationText(p, a))
	add(quiet, join(a.Cwd, subs, a.Mode, a.Model))
	return lines
}

// conversationText is what a conversation is besides an agent: with whom, where, how to
// go on with it.
func conversationText(p page, a *nod.Agent) string {
	if a.Talk == nil {
		return ""
	}
	warm := ""
	if a.Talk.Warm {
		warm = p.Say(words.TalkWarm)
	}
	id := string(a.ID)
	return join(p.Say(words.TalkWith, a.Talk.Assistant), a.Talk.Room, a.Talk.User, warm, id[:min(8, len(id))])
}

// idleText is the empty inbox: what the agents do while nobody needs anything.
func idleText(p page, agents []*nod.Agent) string {
	agents = alive(agents)
	if len(agents) == 0 {
		return p.Say(words.AllQuiet) + " " + p.Say(words.NoAgents) + "\n"
	}
	var b strings.Builder
	b.WriteString(allQuietText(p, agents) + "\n\n")
	for _, a := range agents {
		b.WriteString(agentLine(p, a, stateWidth(p, agents)) + "\n")
	}
	return b.String()
}

func allQuietText(p page, agents []*nod.Agent) string {
	working := 0
	for _, a := range agents {
		if a.State == nod.AgentWorking {
			working++
		}
	}
	if working == 0 {
		return p.Say(words.AllQuiet) + " " + p.Say(words.NoneWorking)
	}
	return p.Say(words.AllQuiet) + " " + p.Count(words.AgentsWorking, working)
}
