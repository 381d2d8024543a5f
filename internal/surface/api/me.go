package api

import (
	"net/http"

	"nod"
	v1 "nod/internal/client/v1"
	"nod/internal/net/httpd"
)

func (s *Surface) me(w http.ResponseWriter, r *http.Request) error {
	a := httpd.ActorOf(r.Context())
	return httpd.JSON(w, http.StatusOK, v1.Me{
		Kind: a.Kind, Name: a.Name, Via: a.Via, ID: a.ID, Rights: a.Rights.Names(), Version: s.Version, Demo: s.Demo,
		Open: s.mayOpen(r),
	})
}

// signOut ends the caller's own token.
func (s *Surface) signOut(w http.ResponseWriter, r *http.Request) error {
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
