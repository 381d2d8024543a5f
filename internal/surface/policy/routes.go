// Package policy lets people see and change which requests need no person: it suggests
// rules from their own decisions, adds one to the policy, and reloads it.
package policy

import (
	"net/http"

	"nod"
	v1 "nod/internal/client/v1"
	"nod/internal/hub/adapter"
	"nod/internal/judge/policy"
	"nod/internal/net/httpd"
)

// Rules is where the rules are kept.
type Rules interface {
	// Current is the policy that judges now.
	Current() *policy.Policy
	// Subject is a recorded request as a policy sees it.
	Subject(r *nod.Request) policy.Subject
	// Add writes a rule into nod.toml and puts it into force.
	Add(list, rule string) error
	// Reload reads the rules again after someone has edited them.
	Reload() error
}

// Needs is what the surface needs of others.
type Needs struct{ Rules Rules }

// Surface is the endpoints of the policy.
type Surface struct {
	adapter.Deps
	Needs
}

// New makes the endpoints for some rules.
func New(d adapter.Deps, n Needs) *Surface {
	d.Fill()
	return &Surface{Deps: d, Needs: n}
}

// Routes are all endpoints.
func (s *Surface) Routes() []httpd.Route {
	return []httpd.Route{
		{Method: "GET", Path: "/v1/policy/suggestions", Right: nod.View, What: "see suggested rules", Handle: s.suggestions},
		{Method: "POST", Path: "/v1/policy/rules", Right: nod.Admin, What: "make a rule", Handle: s.add},
		{Method: "POST", Path: "/v1/policy/reload", Right: nod.Admin, What: "read the rules anew", Handle: s.reload},
	}
}

func (s *Surface) add(w http.ResponseWriter, r *http.Request) error {
	var n v1.NewRule
	if err := httpd.Decode(w, r, &n); err != nil {
		return err
	}
	if err := s.Rules.Add(n.List, n.Rule); err != nil {
		return err
	}
	return httpd.JSON(w, http.StatusCreated, n)
}

func (s *Surface) reload(w http.ResponseWriter, _ *http.Request) error {
	if err := s.Rules.Reload(); err != nil {
		return err
	}
	return httpd.NoContent(w)
}
