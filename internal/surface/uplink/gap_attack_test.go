package uplink_test

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"testing"

	"nod"
	"nod/internal/agent/link"
	"nod/internal/client"
	"nod/internal/hub"
	"nod/internal/hub/store/mem"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
	"nod/internal/surface/uplink"
)

// Decisions and messages for a machine that was away reach it even if the hub's own log
// was pruned meanwhile.
func TestOrdersSurviveAPrunedHub(t *testing.T) {
	t.Parallel()
	quiet := slog.New(slog.DiscardHandler)
	short := &pruned{Store: mem.New()}
	begin := func() *hub.Hub {
		h, err := hub.Open(t.Context(), short, hub.Options{Version: "test"})
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	keeper := auth.NewCredentials(mem.New(), nil, nil)
	secret, _, err := keeper.Create(t.Context(), person("anna"), "laptop", nod.RightsOf(nod.Raise), nod.LinkRoom+"laptop")
	if err != nil {
		t.Fatal(err)
	}
	p := &pair{T: t, far: begin(), near: open(t, mem.New())}
	data := t.TempDir()
	connect := func() (stop func()) {
		d := link.New(deps(p.far, ""), link.Needs{Keys: keeper})
		server := httptest.NewServer(httpd.Mux(&httpd.Gate{Credentials: keeper}, quiet, d.Routes()...))
		c, err := client.Remote(server.URL, secret.Reveal(), "link")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		u := uplink.New(uplink.Config{Hub: "there"}, deps(p.near, data), uplink.Needs{Far: far{c}, Newer: far{c}})
		go func() { defer close(done); u.Run(ctx) }()
		return func() { cancel(); <-done; server.CloseClientConnections(); server.Close() }
	}
	stop := connect()
	p.agent("agent-1")
	p.ask("agent-1", "request-1")
	p.until(p.far, "the request", status("request-1", nod.Pending))
	stop()
	anna := p.far.Desk(person("anna"))
	if _, err := anna.Decide(t.Context(), "request-1", nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
		t.Fatal(err)
	}
	p.say("message-1", "hello")
	if err := p.far.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	head, _ := p.far.Head()
	short.base.Store(uint64(head))
	p.far = begin()
	t.Cleanup(func() { _ = p.far.Close(context.Background()) })
	for i := range 2 { // the second time nothing is repeated
		stop = connect()
		p.until(p.near, "the words", underway("message-1"))
		p.until(p.near, "the decision", status("request-1", nod.Decided))
		if i == 0 {
			p.say("message-2", "and then?")
			p.until(p.near, "more words", underway("message-2"))
		}
		stop()
	}
	said := 0
	for e, err := range p.near.Link("test").Follow(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == nod.MessageSaid {
			said++
		}
		if now, _ := p.near.Head(); e.Seq >= now {
			break
		}
	}
	if said != 2 {
		t.Errorf("said %d times", said)
	}
}
