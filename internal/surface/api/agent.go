package api

import (
	"net/http"

	"nod"
	v1 "nod/internal/client/v1"
	"nod/internal/hub"
	"nod/internal/net/httpd"
	"nod/internal/present/render"
)

func listAgents(d hub.Desk, w http.ResponseWriter, r *http.Request) error {
	if q := queryOf(r); q.err != nil {
		return q.err
	}
	snap, err := d.Snapshot(r.Context())
	if err != nil {
		return err
	}
	return httpd.JSON(w, http.StatusOK, v1.AgentList{Agents: orEmpty(snap.Agents)})
}

func getAgent(d hub.Desk, w http.ResponseWriter, r *http.Request) error {
	found, err := findAgent(d, r)
	if err != nil {
		return err
	}
	return httpd.JSON(w, http.StatusOK, found)
}

func listTurns(d hub.Desk, w http.ResponseWriter, r *http.Request) error {
	q := queryOf(r, "before", "limit", "html")
	before, limit := q.seq("before"), q.limit()
	if q.err != nil {
		return q.err
	}
	id, err := pathID(r)
	if err != nil {
		return err
	}
	turns, err := d.Turns(r.Context(), nod.AgentID(id), before, limit)
	if err != nil {
		return err
	}
	if len(turns) == 0 && before == 0 {
		// An agent that is long gone has turns but no record; here there may be neither.
		if found, err := findAgent(d, r); err != nil {
			return err
		} else if turns, err = d.Turns(r.Context(), found.ID, before, limit); err != nil {
			return err
		}
	}
	return httpd.JSON(w, http.StatusOK, v1.TurnList{Turns: drawn(turns, q.text("html") == "1")})
}

// findAgent takes an id, or first letters that only one agent has. An agent that still
// runs is preferred to those that ended.
func findAgent(d hub.Desk, r *http.Request) (*nod.Agent, error) {
	id, err := pathID(r)
	if err != nil {
		return nil, err
	}
	snap, err := d.Snapshot(r.Context())
	if err != nil {
		return nil, err
	}
	var alive, ended []*nod.Agent
	for _, a := range snap.Agents {
		switch {
		case string(a.ID) == id:
			return a, nil
		case !nod.ShortFor(id, string(a.ID)):
		case a.Alive():
			alive = append(alive, a)
		default:
			ended = append(ended, a)
		}
	}
	switch {
	case len(alive) == 1:
		return alive[0], nil
	case len(alive) == 0 && len(ended) == 1:
		return ended[0], nil
	case len(alive)+len(ended) > 0:
		return nil, nod.Errorf(nod.Invalid, "%q fits more than one agent: type more letters of its id", id)
	}
	if len(id) < nod.FewestLetters {
		return nil, nod.TooShort(id)
	}
	return nil, nod.Errorf(nod.NotFound, "there is no agent %q; `nod agents` lists them", id)
}

// drawn adds HTML to turns.
func drawn(turns []nod.Turn, html bool) []v1.DrawnTurn {
	list := make([]v1.DrawnTurn, len(turns))
	for i, t := range turns {
		list[i] = v1.DrawnTurn{Turn: t}
		if html {
			list[i].HTML = render.Turn(&t)
		}
	}
	return list
}
