package console

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"nod"
	"nod/internal/cli/show"
	"nod/internal/cli/term"
	"nod/internal/client"
	"nod/internal/present/words"
)

// FindAgent finds one agent by its id, its name or at least four first letters of either.
// Running agents come before those that have ended.
func (c *Console) FindAgent(ctx context.Context, cl *client.Client, text string) (*nod.Agent, error) {
	list, err := cl.Agents(ctx)
	if err != nil {
		return nil, err
	}
	running := show.Alive(list)
	over := slices.DeleteFunc(slices.Clone(list), (*nod.Agent).Alive)
	for _, among := range [][]*nod.Agent{running, over} {
		switch found := matching(among, text); len(found) {
		case 0:
		case 1:
			return found[0], nil
		default:
			return nil, Fail(ExitFailed, c.Say(words.AgentNotUnique, text)+"\n"+c.candidates(found))
		}
	}
	if short(text) {
		return nil, Fail(ExitGone, c.Say(words.AgentTooShort, text, nod.FewestLetters))
	}
	return nil, Fail(ExitGone, c.Say(words.NoSuchAgent, text))
}

// short reports whether a text is too short for the beginning of an id.
func short(text string) bool {
	n := utf8.RuneCountInString(text)
	return n > 0 && n < nod.FewestLetters
}

// matching tries exact ids, then names, then prefixes.
func matching(list []*nod.Agent, text string) []*nod.Agent {
	low := strings.ToLower(text)
	ways := []func(a *nod.Agent) bool{
		func(a *nod.Agent) bool { return string(a.ID) == text },
		func(a *nod.Agent) bool { return strings.EqualFold(a.Name, text) },
		func(a *nod.Agent) bool {
			return nod.ShortFor(text, string(a.ID)) || nod.ShortFor(low, strings.ToLower(a.Name))
		},
	}
	for _, fits := range ways {
		var found []*nod.Agent
		for _, a := range list {
			if text != "" && fits(a) {
				found = append(found, a)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// candidates lists the agents that match.
func (c *Console) candidates(list []*nod.Agent) string {
	p := c.Page()
	short := show.Shortest(list, func(a *nod.Agent) nod.AgentID { return a.ID })
	var rows [][2]string
	for _, a := range list {
		rows = append(rows, [2]string{nod.OneLine(short[a.ID]), p.OneLine(term.Join(show.NameOnHost(p, a.Name, a.Host), a.Cwd), p.Columns-14)})
	}
	return strings.TrimRight(term.TwoColumns(rows), "\n")
}

// FindRequest finds a request by its id or at least four first letters of it.
func (c *Console) FindRequest(ctx context.Context, cl *client.Client, id string) (*nod.Request, error) {
	r, err := cl.Request(ctx, id)
	switch {
	case err == nil:
		return r, nil
	case nod.CodeOf(err) == nod.NotFound && short(id):
		return nil, Fail(ExitGone, c.Say(words.RequestTooShort, id, nod.FewestLetters))
	case nod.CodeOf(err) == nod.NotFound:
		return nil, Fail(ExitGone, c.Say(words.NoSuchRequest, id))
	case nod.CodeOf(err) == nod.Invalid:
		return nil, Fail(ExitFailed, c.Say(words.NotUnique, id))
	}
	return nil, err
}

// SayError explains why a message was not sent, with the agent's name as the person
// typed it.
func (c *Console) SayError(a *nod.Agent, called string, err error) error {
	name := nod.OneLine(a.Name)
	switch {
	case nod.CodeOf(err) == nod.Unreachable && !a.Alive():
		return Fail(ExitFailed, c.Say(words.SayEnded, name))
	case nod.CodeOf(err) == nod.Unreachable:
		return Fail(ExitFailed, c.Say(words.SayUnreachable, name, nod.OneLine(a.Host)))
	case nod.CodeOf(err) == nod.NotFound:
		return Fail(ExitGone, c.Say(words.NoSuchAgent, called))
	}
	return err
}

// HeadOf is the newest event of the log; 0 if the hub does not say.
func HeadOf(ctx context.Context, cl *client.Client) nod.Seq {
	h, err := cl.Health(ctx)
	if err != nil {
		return 0
	}
	return h.Head
}

// ReportShown tells the hub what a person sees now. Failures are ignored: the
// person cannot do anything about them.
func ReportShown(ctx context.Context, cl *client.Client, list []*nod.Request) {
	for _, r := range list {
		if !r.Settled() {
			_ = cl.Shown(ctx, r.ID)
		}
	}
}
