package api_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"nod"
	"nod/internal/client"
	v1 "nod/internal/client/v1"
	"nod/internal/net/auth"
)

// Everything the terminal commands do, by the socket and by the network.
func TestTheClientWorks(t *testing.T) {
	for _, by := range []string{"socket", "network"} {
		t.Run(by, func(t *testing.T) {
			g := newRig(t)
			c := client.Local(g.socket, "terminal")
			if by == "network" {
				c = g.device(all)
			}
			g.agent("agent-1")
			g.ask("0123456789abcdef")

			snap, err := c.State(t.Context())
			if err != nil || len(snap.Agents) != 1 || len(snap.Requests) != 1 {
				t.Fatalf("State: %+v, %v", snap, err)
			}
			if list, err := c.Requests(t.Context(), client.Filter{Status: nod.Pending, Limit: 10}); err != nil || len(list) != 1 {
				t.Errorf("Requests: %v, %v", list, err)
			}
			r, err := c.Request(t.Context(), "0123")
			if err != nil || r.ID != "0123456789abcdef" {
				t.Fatalf("Request: %v, %v", r, err)
			}
			if err := c.Shown(t.Context(), r.ID); err != nil {
				t.Errorf("Shown: %v", err)
			}
			d, err := c.Decide(t.Context(), r.ID, nod.Answer{Verdict: nod.VerdictAllow})
			if err != nil || d.Verdict != nod.VerdictAllow || d.By == "" {
				t.Errorf("Decide: %+v, %v", d, err)
			}
			_, err = c.Decide(t.Context(), r.ID, nod.Answer{Verdict: nod.VerdictDeny})
			if w := nod.WinnerOf(err); nod.CodeOf(err) != nod.Conflict || w == nil || w.Decision.Verdict != nod.VerdictAllow {
				t.Errorf("the second answer: %v, %+v", err, w)
			}
			if list, err := c.Agents(t.Context()); err != nil || len(list) != 1 {
				t.Errorf("Agents: %v, %v", list, err)
			}
			if a, err := c.Agent(t.Context(), "agent-1"); err != nil || a.Name != "nod" {
				t.Errorf("Agent: %v, %v", a, err)
			}
			if turns, err := c.Turns(t.Context(), "agent-1", 0, 10); err != nil || len(turns) != 1 || turns[0].Text != "hello" {
				t.Errorf("Turns: %v, %v", turns, err)
			}
			h, err := c.Health(t.Context())
			if err != nil || !h.OK || h.You == nil || h.Head == 0 || h.Rights != all || (h.Data != "") != (by == "socket") {
				t.Errorf("Health: %+v, %v", h, err)
			}
		})
	}
}

