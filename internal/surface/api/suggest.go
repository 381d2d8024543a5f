package api

import (
	"net/http"
	"slices"
	"strconv"

	"nod"
	v1 "nod/internal/client/v1"
	"nod/internal/hub"
	"nod/internal/net/httpd"
	"nod/internal/present/advise"
	"nod/internal/present/words"
)

const (
	usualButtons = 4
	mostButtons  = 12
	recentTurns  = 20 // the agent's last message is among these, or too old to matter
	mostPages    = 1000
)

// suggest offers the buttons that fit, in the language of Accept-Language.
func (s *Surface) suggest(w http.ResponseWriter, r *http.Request) error {
	q := queryOf(r, "most", "page", "holds", "reads")
	at := advise.Situation{
		Page: q.count("page", 0, 0, mostPages), Holds: q.yes("holds"), Reads: q.yes("reads"),
		Proof: s.Hub.ProofLevels(), Say: words.Accept(r.Header.Get("Accept-Language")),
	}
	most := q.count("most", usualButtons, 1, mostButtons)
	if q.err != nil {
		return q.err
	}
	var err error
	desk := s.desk(r)
	if at.Agent, err = findAgent(desk, r); err != nil {
		return err
	}
	if at.Pending, err = desk.Requests(r.Context(), hub.Filter{Status: nod.Pending, Agent: at.Agent.ID, Limit: maxLimit}); err != nil {
		return err
	}
	slices.Reverse(at.Pending)
	turns, err := desk.Turns(r.Context(), at.Agent.ID, 0, recentTurns)
	if err != nil {
		return err
	}
	at.Last = advise.LastWord(turns)
	out := v1.Advice{Suggestions: []v1.Button{}}
	for _, b := range s.Advise(r.Context(), at, most) {
		out.Suggestions = append(out.Suggestions, v1.Button{
			ID: b.ID, Label: b.Label, Detail: b.Detail, Emoji: b.Emoji, Hold: b.Hold,
			Do: v1.Act{Kind: string(b.Do.Kind), Request: b.Do.Request, Answer: b.Do.Answer, Text: b.Do.Text, Page: b.Do.Page},
		})
	}
	w.Header().Add("Vary", "Accept-Language")
	return httpd.JSON(w, http.StatusOK, out)
}

func (q *query) count(name string, usual, least, most int) int {
	if !q.values.Has(name) {
		return usual
	}
	n, err := strconv.Atoi(q.values.Get(name))
	if err != nil || n < least || n > most {
		q.fail("%s must be a number from %d to %d", name, least, most)
	}
	return n
}

func (q *query) yes(name string) bool {
	switch q.text(name) {
	case "1":
		return true
	case "", "0":
		return false
	}
	q.fail("%s is 1 or 0", name)
	return false
}
