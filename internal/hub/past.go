package hub

import (
	"context"
	"strings"
	"time"

	"nod"
)

// Past selects settled requests for a person who looks back.
type Past struct {
	Words   []string // all of them somewhere in the request, in any case
	Agent   nod.AgentID
	Verdict string    // a nod.Verdict, or the status of what was not decided
	By      string    // who decided; Automatic or ByPerson for either sort
	From    time.Time // asked at this time or later
	To      time.Time // asked before this time
	Before  nod.Seq   // 0: from the end
	Limit   int
}

// The two sorts of deciders that Past.By can name.
const (
	Automatic = "automatic"
	ByPerson  = "person"
)

// pastStep is how many requests are looked at in one go, and pastBound in one
// call: a search for something rare must not read the log for minutes.
const (
	pastStep  = 200
	pastBound = 5000
)

// Past lists settled requests, newest first, and where to go on; 0 when there
// is no more. A list may be shorter than its limit and still have more.
func (d Desk) Past(ctx context.Context, p Past) (list []*nod.Request, next nod.Seq, err error) {
	if err := d.require(ctx, nod.View, "read the history"); err != nil {
		return nil, 0, err
	}
	before := p.Before
	for looked := 0; looked < pastBound; looked += pastStep {
		page, err := d.hub.history.requests(ctx, Filter{Agent: p.Agent, Before: before, Limit: pastStep})
		if err != nil {
			return nil, 0, err
		}
		for _, r := range page {
			before = r.Seq
			if !p.From.IsZero() && r.AskedAt.Before(p.From) {
				return list, 0, nil
			}
			if !p.matches(r) {
				continue
			}
			if list = append(list, r); len(list) == p.Limit {
				return list, before, nil
			}
		}
		if len(page) < pastStep {
			return list, 0, nil
		}
	}
	return list, before, nil
}

func (p *Past) matches(r *nod.Request) bool {
	if !r.Settled() || !p.To.IsZero() && !r.AskedAt.Before(p.To) {
		return false
	}
	if p.Verdict != "" && p.Verdict != string(r.Status) && (r.Decision == nil || p.Verdict != string(r.Decision.Verdict)) {
		return false
	}
	return p.decider(r.Decision) && holds(r, p.Words)
}

func (p *Past) decider(d *nod.Decision) bool {
	switch {
	case p.By == "":
		return true
	case d == nil:
		return false
	case p.By == Automatic || p.By == ByPerson:
		return d.Automatic() == (p.By == Automatic)
	}
	return strings.EqualFold(d.By, p.By)
}

// holds looks for words in everything a person could remember of a request.
func holds(r *nod.Request, words []string) bool {
	if len(words) == 0 {
		return true
	}
	parts := []string{r.Title, r.Display, r.Tool, r.Agent.Name, r.Agent.Host, r.Agent.Cwd, string(r.Input), string(r.ID)}
	for _, q := range r.Questions {
		parts = append(parts, q.Text)
	}
	if d := r.Decision; d != nil {
		parts = append(parts, d.By, d.Via, d.Message)
		for _, a := range d.Answers {
			parts = append(parts, a.Joined())
		}
	}
	text := strings.ToLower(strings.Join(parts, "\n"))
	for _, w := range words {
		if !strings.Contains(text, strings.ToLower(w)) {
			return false
		}
	}
	return true
}
