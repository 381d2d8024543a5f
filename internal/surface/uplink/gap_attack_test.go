package uplink_test

import (
	"net/http/httptest"
	"testing"

	"nod"
	"nod/internal/agent/link"
	"nod/internal/client"
	"nod/internal/hub/hubtest"
	"nod/internal/hub/store/mem"
	"nod/internal/net/httpd"
	"nod/internal/surface/uplink"
)

// Decisions and messages for a machine that was away reach it even if the hub's own log
// was pruned meanwhile.
func TestOrdersSurviveAPrunedHub(t *testing.T) {
	t.Parallel()
	short := &pruned{Store: mem.New()}
	hubThere := hubtest.New(t, hubtest.Options{Store: short})
	web := hubThere.Web()
	secret, _, err := web.Credentials.Create(t.Context(), person("anna"), "laptop", nod.RightsOf(nod.Raise), nod.LinkRoom+"laptop")
	if err != nil {
		t.Fatal(err)
	}
	p := &pair{Rig: hubtest.New(t, hubtest.Options{}), far: hubThere.Hub}
	data := t.TempDir()
	connect := func() (stop func()) {
		d := link.New(deps(p.far, ""), link.Needs{Keys: web.Credentials})
		server := httptest.NewServer(httpd.Mux(web.Gate, p.Log(), d.Routes()...))
		c, err := client.Remote(server.URL, secret.Reveal(), "link")
		if err != nil {
			t.Fatal(err)
		}
		p.Run(uplink.New(uplink.Config{Hub: "there"}, deps(p.Hub, data), uplink.Needs{Far: c.Link(), Newer: c.Link()}).Run)
		return func() { p.Stop(); server.CloseClientConnections(); server.Close() }
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
	hubThere.Close()
	head, _ := p.far.Head()
	short.base.Store(uint64(head))
	hubThere.Open()
	p.far = hubThere.Hub
	for i := range 2 { // the second time nothing is repeated
		stop = connect()
		p.until(p.Hub, "the words", underway("message-1"))
		p.until(p.Hub, "the decision", status("request-1", nod.Decided))
		if i == 0 {
			p.say("message-2", "and then?")
			p.until(p.Hub, "more words", underway("message-2"))
		}
		stop()
	}
	said := 0
	for e, err := range p.Hub.Link("test").Follow(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == nod.MessageSaid {
			said++
		}
		if now, _ := p.Hub.Head(); e.Seq >= now {
			break
		}
	}
	if said != 2 {
		t.Errorf("said %d times", said)
	}
}
