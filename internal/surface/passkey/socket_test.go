package passkey

import (
	"context"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"nod/e2e/fakekey"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
)

// A person who has lost every passkey can delete them at the hub's own machine; an
// agent there cannot.
func TestAtTheHubsOwnTerminal(t *testing.T) {
	g := newRig(t)
	owner := g.pair(everything)
	owner.register(fakekey.ES256())
	list := read[KeyList](t, owner.send("GET", "/v1/passkeys", nil)).Passkeys
	person := false
	g.gate.Local = &auth.Local{Host: "desk", Judge: func(net.Conn) auth.Verdict { return auth.Verdict{Person: person, PID: 7, User: "anna"} }}

	path := filepath.Join(t.TempDir(), "s")
	server, err := httpd.Listen(t.Context(), httpd.Config{Handler: g.mux, Socket: path})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx) }()
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}}}
	defer func() {
		client.CloseIdleConnections()
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	for _, c := range []struct {
		person             bool
		method, path, body string
		status             int
		words              string
	}{
		{false, "DELETE", "/v1/passkeys/" + list[0].ID, "", 403, "an agent may not delete passkey"},
		{false, "POST", "/v1/passkeys/invitations", "", 403, "an agent may not"},
		{false, "POST", "/v1/passkeys/register/begin", `{"name":"x"}`, 403, "an agent may not"},
		{true, "POST", "/v1/passkeys/invitations", "", 201, "code"},
		{true, "POST", "/v1/passkeys/register/begin", `{"name":"x"}`, 422, "Only a browser"},
		{true, "POST", "/v1/requests/r1/proof/begin", "", 422, "Only a browser"},
		{true, "POST", "/v1/requests/r1/decision", `{"verdict":"allow"}`, 403, "open nod in a browser"},
		{true, "DELETE", "/v1/passkeys/" + list[0].ID, "", 204, ""},
		{true, "POST", "/v1/requests/r1/decision", `{"verdict":"deny"}`, 200, "deny"},
	} {
		person = c.person
		r, err := http.NewRequestWithContext(t.Context(), c.method, "http://nod"+c.path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Origin", "http://nod") // a program that claims to be a page
		w, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(w.Body)
		_ = w.Body.Close()
		if w.StatusCode != c.status || !strings.Contains(string(body), c.words) {
			t.Errorf("%s %s: %d %s; want %d …%s…", c.method, c.path, w.StatusCode, body, c.status, c.words)
		}
	}
}
