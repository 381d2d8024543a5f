package brain

import (
	"context"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub/hubtest"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
	"nod/internal/talk/scripted"
)

func TestWhoMayAsk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, assistant)
		for name, c := range map[string]struct {
			token string
			code  int
		}{
			"nobody":                  {"", 401},
			"a made-up token":         {"nod_nothing", 401},
			"somebody who only looks": {g.token("screen", nod.RightsOf(nod.View)), 403},
			"a hook":                  {g.token("hook", nod.RightsOf(nod.Raise)), 403},
			"who could not hear it":   {g.token("deaf", nod.RightsOf(nod.Answering)), 403},
			"a speaker":               {g.token("speaker", auth.Paired), 200},
		} {
			for _, path := range []string{"/ask", "/cancel"} {
				body := `{"session_id":""}`
				if path == "/ask" {
					body = `{"query":"hello"}`
				}
				if w := g.send(path, c.token, body); w.Code != c.code {
					t.Errorf("%s at %s: %d %s", name, path, w.Code, w.Body)
				}
			}
		}
		if len(g.heard) != 1 {
			t.Errorf("the assistant heard %d questions", len(g.heard))
		}
	})
}

// An agent that calls these endpoints is refused and recorded, whatever its rights.
func TestAnAgentMayNotAsk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, assistant)
		robot := nod.Actor{Kind: nod.ActorAgent, Name: "claude", ID: "pid 7", Rights: nod.RightsOf(nod.Raise)}
		g.web.Gate.Allow = func(ctx context.Context, by nod.Actor, right nod.Right, what string) error {
			return g.Hub.Desk(robot).Allowed(ctx, right, what)
		}
		if w := g.send("/ask", g.token("speaker", auth.Paired), `{"query":"yes","confirm_action":true}`); w.Code != 403 || !strings.Contains(w.Body.String(), "an agent may not ask an assistant") {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}

func TestTrustedNetworksAreForTheseEndpointsOnly(t *testing.T) {
	own := func() []netip.Addr { return []netip.Addr{netip.MustParseAddr("192.168.1.5")} }
	trust := Config{TrustedNetworks: []netip.Prefix{netip.MustParsePrefix("192.168.1.0/24")}}.Trust(func(path string) bool { return path == "/api/chat" })
	for path, want := range map[string]bool{"/ask": true, "/cancel": true, "/api/chat": true, "/v1/state": false, "/ask/": false, "/": false} {
		r := httptest.NewRequest("POST", path, nil)
		r.RemoteAddr = "192.168.1.20:4000"
		if _, ok := httpd.TrustNetworks(own, trust)(r); ok != want {
			t.Errorf("%s: %v", path, ok)
		}
	}
}

// An automation may begin: a person in the room continues the conversation.
func TestAutomationMayBeginAConversation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, assistant)
		automation := g.token("automation", auth.Paired)
		opened := g.read(g.send("/ask", automation, `{"query":"hold open the windows, it is warm","room":"kitchen","language":"en"}`))
		if !opened.Permission || opened.Text != "Open the windows, it is warm? Say yes or no." {
			t.Fatalf("%+v", opened)
		}
		yes := g.ask(`{"query":"yes","room":"kitchen","user":"anna"}`)
		if yes.Session != opened.Session || !yes.Executed {
			t.Errorf("somebody in the room: %+v", yes)
		}
		if next := g.ask(`{"query":"thanks","room":"kitchen"}`); next.Session != opened.Session {
			t.Errorf("and after that: %+v", next)
		}
	})
}

func TestWhatTheAssistantGets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, assistant)
		g.ask(`{"query":"Zgaś \"wszystko\" 😀","room":"kitchen","user":"anna","language":"pl"}`)
		g.ask(`{"query":"hello"}`)
		g.ask(`{"query":"hello","language":"de"}`)
		m := g.heard[0]
		if m.Text != `Zgaś "wszystko" 😀` || !strings.Contains(m.Hint, "in Polish") || m.Via != "brain" {
			t.Errorf("%+v", m)
		}
		if !strings.Contains(g.heard[1].Hint, "in the language of the question") || !strings.Contains(g.heard[2].Hint, `the language with the code "de"`) {
			t.Errorf("%q, %q", g.heard[1].Hint, g.heard[2].Hint)
		}
		g.Hub.Look(func(s *nod.State) {
			talk := s.Agents[m.Agent].Talk
			if talk.Room != "kitchen" || talk.User != "anna" || talk.Language != "pl" || talk.Context != 300 || talk.Assistant != "house" ||
				!strings.Contains(talk.Hints, `room "kitchen"`) || !strings.Contains(talk.Hints, `speak with "anna"`) {
				t.Errorf("%+v", talk)
			}
		})
	})
}

func TestTwoSpeakersAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(_ *rig, turn *scripted.Turn) {
			turn.Hear()
			time.Sleep(time.Second)
			turn.Reply("You said " + turn.Message.Text + ".")
		})
		token := g.token("speaker", auth.Paired)
		var both sync.WaitGroup
		for _, word := range []string{"one", "two"} {
			both.Go(func() {
				if a := g.read(g.send("/ask", token, `{"query":"`+word+`","room":"hall"}`)); a.Text != "You said "+word+"." {
					t.Errorf("%s: %+v", word, a)
				}
			})
		}
		both.Wait()
	})
}

func TestQuestionSurvivesItsConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(_ *rig, turn *scripted.Turn) {
			turn.Hear()
			time.Sleep(time.Minute)
			turn.Reply("Here it is.")
		})
		ctx, hangUp := context.WithTimeout(t.Context(), time.Second)
		defer hangUp()
		r := httptest.NewRequestWithContext(ctx, "POST", "/ask", strings.NewReader(`{"query":"hello","room":"hall"}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+g.token("speaker", auth.Paired))
		g.web.ServeHTTP(httptest.NewRecorder(), r)
		time.Sleep(time.Minute)
		synctest.Wait()
		turns, err := g.Hub.Desk(nod.Actor{Rights: hubtest.All}).Turns(t.Context(), g.heard[0].Agent, 0, 1)
		if err != nil || turns[0].Text != "Here it is." {
			t.Errorf("%+v, %v", turns, err)
		}
	})
}
