//go:build full

package e2e

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"nod"
	"nod/e2e/fakekey"
	"nod/e2e/rig"
	"nod/internal/agent/claude/wire"
	"nod/internal/client"
	v1 "nod/internal/client/v1"
	"nod/internal/hub/store/pgtest"
)

// Three hubs on one PostgreSQL, and a balancer that gives every step of a
// ceremony to another of them: passkeys are added, what is destructive is
// allowed, once, and without the database nothing is.
func TestPasskeyCeremonyAcrossHubs(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	p := newTouchPage(t, server.Database(t))
	first, second, third := fakekey.ES256(), fakekey.EdDSA(), fakekey.ES256()
	p.register(t, 0, 1, first, nil)
	p.register(t, 2, 0, second, nil, proofHeader, p.confirm(t, 1, 2, "/v1/passkeys/proof", first))
	var invited struct{ Code string }
	p.call(t, 1, 201, "POST", "/v1/passkeys/invitations", nil, &invited, proofHeader, p.confirm(t, 2, 0, "/v1/passkeys/proof", second))
	p.register(t, 0, 2, third, map[string]any{"invitation": invited.Code})
	p.refused(t, 1, 403, nod.ProofNeeded, "/v1/passkeys/register/begin", map[string]any{"name": "key", "invitation": invited.Code})

	const r1, r2, r3 = "/v1/requests/1111111111111111", "/v1/requests/2222222222222222", "/v1/requests/3333333333333333"
	allow := map[string]any{"verdict": nod.VerdictAllow}
	hooked := p.ask(t, 0, r1)
	p.refused(t, 1, 403, nod.ProofNeeded, r1+"/decision", allow)
	ticket := p.confirm(t, 0, 1, r1+"/proof", third)
	p.call(t, 2, 200, "POST", r1+"/decision", allow, nil, proofHeader, ticket)
	if said := <-hooked; !strings.Contains(said, `"allow"`) {
		t.Errorf("the hook at the first hub was told %s", said)
	}

	hooked = p.ask(t, 1, r2)
	p.ask(t, 2, r3)
	ticket = p.confirm(t, 2, 0, r2+"/proof", first)
	p.refused(t, 1, 403, nod.ProofNeeded, r3+"/decision", allow, proofHeader, ticket)
	p.refused(t, 2, 403, nod.ProofNeeded, r2+"/decision", allow, proofHeader, ticket) // shown once is spent, everywhere

	ticket = p.confirm(t, 1, 2, r2+"/proof", first)
	server.Stop(t, syscall.SIGQUIT)
	p.refused(t, 0, 503, nod.Unavailable, r2+"/decision", allow, proofHeader, ticket)
	p.refused(t, 1, 503, nod.Unavailable, r2+"/proof/begin", nil)
	server.Start(t)
	for i := range p.hubs {
		p.ready(t, i)
	}
	p.refused(t, 0, 403, nod.ProofNeeded, r2+"/decision", allow)
	ticket = p.confirm(t, 0, 1, r2+"/proof", second)
	p.call(t, 2, 200, "POST", r2+"/decision", allow, nil, proofHeader, ticket)
	if said := <-hooked; !strings.Contains(said, `"allow"`) {
		t.Errorf("the hook at the second hub was told %s", said)
	}
	p.hubs[0].verify(t)
}

const (
	proofHeader = "Nod-Proof"
	pageName    = "nod.example.org"
	pageOrigin  = "https://" + pageName
)

// touchPage is a browser with nod open in it. Who uses it says which hub gets a call.
type touchPage struct {
	hubs  []*station
	token string
}

func newTouchPage(t *testing.T, database string) *touchPage {
	t.Helper()
	p := &touchPage{}
	for range 3 {
		h := newStation(t, fmt.Sprintf("store = %q\nhosts = [%q]\n[passkey]\nrequired = [\"destructive\"]\n", database, pageName), hubBinary, "serve", "--listen", "127.0.0.1:0")
		if err := h.start(); err != nil {
			t.Fatal(err)
		}
		p.hubs = append(p.hubs, h)
	}
	token, err := client.Local(p.hubs[0].socket(), "test").CreateToken(t.Context(), v1.NewToken{Name: "phone", Rights: nod.RightsOf(nod.View, nod.Answering, nod.Admin)})
	if err != nil {
		t.Fatalf("%v: start the tests from a plain terminal, not from inside an agent", err)
	}
	p.token = token.Secret
	return p
}

