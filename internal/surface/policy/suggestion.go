package policy

import (
	"net/http"
	"strconv"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/judge/policy"
	"nod/internal/net/httpd"
)

// How far back people look.
const (
	usualDays = 30
	mostDays  = 365
	mostPast  = 20_000 // requests; beyond it a suggestion rests on the newest ones
)

// Suggestions are rules that a person's own decisions speak for.
type Suggestions struct {
	Days        int          `json:"days"`
	Looked      int          `json:"looked"` // how many decisions were looked at
	Suggestions []Suggestion `json:"suggestions"`
}

// Suggestion is one rule, tried against the past before anybody makes it.
type Suggestion struct {
	Rule             string    `json:"rule"`
	Allowed          int       `json:"allowed"` // how often people allowed such a thing
	Denied           int       `json:"denied"`
	WouldAllow       int       `json:"would_allow"`        // past calls that would have needed no person
	WouldAllowDenied []Denied  `json:"would_allow_denied"` // and those of them that a person denied
	Last             time.Time `json:"last_at"`
}

// Denied is a past request that a person denied.
type Denied struct {
	ID    string    `json:"id"`
	Title string    `json:"title"`
	At    time.Time `json:"at"`
}

func (s *surface) suggestions(w http.ResponseWriter, r *http.Request) error {
	days := usualDays
	if text := r.URL.Query().Get("days"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > mostDays {
			return nod.Errorf(nod.Invalid, "days must be a number from 1 to %d", mostDays)
		}
		days = n
	}
	now := s.Now()
	past, err := s.past(r, now.AddDate(0, 0, -days))
	if err != nil {
		return err
	}
	out := Suggestions{Days: days, Looked: len(past), Suggestions: []Suggestion{}}
	for _, found := range policy.Suggest(past, s.Rules.Current(), now) {
		out.Suggestions = append(out.Suggestions, told(found))
	}
	return httpd.JSON(w, http.StatusOK, out)
}

func told(s policy.Suggestion) Suggestion {
	out := Suggestion{
		Rule: s.Rule, Allowed: s.Allowed, Denied: s.Denied, WouldAllow: s.WouldAllow,
		WouldAllowDenied: []Denied{}, Last: s.Last,
	}
	for _, p := range s.WouldAllowDenied {
		out.WouldAllowDenied = append(out.WouldAllowDenied, Denied{ID: p.ID, Title: p.Title, At: p.At})
	}
	return out
}

// past reads what was decided since a time, newest first.
func (s *surface) past(r *http.Request, since time.Time) ([]policy.Past, error) {
	desk := s.Hub.Desk(httpd.ActorOf(r.Context()))
	var all []policy.Past
	for before := nod.Seq(0); len(all) < mostPast; {
		list, next, err := desk.Past(r.Context(), hub.Past{From: since, Before: before, Limit: 1000})
		if err != nil {
			return nil, err
		}
		for _, request := range list {
			if request.Kind == nod.KindApproval {
				all = append(all, policy.Recorded(request, s.Rules.Subject(request)))
			}
		}
		if before = next; next == 0 {
			break
		}
	}
	return all, nil
}
