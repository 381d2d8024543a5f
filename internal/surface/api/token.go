package api

import (
	"net"
	"net/http"
	"net/netip"
	"time"

	"nod"
	"nod/internal/auth"
	"nod/internal/httpd"
)

// TokenList is a list of credentials, oldest first.
type TokenList struct {
	Tokens []auth.Token `json:"tokens"`
}

// NewToken asks for a credential.
type NewToken struct {
	Name   string     `json:"name"`
	Rights nod.Rights `json:"rights"`
	Room   string     `json:"room,omitempty"`
}

// FreshToken is a credential with its secret, which is told this once.
type FreshToken struct {
	auth.Token
	Secret string `json:"token"`
}

// NewPairing asks for a code that admits a device.
type NewPairing struct {
	Rights *nod.Rights `json:"rights,omitempty"` // none: view,answer
}

// Pairing is a one-time code, and the page on which a device can use it.
type Pairing struct {
	Code    string    `json:"code"`
	Link    string    `json:"link"`
	Expires time.Time `json:"expires_at"`
}

// Redemption trades a code for a token.
type Redemption struct {
	Code string `json:"code"`
	Name string `json:"name"`
}

func (s *surface) tokens(w http.ResponseWriter, r *http.Request) error {
	list, err := s.Keeper.List(r.Context())
	if err != nil {
		return err
	}
	return httpd.JSON(w, http.StatusOK, TokenList{orEmpty(list)})
}

func (s *surface) createToken(w http.ResponseWriter, r *http.Request) error {
	var n NewToken
	if err := httpd.Decode(w, r, &n); err != nil {
		return err
	}
	secret, token, err := s.Keeper.Create(r.Context(), httpd.ActorOf(r.Context()), n.Name, n.Rights, n.Room)
	if err != nil {
		return err
	}
	return httpd.JSON(w, http.StatusCreated, FreshToken{token, secret.Reveal()})
}

func (s *surface) revokeToken(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r)
	if err != nil {
		return err
	}
	if err := s.Keeper.Revoke(r.Context(), id); err != nil {
		return err
	}
	return httpd.NoContent(w)
}

func (s *surface) createPairing(w http.ResponseWriter, r *http.Request) error {
	var n NewPairing
	if err := httpd.Decode(w, r, &n); err != nil {
		return err
	}
	rights := auth.Paired
	if n.Rights != nil {
		rights = *n.Rights
	}
	p, err := s.Keeper.Pair(httpd.ActorOf(r.Context()), rights)
	if err != nil {
		return err
	}
	// After the #, so that the code stays in the browser and out of every log.
	return httpd.JSON(w, http.StatusCreated, Pairing{p.Code, s.Listen() + "/pair#" + p.Code, p.Expires})
}

func (s *surface) redeem(w http.ResponseWriter, r *http.Request) error {
	var n Redemption
	if err := httpd.Decode(w, r, &n); err != nil {
		return err
	}
	secret, token, err := s.Keeper.Redeem(r.Context(), n.Code, n.Name, source(r))
	if err != nil {
		return err
	}
	return httpd.JSON(w, http.StatusCreated, FreshToken{token, secret.Reveal()})
}

// source is where a stranger comes from, for counting wrong tries. One network
// of IPv6 is one source: a single machine has all its addresses.
func source(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return "local"
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	if ip = ip.Unmap().WithZone(""); ip.Is4() {
		return ip.String()
	}
	network, err := ip.Prefix(64)
	if err != nil {
		return ip.String()
	}
	return network.String()
}