// send calls one hub as a browser does behind a balancer; head is pairs.
func (p *touchPage) send(t *testing.T, hub int, method, path string, body any, head ...string) (status int, said []byte) {
	t.Helper()
	var in io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		in = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, p.hubs[hub].address()+path, in)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = pageName
	r.Header.Set("Origin", pageOrigin)
	r.Header.Set("Authorization", "Bearer "+p.token)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(head); i += 2 {
		r.Header.Set(head[i], head[i+1])
	}
	return sendRequest(t, r)
}

func (p *touchPage) call(t *testing.T, hub, status int, method, path string, body, out any, head ...string) {
	t.Helper()
	got, said := p.send(t, hub, method, path, body, head...)
	if got != status {
		t.Fatalf("%s %s at hub %d: %d %s; want %d", method, path, hub, got, said, status)
	}
	if out == nil {
		return
	}
	if err := json.Unmarshal(said, out); err != nil {
		t.Fatalf("%s: %v", said, err)
	}
}

func (p *touchPage) refused(t *testing.T, hub, status int, code nod.Code, path string, body any, head ...string) {
	t.Helper()
	got, said := p.send(t, hub, "POST", path, body, head...)
	var f struct{ Error struct{ Code nod.Code } }
	if err := json.Unmarshal(said, &f); err != nil || got != status || f.Error.Code != code {
		t.Errorf("POST %s at hub %d: %d %s; want %d %s", path, hub, got, said, status, code)
	}
}

func (p *touchPage) ready(t *testing.T, hub int) {
	t.Helper()
	rig.Until(t, "the hub is ready", func() bool {
		status, _ := p.send(t, hub, "GET", "/health/ready", nil)
		return status == 200
	}, func() string { return lastLines(p.hubs[hub].log.String(), 20) })
}

// scene begins a ceremony.
func (p *touchPage) scene(t *testing.T, hub int, path string, body any, head ...string) fakekey.Ceremony {
	t.Helper()
	var options struct{ PublicKey struct{ Challenge string } }
	p.call(t, hub, 200, "POST", path, body, &options, head...)
	return fakekey.Ceremony{Origin: pageOrigin, Site: pageName, Challenge: options.PublicKey.Challenge}
}

func unpadded(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// register adds a passkey: it begins at one hub and ends at another.
func (p *touchPage) register(t *testing.T, from, to int, k *fakekey.Key, more map[string]any, head ...string) {
	t.Helper()
	body := map[string]any{"name": "key"}
	for name, value := range more {
		body[name] = value
	}
	client, attestation := k.Register(p.scene(t, from, "/v1/passkeys/register/begin", body, head...))
	p.call(t, to, 201, "POST", "/v1/passkeys/register/finish", map[string]any{
		"credential": unpadded(k.ID), "client_data": unpadded(client), "attestation": unpadded(attestation), "transports": []string{"internal"},
	}, nil)
}

// confirm touches a passkey: it begins at one hub and ends at another.
func (p *touchPage) confirm(t *testing.T, from, to int, path string, k *fakekey.Key) (ticket string) {
	t.Helper()
	for _, hub := range []int{from, to} { // both know the request
		if about, _, ok := strings.Cut(path, "/proof"); ok && strings.Contains(about, "/requests/") {
			p.call(t, hub, 200, "GET", about, nil, nil)
		}
	}
	client, data, signature := k.Sign(p.scene(t, from, path+"/begin", nil))
	var proof struct{ Proof string }
	p.call(t, to, 200, "POST", path, map[string]any{
		"credential": unpadded(k.ID), "client_data": unpadded(client), "authenticator_data": unpadded(data), "signature": unpadded(signature),
	}, &proof)
	return proof.Proof
}

// ask lets an agent on the machine of a hub ask for something destructive, and
// waits until every hub has it. What its hook is told comes later.
func (p *touchPage) ask(t *testing.T, hub int, path string) <-chan string {
	t.Helper()
	id := strings.TrimPrefix(path, "/v1/requests/")
	over := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", p.hubs[hub].socket())
	}}}
	body := fmt.Sprintf(`{"hook_event_name":"PermissionRequest","session_id":%q,"cwd":"/home/anna/project","permission_mode":"default","tool_name":"Bash","tool_input":{"command":"rm -rf /srv/data"}}`, "of "+id)
	r, err := http.NewRequestWithContext(t.Context(), "POST", "http://nod"+wire.Intake, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(wire.HeaderAsk, id)
	told := make(chan string, 1)
	go func() {
		res, err := over.Do(r)
		if err != nil {
			told <- err.Error()
			return
		}
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		told <- fmt.Sprint(string(text), " ", err)
	}()
	for i := range p.hubs {
		rig.Until(t, "the hub has the request", func() bool {
			status, _ := p.send(t, i, "GET", path, nil)
			return status == 200
		}, func() string { return lastLines(p.hubs[i].log.String(), 20) })
	}
	return told
}
