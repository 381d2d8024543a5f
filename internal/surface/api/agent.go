package api

import (
	"net/http"
	"strings"

	"nod"
	v1 "nod/internal/client/v1"
	"nod/internal/net/httpd"
)

func (s *surface) agents(w http.ResponseWriter, r *http.Request) error {
	if q := queryOf(r); q.err != nil {
		return q.err
	}
	snap, err := s.desk(r).Snapshot(r.Context())
	if err != nil {
		return err
	}
	return httpd.JSON(w, http.StatusOK, v1.AgentList{Agents: orEmpty(snap.Agents)})
}

func (s *surface) agent(w http.ResponseWriter, r *http.Request) error {
	found, err := s.findAgent(r)
	if err != nil {
		return err
	}
	return httpd.JSON(w, http.StatusOK, found)
}

func (s *surface) turns(w http.ResponseWriter, r *http.Request) error {
	q := queryOf(r, "before", "limit", "html")
	before, limit := q.seq("before"), q.limit()
	if q.err != nil {
		return q.err
	}
	id, err := pathID(r)
	if err != nil {
		return err
	}
	turns, err := s.desk(r).Turns(r.Context(), nod.AgentID(id), before, limit)
	if err != nil {
		return err
	}
	if len(turns) == 0 && before == 0 {
		// Nothing said yet, or nobody there? An agent long gone has turns but no record.
		if found, err := s.findAgent(r); err != nil {
			return err
		} else if turns, err = s.desk(r).Turns(r.Context(), found.ID, before, limit); err != nil {
			return err
		}
	}
	return httpd.JSON(w, http.StatusOK, v1.TurnList{Turns: drawn(turns, q.text("html") == "1")})
}

// findAgent takes an id or a prefix that only one agent has; among several one
// that still runs is preferred.
func (s *surface) findAgent(r *http.Request) (*nod.Agent, error) {
	id, err := pathID(r)
	if err != nil {
		return nil, err
	}
	snap, err := s.desk(r).Snapshot(r.Context())
	if err != nil {
		return nil, err
	}
	var alive, ended []*nod.Agent
	for _, a := range snap.Agents {
		switch {
		case string(a.ID) == id:
			return a, nil
		case !strings.HasPrefix(string(a.ID), id):
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
	return nil, nod.Errorf(nod.NotFound, "there is no agent %q; `nod agents` lists them", id)
}
