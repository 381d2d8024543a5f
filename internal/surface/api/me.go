package api

import (
	"net/http"

	"nod"
	"nod/internal/net/httpd"
)

// Me is who the hub takes the caller for.
type Me struct {
	Kind    nod.ActorKind `json:"kind"`
	Name    string        `json:"name"`
	Via     string        `json:"via"`
	ID      string        `json:"id,omitempty"`
	Rights  []string      `json:"rights"`
	Version string        `json:"version"`
	Demo    bool          `json:"demo"` // everything here is made up
	Open    bool          `json:"open"` // there is an assistant, and you may open a conversation with it
}

func (s *surface) me(w http.ResponseWriter, r *http.Request) error {
	a := httpd.ActorOf(r.Context())
	return httpd.JSON(w, http.StatusOK, Me{
		Kind: a.Kind, Name: a.Name, Via: a.Via, ID: a.ID, Rights: a.Rights.Names(), Version: s.Version, Demo: s.Demo,
		Open: s.mayOpen(r),
	})
}

// signOut ends the caller's own token.
func (s *surface) signOut(w http.ResponseWriter, r *http.Request) error {
	a := httpd.ActorOf(r.Context())
	if a.Kind != nod.ActorDevice {
		return nod.Errorf(nod.Invalid, "%s has no token here, so there is nothing to sign out of", a.Name)
	}
	httpd.ClearCookie(w, r)
	if err := s.Credentials.Revoke(r.Context(), a.ID); err != nil {
		return err
	}
	return httpd.NoContent(w)
}
