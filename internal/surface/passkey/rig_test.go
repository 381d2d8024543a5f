package passkey

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/e2e/fakekey"
	v1 "nod/internal/client/v1"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/store/mem"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
	"nod/internal/net/passkey"
	"nod/internal/surface/api"
)

const (
	origin = "https://desk.local:8742"
	host   = "desk.local:8742"
	site   = "desk.local"
)

var (
	everything = nod.RightsOf(nod.Raise, nod.View, nod.Answering, nod.Admin)
	answering  = nod.RightsOf(nod.View, nod.Answering)
)

// destroys is a policy that rates every request destructive.
type destroys struct{}

func (destroys) Judge(*nod.Request, []*nod.Lease) hub.Judgement {
	return hub.Judgement{Risk: &nod.Risk{Level: "destructive"}}
}
func (destroys) Check([]string) error { return nil }

// rig is a hub that requires passkeys, with the routes involved.
type rig struct {
	t     *testing.T
	hub   *hub.Hub
	creds *auth.Credentials
	gate  *httpd.Gate
	mux   http.Handler
	now   time.Time
}

func newRig(t *testing.T) *rig {
	t.Helper()
	g := &rig{t: t, now: time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)}
	store, quiet := mem.New(), slog.New(slog.DiscardHandler)
	var err error
	if g.hub, err = hub.Open(t.Context(), store, hub.Options{Policy: destroys{}, Proof: []string{"destructive"}}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.hub.Close(context.Background()) })
	g.creds = auth.NewCredentials(store, nil, quiet)
	ceremonies := passkey.New(store, func() time.Time { return g.now })
	g.gate = &httpd.Gate{
		Credentials: g.creds, Proof: RedeemProof(ceremonies),
		Allow: func(ctx context.Context, by nod.Actor, right nod.Right, what string) error {
			return g.hub.Desk(by).Allowed(ctx, right, what)
		},
	}
	deps := adapter.Deps{Deps: hub.Deps{Hub: g.hub}}
	routes := append(api.New(deps, api.Needs{Credentials: g.creds}).Routes(), New(deps, Needs{ceremonies}).Routes()...)
	g.mux = httpd.Mux(g.gate, quiet, routes...)
	for _, id := range []nod.RequestID{"r1", "r2"} {
		if _, err := g.hub.Link("test").Ask(t.Context(), nod.Request{ID: id, Agent: nod.AgentRef{ID: "a"}, Kind: nod.KindApproval, Tool: "Bash", Title: "rm", Input: json.RawMessage(`{"command":"rm"}`)}); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// browser is a paired device with a page of the hub open.
type browser struct {
	g      *rig
	token  string
	header http.Header
}

func (g *rig) pair(rights nod.Rights) *browser {
	g.t.Helper()
	secret, _, err := g.creds.Create(g.t.Context(), nod.Actor{Name: "test", Rights: everything}, "phone", rights, "")
	if err != nil {
		g.t.Fatal(err)
	}
	return &browser{g, secret.Reveal(), http.Header{"Origin": {origin}}}
}

// send calls a route; head holds pairs of header and value.
func (b *browser) send(method, path string, body any, head ...string) *httptest.ResponseRecorder {
	b.g.t.Helper()
	return b.sendAs(host, method, path, body, head...)
}

// sendTo posts to the hub under another name.
func (b *browser) sendTo(host, path string, body any, head ...string) *httptest.ResponseRecorder {
	b.g.t.Helper()
	return b.sendAs(host, "POST", path, body, head...)
}

func (b *browser) sendAs(host, method, path string, body any, head ...string) *httptest.ResponseRecorder {
	var text []byte
	if body != nil {
		text, _ = json.Marshal(body)
	}
	r := httptest.NewRequest(method, "https://"+host+path, strings.NewReader(string(text)))
	r.Host = host
	for name, values := range b.header {
		r.Header[name] = values
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if b.token != "" {
		r.Header.Set("Authorization", "Bearer "+b.token)
	}
	for i := 0; i < len(head); i += 2 {
		r.Header.Set(head[i], head[i+1])
	}
	w := httptest.NewRecorder()
	b.g.mux.ServeHTTP(w, r)
	return w
}

// expect sends and checks the status and, for an error, the code.
func (b *browser) expect(status int, code nod.Code, method, path string, body any, head ...string) *httptest.ResponseRecorder {
	b.g.t.Helper()
	w := b.send(method, path, body, head...)
	var f v1.Failure
	_ = json.Unmarshal(w.Body.Bytes(), &f)
	if w.Code != status || f.Error.Code != code {
		b.g.t.Errorf("%s %s: %d %s; want %d %s", method, path, w.Code, w.Body, status, code)
	}
	return w
}

type empty struct{}

func read[T any](t *testing.T, w *httptest.ResponseRecorder) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil {
		t.Fatalf("%s: %v", w.Body, err)
	}
	return v
}

// options is what both ceremonies begin with.
type options struct {
	PublicKey struct {
		Challenge string `json:"challenge"`
	} `json:"publicKey"`
}

func at(o options) fakekey.Ceremony {
	return fakekey.Ceremony{Origin: origin, Site: site, Challenge: o.PublicKey.Challenge}
}

func b64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// register adds a passkey the way the page does.
func (b *browser) register(k *fakekey.Key, head ...string) *httptest.ResponseRecorder {
	b.g.t.Helper()
	w := b.send("POST", "/v1/passkeys/register/begin", NewKey{Name: "my phone"}, head...)
	if w.Code != 200 {
		return w
	}
	client, attestation := k.Register(at(read[options](b.g.t, w)))
	return b.send("POST", "/v1/passkeys/register/finish", map[string]any{
		"credential": b64(k.ID), "client_data": b64(client), "attestation": b64(attestation), "transports": []string{"internal", "odd"},
	})
}

// confirm signs for the subject at a path and returns the ticket.
func (b *browser) confirm(path string, k *fakekey.Key) string {
	b.g.t.Helper()
	w := b.expect(200, "", "POST", path+"/begin", nil)
	client, data, signature := k.Sign(at(read[options](b.g.t, w)))
	w = b.expect(200, "", "POST", path, map[string]any{
		"credential": b64(k.ID), "client_data": b64(client), "authenticator_data": b64(data), "signature": b64(signature),
	})
	return read[passkey.Ticket](b.g.t, w).Proof
}
