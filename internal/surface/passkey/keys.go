package passkey

import (
	"net/http"
	"strings"
	"unicode/utf8"

	"nod"
	"nod/internal/net/httpd"
	"nod/internal/net/passkey"
	"nod/internal/present/words"
)

// KeyList is a list of passkeys, oldest first.
type KeyList struct {
	Passkeys []passkey.Key `json:"passkeys"`
}

func (s *Surface) list(w http.ResponseWriter, r *http.Request) error {
	all, err := s.Ceremonies.List(r.Context())
	if err != nil {
		return err
	}
	return httpd.JSON(w, http.StatusOK, KeyList{append([]passkey.Key{}, all...)})
}

func (s *Surface) remove(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	err := s.Ceremonies.Delete(r.Context(), httpd.ActorOf(r.Context()), id, r.Header.Get(httpd.ProofHeader))
	if err != nil && nod.CodeOf(err) == nod.NotFound {
		return nod.Errorf(nod.NotFound, "%s", printer(r).Say(words.PasskeyUnknown, nod.Fold(nod.OneLine(id), 80))).Because(err)
	}
	if err != nil {
		return err
	}
	return httpd.NoContent(w)
}

func (s *Surface) invite(w http.ResponseWriter, r *http.Request) error {
	i, err := s.Ceremonies.Invite(r.Context(), httpd.ActorOf(r.Context()), r.Header.Get(httpd.ProofHeader))
	if err != nil {
		return err
	}
	return httpd.JSON(w, http.StatusCreated, i)
}

// NewKey is the request for a new passkey.
type NewKey struct {
	Name       string `json:"name"`
	Invitation string `json:"invitation,omitempty"` // replaces the proof on a page where no passkey works yet
}

const maxName = 64

func (s *Surface) beginRegistration(w http.ResponseWriter, r *http.Request) error {
	site, err := siteOf(r)
	if err != nil {
		return err
	}
	var n NewKey
	if err := httpd.Decode(w, r, &n); err != nil {
		return err
	}
	n.Name = strings.TrimSpace(n.Name)
	if n.Name == "" || utf8.RuneCountInString(n.Name) > maxName || nod.OneLine(n.Name) != n.Name {
		return nod.Errorf(nod.Invalid, "%s", printer(r).Say(words.PasskeyName))
	}
	permission := passkey.Permission{Ticket: r.Header.Get(httpd.ProofHeader), Invitation: n.Invitation}
	c, err := s.Ceremonies.BeginRegistration(r.Context(), httpd.ActorOf(r.Context()), site, n.Name, permission)
	if err != nil {
		return err
	}
	return httpd.JSON(w, http.StatusOK, Options[passkey.CreationOptions]{c})
}

func (s *Surface) finishRegistration(w http.ResponseWriter, r *http.Request) error {
	site, err := siteOf(r)
	if err != nil {
		return err
	}
	var n passkey.Registration
	if err := httpd.Decode(w, r, &n); err != nil {
		return err
	}
	k, err := s.Ceremonies.FinishRegistration(r.Context(), httpd.ActorOf(r.Context()), site, n)
	if err != nil {
		return err
	}
	return httpd.JSON(w, http.StatusCreated, k)
}
