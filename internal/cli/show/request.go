package show

import (
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"nod"
	"nod/internal/cli/term"
	"nod/internal/present/words"
)

func RequestList(p Page, list []*nod.Request, agents []*nod.Agent, all bool) string {
	var b strings.Builder
	waiting := 0
	for _, r := range list {
		if !r.Settled() {
			waiting++
		}
	}
	if waiting > 0 {
		b.WriteString(p.Paint(term.Strong, p.Count(words.WaitForYou, waiting)) + "\n")
	} else {
		b.WriteString(idleText(p, agents))
	}
	if all && len(list) == 0 {
		b.WriteString(p.Say(words.NoRequests) + "\n")
	}
	short := ShortIDs(list)
	for _, r := range list {
		b.WriteString("\n" + strings.Join(requestLines(p, r, short[r.ID]), "\n") + "\n")
	}
	return b.String()
}

// requestLines is a request in a list: who asks, what exactly, how risky.
func requestLines(p Page, r *nod.Request, short string) []string {
	head := RequestHead(p, r, short)
	if Automatic(r) { // the decision gets a line of its own
		head = HeadLine(p, r, short, stepAfterDecision(p, r))
	}
	lines := []string{head, "  " + p.OneLine(r.Title, p.Columns-2)}
	if Automatic(r) {
		_, t := RequestSymbol(r)
		lines = append(lines, p.Paint(t, "  "+p.OneLine(AutomaticText(p, r.Decision), p.Columns-2)))
	}
	if risk := RiskText(p, r.Risk, p.Columns-2); risk != "" {
		lines = append(lines, "  "+risk)
	}
	return lines
}

func RequestHead(p Page, r *nod.Request, short string) string {
	return HeadLine(p, r, short, requestStatus(p, r))
}

func HeadLine(p Page, r *nod.Request, short, standing string) string {
	shape, t := RequestSymbol(r)
	mark := p.Paint(t, shape) + " " + p.Paint(term.Strong, nod.OneLine(short))
	rest := term.Join(RequestLabel(p, r), agentRefName(p, r.Agent), p.Ago(p.Now.Sub(r.AskedAt)), standing)
	return mark + "  " + p.OneLine(rest, p.Columns-lipgloss.Width(shape+short)-3)
}

// RequestLabel is the tool, or the kind of request.
func RequestLabel(p Page, r *nod.Request) string {
	if r.Kind == nod.KindApproval && r.Tool != "" {
		return r.Tool
	}
	return p.Kind(r.Kind)
}

func agentRefName(p Page, a nod.AgentRef) string { return agentName(p, a.ID, a.Name, a.Host) }

func NameOnHost(p Page, name, host string) string {
	if host == "" {
		return name
	}
	return p.Say(words.OnHost, name, host)
}

// ShortIDs are unique prefixes of the ids, at least four letters long: short enough
// to type, long enough not to match by accident.
func ShortIDs(list []*nod.Request) map[nod.RequestID]string {
	return Shortest(list, func(r *nod.Request) nod.RequestID { return r.ID })
}

func Shortest[T any, ID ~string](list []T, idOf func(T) ID) map[ID]string {
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
