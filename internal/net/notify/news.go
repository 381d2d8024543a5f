package notify

import (
	"strings"
	"time"

	"nod"
)

// News is something an agent did that needs no answer.
type News struct {
	Kind  Kind // Done, Failed, Ended, Limited or Resumed
	Agent nod.AgentRef
	Line  string // a summary: what it said last, or why it failed
	Seq   nod.Seq
	At    time.Time
	Until *time.Time // Limited: when it may continue, if known
}

// newsLife is how long news is worth sending.
const newsLife = time.Hour

// Fresh reports whether news is still worth sending.
func (n *News) Fresh(now time.Time) bool {
	end := n.At
	if n.Until != nil && n.Until.After(end) {
		end = *n.Until
	}
	return now.Sub(end) <= newsLife
}

// AsOf is the news at a moment: a limit whose time is over has ended, even if the agent has not noticed yet.
func (n News) AsOf(now time.Time) News {
	if n.Kind == Limited && n.Until != nil && !n.Until.After(now) {
		n.Kind, n.Line = Resumed, ""
	}
	return n
}

// DefaultDoneAfter is how long an agent must have worked before its end is news: a person who has just asked
// something is watching anyway.
const DefaultDoneAfter = 30 * time.Second

// Reporter derives news from the log. It is not safe for concurrent use.
type Reporter struct {
	DoneAfter time.Duration
	agents    map[nod.AgentID]past
}

// past is what the Reporter remembers of an agent.
type past struct {
	state    nod.AgentState
	busy     time.Time // working since, including the time spent waiting for answers
	lastLine string    // its last answer in this time
	limited  nod.Seq   // the news that it reached a limit
}

// Start resets it to the current agents; they have done nothing yet.
func (r *Reporter) Start(agents []*nod.Agent) {
	r.agents = map[nod.AgentID]past{}
	for _, a := range agents {
		p := past{state: a.State}
		if busy(a.State) {
			p.busy = a.Since
		}
		r.agents[a.ID] = p
	}
}

func busy(s nod.AgentState) bool { return s == nod.AgentWorking || s == nod.AgentWaiting }

// Take processes one event.
func (r *Reporter) Take(e *nod.Event) (News, bool) {
	switch {
	case e.Kind == nod.TurnTaken && e.Turn != nil && e.Turn.Role == nod.TurnAgent && e.Turn.Who == nil:
		if p, ok := r.agents[e.Turn.Agent]; ok {
			p.lastLine = gist(e.Turn.Text)
			r.agents[e.Turn.Agent] = p
		}
	case e.Kind == nod.AgentChanged && e.Agent != nil:
		return r.changed(e)
	}
	return News{}, false
}

func (r *Reporter) changed(e *nod.Event) (News, bool) {
	a := e.Agent
	before, known := r.agents[a.ID]
	after := before
	after.state = a.State
	if busy(a.State) && !busy(before.state) {
		after.busy, after.lastLine = e.At, ""
	}
	news, found := News{Agent: a.Ref(), Seq: e.Seq, At: e.At}, false
	if known && before.state != a.State {
		news.Kind, news.Line = r.kind(before, a, e.At)
		found = news.Kind != ""
	}
	switch {
	case news.Kind == Limited:
		news.Until, after.limited = a.Until, e.Seq
	case news.Kind == Resumed:
		news.Seq = before.limited // the end of that limit, whichever hub notices it first
	}
	if r.agents[a.ID] = after; a.State == nod.AgentEnded {
		delete(r.agents, a.ID)
	}
	return news, found
}

// kind compares an agent with its previous state.
func (r *Reporter) kind(before past, a *nod.Agent, at time.Time) (Kind, string) {
	long := at.Sub(before.busy) >= r.DoneAfter
	switch {
	case a.State == nod.AgentError:
		return Failed, a.Problem
	case a.State == nod.AgentLimited:
		return Limited, a.Problem
	case a.State == nod.AgentEnded && busy(before.state) && long:
		return Ended, a.Problem
	case a.State == nod.AgentEnded:
	case before.state == nod.AgentLimited && before.limited != 0:
		return Resumed, ""
	case a.State == nod.AgentIdle && busy(before.state) && long:
		if before.lastLine != "" {
			return Done, before.lastLine
		}
		return Done, gist(a.Prompt)
	}
	return "", ""
}

// gist is the first meaningful line of a text.
func gist(text string) string {
	const enough = 400
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(strings.TrimLeft(line, "#*->` \t")); line != "" {
			return nod.Fold(line, enough)
		}
	}
	return ""
}
