package api

import (
	"context"
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
	recentTurns  = 20 // the agent's last words are among the newest turns, or long past
	mostPages    = 1000
)

// suggest tells which buttons fit, in the language of Accept-Language.
func (s *surface) suggest(w http.ResponseWriter, r *http.Request) error {
	q := queryOf(r, "most", "page", "holds", "reads")
	at := advise.Situation{
		Page: q.count("page", 0, 0, mostPages), Holds: q.yes("holds"), Reads: q.yes("reads"),
		Proof: s.Proof, Say: words.Accept(r.Header.Get("Accept-Language")),
	}
	most := q.count("most", usualButtons, 1, mostButtons)
	if q.err != nil {
		return q.err
	}
	var err error
	if at.Agent, err = s.findAgent(r); err != nil {
		return err
	}
	if at.Pending, err = s.desk(r).Requests(r.Context(), hub.Filter{Status: nod.Pending, Agent: at.Agent.ID, Limit: maxLimit}); err != nil {
		return err
	}
	slices.Reverse(at.Pending)
	turns, err := s.desk(r).Turns(r.Context(), at.Agent.ID, 0, recentTurns)
	if err != nil {
		return err
	}
	at.Last = advise.LastWord(turns)
	out := v1.Advice{Suggestions: []v1.Button{}}
	for _, b := range s.advised(r.Context(), at, most) {
		out.Suggestions = append(out.Suggestions, v1.Button{
			ID: b.ID, Label: b.Label, Detail: b.Detail, Emoji: b.Emoji, Hold: b.Hold,
			Do: v1.Act{Kind: string(b.Do.Kind), Request: b.Do.Request, Answer: b.Do.Answer, Text: b.Do.Text, Page: b.Do.Page},
		})
	}
	w.Header().Add("Vary", "Accept-Language")
	return httpd.JSON(w, http.StatusOK, out)
}

// advised is what the rules say, or what somebody made of them meanwhile.
func (s *surface) advised(ctx context.Context, at advise.Situation, most int) []advise.Suggestion {
	if s.Advise == nil {
		return advise.For(at, most)
	}
	return s.Advise(ctx, at, most)
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
