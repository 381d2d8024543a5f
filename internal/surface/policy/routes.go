// Package policy lets people see and change what needs no person: which rules
// there are, which ones their own decisions suggest, and one more rule.
package policy

import (
	"net/http"
	"time"

	"nod"
	v1 "nod/internal/client/v1"
	"nod/internal/hub"
	"nod/internal/judge/policy"
	"nod/internal/net/httpd"
)

// Rules is where the rules live.
type Rules interface {
	// Current is the policy that judges now.
	Current() *policy.Policy
	// Subject is what a recorded request looks like to a policy.
	Subject(r *nod.Request) policy.Subject
	// Add writes a rule where people look for it, and lets it count from now on.
	Add(list, rule string) error
	// Reload reads the rules anew, after somebody has edited them.
	Reload() error
}

// Deps is what the surface is built on.
type Deps struct {
	Hub   *hub.Hub
	Rules Rules
	Now   func() time.Time
}

type surface struct{ Deps }

// Routes are all doors of the surface.
func Routes(d Deps) []httpd.Route {
	s := &surface{d}
	return []httpd.Route{
		{Method: "GET", Path: "/v1/policy/suggestions", Right: nod.View, What: "see suggested rules", Handle: s.suggestions},
		{Method: "POST", Path: "/v1/policy/rules", Right: nod.Admin, What: "make a rule", Handle: s.add},
		{Method: "POST", Path: "/v1/policy/reload", Right: nod.Admin, What: "read the rules anew", Handle: s.reload},
	}
}

func (s *surface) add(w http.ResponseWriter, r *http.Request) error {
	var n v1.NewRule
	if err := httpd.Decode(w, r, &n); err != nil {
		return err
	}
	if err := s.Rules.Add(n.List, n.Rule); err != nil {
		return err
	}
	return httpd.JSON(w, http.StatusCreated, n)
}

func (s *surface) reload(w http.ResponseWriter, _ *http.Request) error {
	if err := s.Rules.Reload(); err != nil {
		return err
	}
	return httpd.NoContent(w)
}
