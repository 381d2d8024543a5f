package show

import (
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"nod"
	"nod/internal/cli/term"
	v1 "nod/internal/client/v1"
	"nod/internal/present/words"
)

func Alive(list []*nod.Agent) []*nod.Agent {
	return slices.DeleteFunc(slices.Clone(list), func(a *nod.Agent) bool { return !a.Alive() })
}

func AgentList(p Page, list []*nod.Agent) string {
	var b strings.Builder
	for i, a := range list {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(AgentLine(p, a, StateWidth(p, list)) + "\n")
		for _, text := range agentDetails(p, a) {
			b.WriteString("  " + text + "\n")
		}
	}
	return b.String()
}

// StateWidth is the width of the longest state of these agents.
func StateWidth(p Page, list []*nod.Agent) int {
	widest := 0
	for _, a := range list {
		widest = max(widest, lipgloss.Width(stateText(p, a)))
	}
	return widest
}

// stateText is the state of an agent, or that it is stopping.
func stateText(p Page, a *nod.Agent) string {
	if a.Stopping != nil {
		return p.Say(words.StateStopping)
	}
	return p.State(a.State)
}

// AgentLine is an agent on one line: what it does and since when.
func AgentLine(p Page, a *nod.Agent, stateWidth int) string {
	shape, t := agentSymbol(a)
	word := stateText(p, a)
	until := ""
	if a.State == nod.AgentLimited && a.Until != nil {
		until = p.Say(words.LimitedUntil, a.Until.In(p.Now.Location()).Format("15:04"))
	}
	rest := term.Join(agentName(p, a.ID, a.Name, a.Host), until, p.Span(p.Now.Sub(a.Since)), a.Tool)
	head := p.Paint(t, shape+" "+word) + strings.Repeat(" ", max(0, stateWidth-lipgloss.Width(word)))
	return head + "  " + p.OneLine(rest, p.Columns-stateWidth-4)
}

func agentDetails(p Page, a *nod.Agent) []string {
	subs := ""
	if n := len(a.Subagents); n > 0 {
		subs = p.Count(words.Subagents, n)
	}
	var lines []string
	add := func(t term.Tone, text string) {
		if text != "" {
			lines = append(lines, p.Paint(t, p.OneLine(text, p.Columns-2)))
		}
	}
	if a.NeedsYou != "" {
		add(term.Asks, term.SymbolAsks+" "+a.NeedsYou)
	}
	add(term.Bad, a.Problem)
	add(term.Quiet, conversationText(p, a))
	add(term.Quiet, term.Join(a.Cwd, subs, a.Mode, a.Model))
	return lines
}

// conversationText is what only conversations have: the assistant, the room, the
// id to continue with.
func conversationText(p Page, a *nod.Agent) string {
	if a.Talk == nil {
		return ""
	}
	warm := ""
	if a.Talk.Warm {
		warm = p.Say(words.TalkWarm)
	}
	id := string(a.ID)
	return term.Join(p.Say(words.TalkWith, a.Talk.Assistant), a.Talk.Room, a.Talk.User, warm, id[:min(8, len(id))])
}

// idleText stands where no request waits: what the agents do.
func idleText(p Page, agents []*nod.Agent) string {
	agents = Alive(agents)
	if len(agents) == 0 {
		return p.Say(words.AllQuiet) + " " + p.Say(words.NoAgents) + "\n"
	}
	var b strings.Builder
	b.WriteString(AllQuietText(p, agents) + "\n\n")
	for _, a := range agents {
		b.WriteString(AgentLine(p, a, StateWidth(p, agents)) + "\n")
	}
	return b.String()
}

func AllQuietText(p Page, agents []*nod.Agent) string {
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

// StoppedText says what was stopped.
func StoppedText(p Page, n v1.Stopped) string {
	if n == (v1.Stopped{}) {
		return p.Say(words.NothingToStop)
	}
	return p.Say(words.StoppedSum, p.Count(words.StoppedLeases, n.Leases),
		p.Count(words.StoppedRequests, n.Requests), p.Count(words.StoppedAgents, n.Agents))
}
