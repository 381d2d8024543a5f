package policy

import (
	"net/http"
	"strconv"
	"time"

	"nod"
	v1 "nod/internal/client/v1"
	"nod/internal/hub"
	"nod/internal/judge/policy"
	"nod/internal/net/httpd"
)

// How far back decisions are read.
const (
	usualDays = 30
	mostDays  = 365
	mostPast  = 20_000 // requests; of more only the newest count
)

func (s *Surface) suggestions(w http.ResponseWriter, r *http.Request) error {
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
	out := v1.RuleSuggestions{Days: days, Looked: len(past), Suggestions: []v1.RuleSuggestion{}}
	for _, found := range policy.Suggest(past, s.Rules.Current(), now) {
		out.Suggestions = append(out.Suggestions, suggested(found))
	}
	return httpd.JSON(w, http.StatusOK, out)
}

// suggested is a suggestion in JSON.
func suggested(s policy.Suggestion) v1.RuleSuggestion {
	out := v1.RuleSuggestion{
		Rule: s.Rule, Allowed: s.Allowed, Denied: s.Denied, WouldAllow: s.WouldAllow,
		WouldAllowDenied: []v1.Denied{}, Last: s.Last,
	}
	for _, p := range s.WouldAllowDenied {
		out.WouldAllowDenied = append(out.WouldAllowDenied, v1.Denied{ID: p.ID, Title: p.Title, At: p.At})
	}
	return out
}

// past reads the approvals that were settled since a time, newest first.
func (s *Surface) past(r *http.Request, since time.Time) ([]policy.Past, error) {
	desk := s.Hub.Desk(httpd.ActorOf(r.Context()))
	var all []policy.Past
	for before := nod.Seq(0); len(all) < mostPast; {
		list, next, err := desk.Past(r.Context(), hub.Past{From: since, Before: before, Limit: 1000})
		if err != nil {
			return nil, err
		}
		for _, request := range list {
			if request.Kind == nod.KindApproval && !request.Unsure {
				all = append(all, policy.Recorded(request, s.Rules.Subject(request)))
			}
		}
		if before = next; next == 0 {
			break
		}
	}
	return all, nil
}
