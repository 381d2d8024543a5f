package api

import (
	"net/http"

	"nod"
	v1 "nod/internal/client/v1"
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
