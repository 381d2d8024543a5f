// Package passkey lets people register passkeys and use them to confirm dangerous
// requests. A confirmation yields a ticket, which is sent with the decision.
package passkey

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"nod"
	"nod/internal/hub/adapter"
	"nod/internal/net/httpd"
	"nod/internal/net/passkey"
)

// Needs is what the surface needs of others.
type Needs struct{ Ceremonies *passkey.Ceremonies }

// Surface is the passkeys of this hub.
type Surface struct {
	adapter.Deps
	Needs
}

// New makes the surface.
func New(d adapter.Deps, n Needs) *Surface {
	d.Fill()
	return &Surface{d, n}
}

// maxBody is far more than an authenticator sends.
const maxBody = 64 << 10

// Routes lists the routes of the surface. The right to answer includes confirming;
// changing the passkeys takes the right to administer, which no agent has.
func (s *Surface) Routes() []httpd.Route {
	admin := func(method, path, what string, h httpd.Handler) httpd.Route {
		return httpd.Route{Method: method, Path: path, Right: nod.Admin, What: what, Body: maxBody, Handle: s.explained(h)}
	}
	answer := func(path string, h httpd.Handler) httpd.Route {
		return httpd.Route{Method: "POST", Path: path, Right: nod.Answering, What: "confirm request", Body: maxBody, Handle: s.explained(h)}
	}
	return []httpd.Route{
		{Method: "GET", Path: "/v1/proof", Right: nod.View, What: "see what takes a passkey", Handle: s.rule},
		answer("/v1/requests/{id}/proof/begin", s.beginProof),
		answer("/v1/requests/{id}/proof", s.finishProof),

		admin("GET", "/v1/passkeys", "list passkeys", s.list),
		admin("DELETE", "/v1/passkeys/{id}", "delete passkey", s.remove),
		admin("POST", "/v1/passkeys/proof/begin", "change passkeys", s.beginProof),
		admin("POST", "/v1/passkeys/proof", "change passkeys", s.finishProof),
		admin("POST", "/v1/passkeys/invitations", "let a passkey be added", s.invite),
		admin("POST", "/v1/passkeys/register/begin", "add a passkey", s.beginRegistration),
		admin("POST", "/v1/passkeys/register/finish", "add a passkey", s.finishRegistration),
	}
}

// Rule says what needs a passkey on this hub, and how many passkeys the caller's
// page can use.
type Rule struct {
	Required []string `json:"required"` // levels of risk
	Here     int      `json:"here"`     // passkeys that work under the name of this page
	All      int      `json:"all"`
}

func (s *Surface) rule(w http.ResponseWriter, r *http.Request) error {
	all, err := s.Ceremonies.List(r.Context())
	if err != nil {
		return err
	}
	rule := Rule{Required: append([]string{}, s.Hub.ProofLevels()...), All: len(all)}
	page := url.URL{Host: r.Host}
	for _, k := range all {
		if strings.EqualFold(k.Site, page.Hostname()) {
			rule.Here++
		}
	}
	return httpd.JSON(w, http.StatusOK, rule)
}

// siteOf returns the page of the caller's browser. httpd has checked that it is the
// hub's own, under one of its names. A Unix socket has no page, whatever its client
// claims.
func siteOf(r *http.Request) (passkey.Site, error) {
	if httpd.LocalConn(r.Context()) != nil {
		return passkey.SiteOf("")
	}
	return passkey.SiteOf(r.Header.Get("Origin"))
}

// subject is what the caller wants to confirm: an open request, or, on a path
// without one, a change of the passkeys.
func (s *Surface) subject(r *http.Request) (passkey.Subject, error) {
	id := nod.RequestID(r.PathValue("id"))
	if id == "" {
		return passkey.ForPasskeys, nil
	}
	if !s.isOpen(id) {
		// It may have just been raised at another hub; reading through a desk catches
		// up with the log first.
		_, _ = s.Hub.Desk(httpd.ActorOf(r.Context())).Request(r.Context(), id)
	}
	if !s.isOpen(id) {
		return "", nod.Errorf(nod.NotFound, "no request %q waits: a confirmation needs the whole id of one that does", nod.Fold(nod.OneLine(string(id)), 80))
	}
	return passkey.ForRequest(id), nil
}

func (s *Surface) isOpen(id nod.RequestID) (open bool) {
	s.Hub.Look(func(state *nod.State) {
		r, ok := state.Requests[id]
		open = ok && !r.Settled()
	})
	return open
}

// Options wraps what the browser gets the way navigator.credentials expects it.
type Options[T any] struct {
	PublicKey T `json:"publicKey"`
}

func (s *Surface) beginProof(w http.ResponseWriter, r *http.Request) error {
	site, err := siteOf(r)
	if err != nil {
		return err
	}
	subject, err := s.subject(r)
	if err != nil {
		return err
	}
	c, err := s.Ceremonies.BeginProof(r.Context(), httpd.ActorOf(r.Context()), site, subject)
	if err != nil {
		return err
	}
	return httpd.JSON(w, http.StatusOK, Options[passkey.RequestOptions]{c})
}

func (s *Surface) finishProof(w http.ResponseWriter, r *http.Request) error {
	site, err := siteOf(r)
	if err != nil {
		return err
	}
	subject, err := s.subject(r)
	if err != nil {
		return err
	}
	var a passkey.Assertion
	if err := httpd.Decode(w, r, &a); err != nil {
		return err
	}
	ticket, err := s.Ceremonies.FinishProof(r.Context(), httpd.ActorOf(r.Context()), site, subject, a)
	if err != nil {
		return err
	}
	return httpd.JSON(w, http.StatusOK, ticket)
}

// RedeemProof redeems tickets for a gate; see httpd.Gate.Proof.
func RedeemProof(c *passkey.Ceremonies) func(ctx context.Context, by nod.Actor, ticket string, id nod.RequestID) (bool, error) {
	return func(ctx context.Context, by nod.Actor, ticket string, id nod.RequestID) (bool, error) {
		return c.Redeem(ctx, by, ticket, passkey.ForRequest(id))
	}
}
