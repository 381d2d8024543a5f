package cli

import (
	"context"
	"slices"
	"strings"

	"nod"
	"nod/internal/client"
	"nod/internal/present/words"
)

// findAgent finds one agent by its id, its name or the first letters of either.
// One that runs is meant rather than one that has ended.
func (c *console) findAgent(ctx context.Context, cl *client.Client, text string) (*nod.Agent, error) {
	list, err := cl.Agents(ctx)
	if err != nil {
		return nil, err
	}
	running := alive(list)
	over := slices.DeleteFunc(slices.Clone(list), (*nod.Agent).Alive)
	for _, among := range [][]*nod.Agent{running, over} {
		switch found := matching(among, text); len(found) {
		case 0:
		case 1:
			return found[0], nil
		default:
			return nil, fail(exitFailed, c.Say(words.AgentNotUnique, text)+"\n"+c.candidates(found))
		}
	}
	return nil, fail(exitGone, c.Say(words.NoSuchAgent, text))
}

// matching goes from exact to loose and takes the first way that finds any.
func matching(list []*nod.Agent, text string) []*nod.Agent {
	low := strings.ToLower(text)
	ways := []func(a *nod.Agent) bool{
		func(a *nod.Agent) bool { return string(a.ID) == text },
		func(a *nod.Agent) bool { return strings.EqualFold(a.Name, text) },
		func(a *nod.Agent) bool {
			return strings.HasPrefix(string(a.ID), text) || strings.HasPrefix(strings.ToLower(a.Name), low)
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

// candidates tell agents apart that were called by the same letters.
func (c *console) candidates(list []*nod.Agent) string {
	p := c.page()
	short := shortest(list, func(a *nod.Agent) nod.AgentID { return a.ID })
	var rows [][2]string
	for _, a := range list {
		rows = append(rows, [2]string{nod.OneLine(short[a.ID]), p.oneLine(join(nameOnHost(p, a.Name, a.Host), a.Cwd), p.columns-14)})
	}
	return strings.TrimRight(twoColumns(rows), "\n")
}
