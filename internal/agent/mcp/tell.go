package mcp

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"nod"
	"nod/internal/agent/claude/asking"
	"nod/internal/agent/mcp/server"
	"nod/internal/hub"
)

// longestNote is more than a person reads on a small screen.
const longestNote = 4_000

// Tell shows people something that needs no answer.
func (d *Driver) Tell(ctx context.Context, c server.Caller, n server.Note) error {
	agent, err := d.agentOf(ctx, c)
	if err != nil {
		return err
	}
	text := strings.TrimSpace(n.Text)
	if text == "" {
		return nod.Errorf(nod.Invalid, "message is empty: there is nothing to show")
	}
	if len(text) > longestNote || !nod.Clean(text) {
		return nod.Errorf(nod.TooLarge, "the message is longer than %d bytes of plain text: say what matters", longestNote)
	}
	if err := d.presence.touch(ctx, agent, c); err != nil {
		return err
	}
	if n.Progress {
		if !d.progress.mayShow(agent, n, d.Now()) {
			return nil
		}
		line := nod.Fold(nod.OneLine(text), asking.TitleLength) + share(n)
		return d.link.Report(ctx, change(agent, func(a *nod.Agent) { a.Tool = line }))
	}
	facts := []hub.Fact{hub.Said(nod.Turn{Agent: agent, Role: nod.TurnSystem, Text: text, Tool: "notify_person"})}
	if n.Important {
		facts = append(facts, change(agent, func(a *nod.Agent) { a.NeedsYou = nod.Fold(nod.OneLine(text), asking.TitleLength) }))
	}
	return d.link.Report(ctx, facts...)
}

// change is for an agent that is alive.
func change(id nod.AgentID, f func(*nod.Agent)) hub.Fact {
	return func(s *nod.State, now time.Time) []nod.Event {
		if a := s.Agents[id]; a == nil || !a.Alive() {
			return nil
		}
		return hub.Agent(id, func(a *nod.Agent, _ time.Time) { f(a) })(s, now)
	}
}

// share is how much is done.
func share(n server.Note) string {
	num := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
	switch {
	case n.Total > 0:
		return fmt.Sprintf(" (%s/%s)", num(n.Done), num(n.Total))
	case n.Done > 0:
		return fmt.Sprintf(" (%s)", num(n.Done))
	}
	return ""
}

// progressInterval is the shortest time between two reports of one agent's progress,
// because each is stored.
const progressInterval = 500 * time.Millisecond

// progress is when the progress of each agent was last shown.
type progress struct {
	mu   sync.Mutex
	last map[nod.AgentID]time.Time
}

// mayShow drops progress that comes too often. The last report is always shown.
func (p *progress) mayShow(id nod.AgentID, n server.Note, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now.Sub(p.last[id]) < progressInterval && (n.Total <= 0 || n.Done < n.Total) {
		return false
	}
	p.last[id] = now
	return true
}

func (p *progress) forget(id nod.AgentID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.last, id)
}

// mostDecisions is about what the hub has in memory of one agent.
const mostDecisions = 50

// Decisions are those about this agent's own requests, newest first.
func (d *Driver) Decisions(ctx context.Context, c server.Caller, most int) ([]server.Decided, error) {
	agent, err := d.agentOf(ctx, c)
	if err != nil {
		return nil, err
	}
	var settled []*nod.Request
	d.link.State(func(s *nod.State) {
		for _, r := range s.Requests {
			if r.Agent.ID == agent && r.Settled() {
				settled = append(settled, r)
			}
		}
	})
	slices.SortFunc(settled, func(a, b *nod.Request) int { return int(b.Seq) - int(a.Seq) })
	settled = settled[:min(len(settled), max(1, min(most, mostDecisions)))]
	list := make([]server.Decided, len(settled))
	for i, r := range settled {
		list[i] = decided(r)
	}
	return list, nil
}

func decided(r *nod.Request) server.Decided {
	out := server.Decided{Request: r.ID, Kind: r.Kind, Title: r.Title, Status: r.Status, At: r.AskedAt}
	switch {
	case r.Decision != nil:
		d := r.Decision
		out.Verdict, out.Answers, out.Message, out.By = d.Verdict, d.Answers, d.Message, d.By
		out.Automatic, out.At = d.Automatic(), d.At
	case r.Withdrawal != nil:
		out.At = r.Withdrawal.At
	}
	return out
}