func TestTokensAndPairingThroughTheClient(t *testing.T) {
	g := newRig(t)
	c := client.Local(g.socket, "terminal")
	made, err := c.CreateToken(t.Context(), v1.NewToken{Name: "clock", Rights: nod.RightsOf(nod.View), Room: "hall"})
	if err != nil || !strings.HasPrefix(made.Secret, "nod_"+made.ID+"_") {
		t.Fatalf("CreateToken: %+v, %v", made, err)
	}
	if _, err := c.CreateToken(t.Context(), v1.NewToken{Name: "x", Rights: nod.RightsOf(nod.Raise), Room: nod.LinkRoom + nod.HubKey + "x"}); nod.CodeOf(err) != nod.Invalid {
		t.Errorf("a link that is called like a hub: %v", err)
	}
	p, err := c.NewPairing(t.Context(), auth.Paired)
	if err != nil || !strings.HasPrefix(p.Link, g.server.URL()+"/pair#") {
		t.Fatalf("NewPairing: %+v, %v", p, err)
	}
	stranger, err := client.Remote(g.server.URL(), "", "phone")
	if err != nil {
		t.Fatal(err)
	}
	phone, err := stranger.Redeem(t.Context(), p.Code, "phone")
	if err != nil || phone.Rights != auth.Paired {
		t.Fatalf("Redeem: %+v, %v", phone, err)
	}
	list, err := c.Tokens(t.Context())
	if err != nil || len(list) != 2 {
		t.Errorf("Tokens: %+v, %v", list, err)
	}
	if listed := g.send("GET", "/v1/tokens", g.token(all), "").Body.String(); !strings.Contains(listed, made.ID) || strings.Contains(listed, "token\":") || strings.Contains(listed, made.Secret) {
		t.Errorf("the list has secrets: %s", listed)
	}
	if err := c.RevokeToken(t.Context(), phone.ID); err != nil {
		t.Errorf("RevokeToken: %v", err)
	}
	lost, _ := client.Remote(g.server.URL(), phone.Secret, "phone")
	if _, err := lost.State(t.Context()); nod.CodeOf(err) != nod.Unauthorized {
		t.Errorf("a revoked phone still sees: %v", err)
	}
	if h, err := lost.Health(t.Context()); err != nil || !h.OK || h.You != nil || h.Head != 0 {
		t.Errorf("Health for a stranger: %+v, %v", h, err)
	}
	for _, secret := range []string{made.Secret, phone.Secret, p.Code} {
		if strings.Contains(g.Logs.String(), secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
}

// The exact bytes come through: the client can check the chain by itself.
func TestTheClientCanVerifyTheLog(t *testing.T) {
	g := newRig(t)
	c := g.device(nod.RightsOf(nod.View))
	g.agent("agent-1")
	for _, id := range []string{"a", "b", "c"} {
		g.ask(id) // its input has < > & in it, which encoding/json likes to rewrite
	}
	var last nod.Seq
	var hash nod.Hash
	for {
		entries, err := c.Log(t.Context(), last, 2)
		if err != nil {
			t.Fatal(err)
		}
		if len(entries) == 0 {
			break
		}
		for _, entry := range entries {
			e, err := nod.Unseal(entry.Event, entry.Hash)
			if err != nil {
				t.Fatal(err)
			}
			if err := e.Verify(last, hash); err != nil {
				t.Fatal(err)
			}
			last, hash = e.Seq, e.Hash
		}
	}
	if head, want := g.Hub.Head(); last != head || hash != want {
		t.Errorf("the chain ends at %d, the log at %d", last, head)
	}
}

func TestAnAgentOnTheSocketCanOnlyRaise(t *testing.T) {
	g := newRig(t)
	g.verdict = auth.Verdict{PID: 66, Reason: "descends from agent process 12 (claude)"}
	g.ask("0123456789abcdef")
	c := client.Local(g.socket, "terminal")
	_, err := c.Decide(t.Context(), "0123456789abcdef", nod.Answer{Verdict: nod.VerdictAllow})
	if nod.CodeOf(err) != nod.Forbidden || !strings.Contains(err.Error(), "descends from agent process 12") {
		t.Errorf("the agent answers itself: %v", err)
	}
	if _, err := c.State(t.Context()); nod.CodeOf(err) != nod.Forbidden {
		t.Errorf("the agent looks: %v", err)
	}
	if _, err := c.NewPairing(t.Context(), auth.Paired); nod.CodeOf(err) != nod.Forbidden {
		t.Errorf("the agent admits a device: %v", err)
	}
	events, err := g.Options.Store.Read(t.Context(), 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	var tried []string
	for _, e := range events {
		if e.Kind == nod.AccessRefused {
			tried = append(tried, e.Note)
		}
	}
	if got := strings.Join(tried, "; "); got != "answer request 0123456789abcdef; see what is waiting; admit a device" {
		t.Errorf("recorded: %s", got)
	}
	if r, err := g.Link.Request(t.Context(), "0123456789abcdef"); err != nil || r.Settled() {
		t.Errorf("the request is %v, %v", r.Status, err)
	}
}

func TestAnswersFromDevicesOnly(t *testing.T) {
	g := newRig(t)
	g.web.Gate.Local.DevicesOnly = true
	g.ask("0123456789abcdef")
	c := client.Local(g.socket, "terminal")
	if _, err := c.State(t.Context()); err != nil {
		t.Errorf("a person at the machine may look: %v", err)
	}
	_, err := c.Decide(t.Context(), "0123456789abcdef", nod.Answer{Verdict: nod.VerdictAllow})
	if nod.CodeOf(err) != nod.Forbidden || !strings.Contains(err.Error(), `answer = "devices"`) {
		t.Errorf("Decide: %v", err)
	}
	if _, err := c.NewPairing(t.Context(), auth.Paired); nod.CodeOf(err) != nod.Forbidden || !strings.Contains(err.Error(), `answer = "devices"`) {
		t.Errorf("NewPairing: %v", err)
	}
	if _, err := g.device(auth.Paired).Decide(t.Context(), "0123456789abcdef", nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
		t.Errorf("a device answers: %v", err)
	}
}

func TestNoHubIsReported(t *testing.T) {
	_, err := client.Local("/nonexistent/nod.sock", "terminal").State(context.Background())
	if !errors.Is(err, client.ErrNoHub) {
		t.Errorf("%v", err)
	}
}
