package api

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"rsc.io/qr"

	"nod"
	v1 "nod/internal/client/v1"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
)

func (s *Surface) tokens(w http.ResponseWriter, r *http.Request) error {
	list, err := s.Credentials.List(r.Context())
	if err != nil {
		return err
	}
	out := v1.TokenList{Tokens: []v1.Token{}}
	for _, t := range list {
		out.Tokens = append(out.Tokens, public(t))
	}
	return httpd.JSON(w, http.StatusOK, out)
}

// public is a credential without its hash.
func public(t auth.Token) v1.Token {
	return v1.Token{ID: t.ID, Name: t.Name, Rights: t.Rights, Room: t.Room, Created: t.Created, Expires: t.Expires, Used: t.Used}
}

func (s *Surface) createToken(w http.ResponseWriter, r *http.Request) error {
	var n v1.NewToken
	if err := httpd.Decode(w, r, &n); err != nil {
		return err
	}
	if host, ok := strings.CutPrefix(n.Room, nod.LinkRoom); ok && strings.HasPrefix(host, nod.HubKey) {
		return nod.Errorf(nod.Invalid, "no machine can be called %q, because hubs are: choose a name without %q", host, nod.HubKey)
	}
	secret, token, err := s.Credentials.Create(r.Context(), httpd.ActorOf(r.Context()), n.Name, n.Rights, n.Room)
	if err != nil {
		return err
	}
	return httpd.JSON(w, http.StatusCreated, v1.FreshToken{Token: public(token), Secret: secret.Reveal()})
}

func (s *Surface) revokeToken(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r)
	if err != nil {
		return err
	}
	if err := s.Credentials.Revoke(r.Context(), id); err != nil {
		return err
	}
	return httpd.NoContent(w)
}

func (s *Surface) createPairing(w http.ResponseWriter, r *http.Request) error {
	var n v1.NewPairing
	if err := httpd.Decode(w, r, &n); err != nil {
		return err
	}
	rights := auth.Paired
	if n.Rights != nil {
		rights = *n.Rights
	}
	p, err := s.Credentials.Pair(r.Context(), httpd.ActorOf(r.Context()), rights)
	if err != nil {
		return err
	}
	// After the #, so that the code stays in the browser and out of logs.
	link := s.Address() + "/pair#" + p.Code
	rows, err := squares(link)
	if err != nil {
		return err
	}
	return httpd.JSON(w, http.StatusCreated, v1.Pairing{Code: p.Code, Link: link, Expires: p.Expires, QR: rows})
}

// squares draws a text as a QR code.
func squares(text string) ([]string, error) {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return nil, fmt.Errorf("drawing the pairing link: %w", err)
	}
	rows := make([]string, code.Size)
	for y := range rows {
		row := make([]byte, code.Size)
		for x := range row {
			row[x] = '0'
			if code.Black(x, y) {
				row[x] = '1'
			}
		}
		rows[y] = string(row)
	}
	return rows, nil
}

func (s *Surface) redeem(w http.ResponseWriter, r *http.Request) error {
	var n v1.Redemption
	if err := httpd.Decode(w, r, &n); err != nil {
		return err
	}
	secret, token, err := s.Credentials.Redeem(r.Context(), n.Code, n.Name, source(r))
	if err != nil {
		return err
	}
	fresh := v1.FreshToken{Token: public(token)}
	if n.Cookie {
		fresh.Key = httpd.SetCookie(w, r, secret)
	} else {
		fresh.Secret = secret.Reveal()
	}
	return httpd.JSON(w, http.StatusCreated, fresh)
}

// source is the address that wrong codes are counted for. A whole IPv6 network is one
// source, because a single machine has all its addresses.
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
