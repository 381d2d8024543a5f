package push

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/e2e/fakepush"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/hubtest"
	"nod/internal/hub/store/mem"
)

// rig is a hub with this surface, and a push service without a network.
type rig struct {
	*hubtest.Rig
	store   *mem.Store
	far     *fakepush.Service
	web     *hubtest.Web
	surface *Surface
}

// inBubble runs a test with fake time, which begins on 2000-01-01 at midnight UTC.
func inBubble(t *testing.T, f func(g *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		g := &rig{store: mem.New(), far: fakepush.New()}
		g.Rig = hubtest.New(t, hubtest.Options{Store: g.store, Settle: synctest.Wait})
		g.start()
		f(g)
	})
}

// start starts the surface on the hub.
func (g *rig) start() {
	g.web = g.Web()
	g.surface = New(Config{}, adapter.Deps{Deps: hub.Deps{Hub: g.Hub, Log: g.Log(), Now: time.Now}}, Needs{Tokens: g.web.Credentials, Store: g.store, Transport: g.far})
	g.web.Serve(g.surface.Routes()...)
	g.Run(g.surface.Run)
}

// restart ends the hub with the surface, and starts both again.
func (g *rig) restart() {
	g.Close()
	g.Open()
	g.start()
}

// phone is a paired device with a browser.
type phone struct {
	g       *rig
	id      string
	token   string
	browser *fakepush.Browser
}

// pair admits a device and subscribes it. wish is what it wants beyond its
// subscription, such as `"notify":"all"`.
func (g *rig) pair(rights nod.Rights, wish string) *phone {
	g.Helper()
	secret, token, err := g.web.Credentials.Create(g.Context(), nod.Actor{Name: "test", Rights: hubtest.All}, "phone", rights, "")
	if err != nil {
		g.Fatal(err)
	}
	p := &phone{g: g, id: token.ID, token: secret.Reveal()}
	p.browser = g.far.Subscribe(p.settings().Key)
	p.wish(wish)
	return p
}

func (p *phone) wish(wish string) {
	p.g.Helper()
	body := `{"subscription":` + p.browser.JSON()
	if wish != "" {
		body += "," + wish
	}
	if w := p.send("PUT", "/v1/push", body+"}"); w.Code != 200 {
		p.g.Fatalf("PUT: %d %s", w.Code, w.Body)
	}
	synctest.Wait()
}

func (p *phone) settings() (s Settings) {
	p.g.Helper()
	w := p.send("GET", "/v1/push", "")
	if err := json.Unmarshal(w.Body.Bytes(), &s); err != nil || w.Code != 200 {
		p.g.Fatalf("GET: %d %s", w.Code, w.Body)
	}
	return s
}

func (p *phone) send(method, path, body string) *httptest.ResponseRecorder {
	return p.g.web.Send(method, path, p.token, body)
}

// got is what the browser received so far.
func (p *phone) got() []Payload {
	p.g.Helper()
	synctest.Wait()
	var list []Payload
	for _, m := range p.browser.Received() {
		var one Payload
		if err := json.Unmarshal(m.Payload, &one); err != nil {
			p.g.Fatal(err)
		}
		list = append(list, one)
	}
	return list
}

// wants checks what the browser received so far, as "type id".
func (p *phone) wants(want ...string) {
	p.g.Helper()
	var got []string
	for _, m := range p.got() {
		got = append(got, m.Type+" "+m.ID)
	}
	if strings.Join(got, ", ") != strings.Join(want, ", ") {
		p.g.Errorf("told %q, want %q", got, want)
	}
}

// attempts is how many messages were tried so far.
func (p *phone) attempts() int {
	synctest.Wait()
	return len(p.browser.Attempts())
}

func request(id string) nod.Request {
	return nod.Request{
		ID: nod.RequestID(id), Kind: nod.KindApproval, Tool: "Bash", Title: "Bash: ls", OneTap: true,
		Agent: nod.AgentRef{ID: "agent-1", Name: "garden", Kind: "claude"}, Risk: &nod.Risk{Level: "read"},
	}
}

func (g *rig) ask(id string) { g.Ask(request(id)) }

func (g *rig) deny(id string) { g.Decide(nod.RequestID(id), nod.VerdictDeny) }

// agent brings the agent into states, one after the other.
func (g *rig) agent(states ...nod.AgentState) {
	g.Helper()
	for _, state := range states {
		g.Agent("agent-1", state, func(a *nod.Agent) {
			a.Name, a.Prompt = "garden", "Water the tomatoes"
			if a.Problem = ""; state == nod.AgentError {
				a.Problem = "API error 529"
			}
		})
	}
}

// pass lets fake time pass, in a bubble.
func pass(d time.Duration) { time.Sleep(d) }
