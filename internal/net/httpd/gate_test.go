package httpd

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"nod"
	"nod/internal/hub/store/mem"
	"nod/internal/net/auth"
)

// A token for a room is valid in that room only, even where its rights would be
// enough.
func TestATokenOfARoomIsValidOnlyThere(t *testing.T) {
	keeper := auth.NewCredentials(mem.New(), nil, nil)
	gate := &Gate{Credentials: keeper, Allow: func(context.Context, nod.Actor, nod.Right, string) error { return nil }}
	seen := ""
	note := func(w http.ResponseWriter, r *http.Request) error {
		seen = ActorOf(r.Context()).Name
		return NoContent(w)
	}
	mux := Mux(gate, slog.New(slog.DiscardHandler),
		Route{Method: "GET", Path: "/state", Right: nod.View, What: "see", Handle: note}, Route{Method: "GET", Path: "/health", Open: true, Handle: note})
	all := nod.RightsOf(nod.Raise, nod.View, nod.Answering, nod.Admin)
	for _, c := range []struct {
		room, path string
		status     int
		seen       string
	}{
		{"", "/state", http.StatusNoContent, "phone"},
		{"kitchen", "/state", http.StatusForbidden, ""},
		{"kitchen", "/health", http.StatusNoContent, ""}, // without a credential
	} {
		secret, _, err := keeper.Create(t.Context(), nod.Actor{Name: "anna", Rights: all}, "phone", all, c.room)
		if err != nil {
			t.Fatal(err)
		}
		seen = ""
		r := httptest.NewRequestWithContext(t.Context(), "GET", c.path, nil)
		r.Header.Set("Authorization", "Bearer "+secret.Reveal())
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		if w.Code != c.status || seen != c.seen {
			t.Errorf("room %q at %s: %d %s, seen as %q", c.room, c.path, w.Code, w.Body, seen)
		}
	}
}
