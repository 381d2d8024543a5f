package push

import (
	"encoding/json"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/hubtest"
	"nod/internal/hub/store/sqlite"
)

// network is a hub on disk with this surface and one paired device, in real
// time.
type network struct {
	*hubtest.Rig
	web *hubtest.Web
	key string
}

func openNetwork(t *testing.T) *network {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "nod.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	g := &network{Rig: hubtest.New(t, hubtest.Options{Store: store})}
	g.web = g.Web()
	surface := New(Config{Private: true}, adapter.Deps{Deps: hub.Deps{Hub: g.Hub, Now: time.Now}}, Needs{Tokens: g.web.Credentials, Store: store})
	g.web.Serve(surface.Routes()...)
	g.Run(surface.Run)
	var s Settings
	if err := json.Unmarshal(g.send("GET", "").Body.Bytes(), &s); err != nil {
		t.Fatal(err)
	}
	g.key = s.Key
	return g
}

func (g *network) send(method, body string) *httptest.ResponseRecorder {
	return g.web.Send(method, "/v1/push", g.web.Token("phone", answering), body)
}

func (g *network) put(body string) {
	g.Helper()
	if w := g.send("PUT", body); w.Code != 200 {
		g.Fatalf("%d %s", w.Code, w.Body)
	}
}

func (g *network) ask(id string) { g.Ask(request(id)) }
