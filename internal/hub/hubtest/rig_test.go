package hubtest_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/hubtest"
	"nod/internal/net/httpd"
)

func TestRigRestartsWithItsStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := hubtest.New(t, hubtest.Options{Settle: synctest.Wait})
		var ended []string
		run := func(name string) {
			g.Run(func(ctx context.Context) {
				<-ctx.Done()
				if _, err := g.Hub.Desk(hubtest.Anna).Snapshot(context.Background()); err != nil || g.Hub.Ready(context.Background()) != nil {
					t.Errorf("%s: the hub ended first", name)
				}
				ended = append(ended, name)
			})
		}
		run("first")
		run("second")
		g.Agent("agent", nod.AgentWorking)
		g.Ask(hubtest.Approval("r1"))
		g.Ask(hubtest.Question("r2", "Which colour?", "red", "blue"))
		g.Close()
		g.Open()
		g.Decide("r1", nod.VerdictDeny)
		g.Answer(hubtest.Anna, "r2", nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{"Which colour?": {Picked: []string{"red"}}}})
		if e := g.Await(func(e *nod.Event) bool { return e.Kind == nod.RequestDecided }); e.RequestID != "r1" || g.Request("r2").Status != nod.Decided {
			t.Errorf("%s was decided first, and r2 is %s", e.RequestID, g.Request("r2").Status)
		}
		if !slices.Equal(ended, []string{"second", "first"}) {
			t.Errorf("ended: %v", ended)
		}
	})
}

func TestRoutesAreBehindTheGate(t *testing.T) {
	g := hubtest.New(t, hubtest.Options{})
	web := g.Serve(httpd.Route{Method: "GET", Path: "/v1/x", Right: nod.View, What: "see x", Handle: func(w http.ResponseWriter, _ *http.Request) error {
		_, err := w.Write([]byte("x"))
		return err
	}})
	for token, want := range map[string]int{
		"": 401, web.Token("screen", nod.RightsOf(nod.View)): 200, web.Token("hook", nod.RightsOf(nod.Raise)): 403,
	} {
		if w := web.Send("GET", "/v1/x", token, ""); w.Code != want {
			t.Errorf("%d %s, want %d", w.Code, w.Body, want)
		}
	}
}

func TestHubsShareAStoreThatFailsOnDemand(t *testing.T) {
	s := hubtest.NewShared()
	hubs := hubtest.Several(t, hub.Options{}, s, s)
	if a, b := hubs[0].Name(), hubs[1].Name(); a != "hub0" || b != "hub1" {
		t.Error(a, b)
	}
	f := hubtest.NewFaulty()
	g := hubtest.New(t, hubtest.Options{Store: f})
	for _, fail := range []func(*nod.Error){f.FailAppend, f.FailRead} {
		fail(nod.Errorf(nod.Unavailable, "the disk is full"))
		if err := g.Hub.Ready(t.Context()); err == nil {
			err = g.Link.Report(t.Context(), hub.Said(nod.Turn{Agent: "agent"}))
			if nod.CodeOf(err) != nod.Unavailable {
				t.Errorf("it works: %v", err)
			}
		}
		fail(nil)
		g.Report(hub.Said(nod.Turn{Agent: "agent"}))
	}
	if !strings.Contains(g.Logs.String(), "the log refused facts") {
		t.Errorf("logged: %s", g.Logs)
	}
}
