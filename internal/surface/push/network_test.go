package push

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/store/sqlite"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
)

// network is a hub on disk with this surface and one paired device, in real
// time.
type network struct {
	t     *testing.T
	hub   *hub.Hub
	mux   http.Handler
	token string
	key   string
}

func openNetwork(t *testing.T) *network {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "nod.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	g := &network{t: t}
	if g.hub, err = hub.Open(t.Context(), store, hub.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.hub.Close(context.Background()) })
	keeper := auth.NewCredentials(store, nil, nil)
	secret, _, err := keeper.Create(t.Context(), nod.Actor{Rights: all}, "phone", answering, "")
	if err != nil {
		t.Fatal(err)
	}
	g.token = secret.Reveal()
	surface := New(Options{Hub: g.hub, Tokens: keeper, Book: store, Private: true})
	g.mux = httpd.Mux(&httpd.Gate{Credentials: keeper, Allow: func(ctx context.Context, by nod.Actor, right nod.Right, what string) error {
		return g.hub.Desk(by).Allowed(ctx, right, what)
	}}, surface.Log, surface.Routes()...)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		surface.Run(ctx)
	}()
	t.Cleanup(func() { cancel(); <-ended })
	var s Settings
	if err := json.Unmarshal(g.send("GET", "").Body.Bytes(), &s); err != nil {
		t.Fatal(err)
	}
	g.key = s.Key
	return g
}

func (g *network) send(method, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(g.t.Context(), method, "/v1/push", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+g.token)
	w := httptest.NewRecorder()
	g.mux.ServeHTTP(w, r)
	return w
}

func (g *network) put(body string) {
	g.t.Helper()
	if w := g.send("PUT", body); w.Code != 200 {
		g.t.Fatalf("%d %s", w.Code, w.Body)
	}
}

func (g *network) ask(id string) {
	g.t.Helper()
	if _, err := g.hub.Link("test").Ask(g.t.Context(), request(id)); err != nil {
		g.t.Fatal(err)
	}
}
