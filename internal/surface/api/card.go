package api

import (
	"net/http"

	"nod"
	"nod/internal/net/httpd"
	"nod/internal/present/render"
)

// card is a request drawn: safe HTML for people to read before they answer.
func (s *surface) card(w http.ResponseWriter, r *http.Request) error {
	id, err := requestID(r)
	if err != nil {
		return err
	}
	found, err := s.desk(r).Request(r.Context(), id)
	if err != nil {
		return err
	}
	return httpd.JSON(w, http.StatusOK, render.Request(found))
}

// Turn is a turn, drawn too where that was asked for.
type Turn struct {
	nod.Turn
	HTML string `json:"html,omitempty"`
}

func drawn(turns []nod.Turn, html bool) []Turn {
	list := make([]Turn, len(turns))
	for i, t := range turns {
		list[i] = Turn{Turn: t}
		if html {
			list[i].HTML = render.Turn(&t)
		}
	}
	return list
}
