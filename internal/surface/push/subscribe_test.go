package push

import (
	"net/http"
	"strings"
	"testing"

	"nod"
	"nod/e2e/fakepush"
	"nod/internal/hub/hubtest"
	wire "nod/internal/net/push"
)

func TestDeviceSeesOnlyItsOwnSubscription(t *testing.T) {
	inBubble(t, func(g *rig) {
		p := g.pair(answering, `"notify":"all","quiet":{"from":"22:00","to":"07:00","zone":"Asia/Tokyo"},"lang":"ja-JP"`)
		other := g.pair(nod.RightsOf(nod.View), "")
		got := p.settings()
		if !got.Subscribed || got.Notify != wire.All || got.Lang != "ja" || got.Endpoint != p.browser.Endpoint || *got.Quiet != (wire.Quiet{From: "22:00", To: "07:00", Zone: "Asia/Tokyo"}) {
			t.Errorf("%+v", got)
		}
		if got := other.settings(); got.Endpoint != other.browser.Endpoint || got.Notify != wire.WaitingOnly || got.Quiet != nil || got.Lang != "" {
			t.Errorf("%+v", got)
		}
		for range 2 { // a second time changes nothing
			if w := p.send("DELETE", "/v1/push", ""); w.Code != 204 {
				t.Errorf("DELETE: %d %s", w.Code, w.Body)
			}
		}
		if got := p.settings(); got.Subscribed || got.Notify != wire.Nothing || got.Key == "" {
			t.Errorf("%+v", got)
		}
		if !other.settings().Subscribed {
			t.Error("another device's subscription was ended")
		}
		g.ask("r1")
		p.wants()
		other.wants("request r1")
	})
}

func TestSettingsChangeWithoutANewSubscription(t *testing.T) {
	inBubble(t, func(g *rig) {
		p := g.pair(answering, `"notify":"all","lang":"pl"`)
		if w := p.send("PUT", "/v1/push", `{"quiet":{"from":"12:00","to":"13:00","zone":"UTC"}}`); w.Code != 200 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		if got := p.settings(); got.Endpoint != p.browser.Endpoint || got.Notify != wire.All || got.Lang != "pl" || got.Quiet == nil {
			t.Errorf("%+v", got)
		}
	})
}

func TestInvalidWishes(t *testing.T) {
	inBubble(t, func(g *rig) {
		p := g.pair(answering, "")
		if w := p.send("DELETE", "/v1/push", ""); w.Code != 204 {
			t.Fatal(w.Code)
		}
		good := p.browser.JSON()
		for name, body := range map[string]string{
			"no subscription":  `{"notify":"all"}`,
			"unknown notify":   `{"subscription":` + good + `,"notify":"loud"}`,
			"unknown field":    `{"subscription":` + good + `,"sound":"loud"}`,
			"odd quiet hours":  `{"subscription":` + good + `,"quiet":{"from":"late","to":"07:00","zone":"UTC"}}`,
			"no zone":          `{"subscription":` + good + `,"quiet":{"from":"22:00","to":"07:00","zone":""}}`,
			"the home network": `{"subscription":` + strings.Replace(good, "https://push.example", "https://192.168.1.1", 1) + `}`,
			"plain http":       `{"subscription":` + strings.Replace(good, "https://", "http://", 1) + `}`,
			"this machine":     `{"subscription":` + strings.Replace(good, "https://push.example", "http://127.0.0.1", 1) + `}`,
			"broken keys":      `{"subscription":{"endpoint":"https://push.example/x","keys":{"p256dh":"%","auth":"%"}}}`,
			"no keys":          `{"subscription":{"endpoint":"https://push.example/x","keys":{"p256dh":"","auth":""}}}`,
			"not JSON":         `subscribe`,
		} {
			if w := p.send("PUT", "/v1/push", body); w.Code != 400 {
				t.Errorf("%s: %d %s", name, w.Code, w.Body)
			}
		}
		if w := p.send("POST", "/v1/push/test", ""); w.Code != 404 || !strings.Contains(w.Body.String(), "turn them on first") {
			t.Errorf("a test without a subscription: %d %s", w.Code, w.Body)
		}
		if p.settings().Subscribed {
			t.Error("something of it was kept")
		}
	})
}

func TestOnlyAPairedDeviceCanSubscribe(t *testing.T) {
	for name, by := range map[string]nod.Actor{
		"anna at desk": {Kind: nod.ActorPerson, Name: "anna at desk", ID: "pid 4711", Rights: hubtest.All},
		"this":         {Kind: nod.ActorDevice},
	} {
		err := wantDevice(by)
		if nod.CodeOf(err) != nod.Forbidden || !strings.Contains(nod.MessageOf(err), name+" is none") || !strings.Contains(nod.MessageOf(err), "nod pair") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := wantDevice(nod.Actor{Kind: nod.ActorDevice, ID: "a"}); err != nil {
		t.Error(err)
	}
}

func TestEndpointsNeedTheRightToView(t *testing.T) {
	inBubble(t, func(g *rig) {
		secret, _, err := g.web.Credentials.Create(t.Context(), nod.Actor{Rights: hubtest.All}, "hook", nod.RightsOf(nod.Raise), "")
		if err != nil {
			t.Fatal(err)
		}
		for _, rt := range g.surface.Routes() {
			if w := g.web.Send(rt.Method, rt.Path, secret.Reveal(), ""); w.Code != http.StatusForbidden {
				t.Errorf("%s %s: %d", rt.Method, rt.Path, w.Code)
			}
			if w := g.web.Send(rt.Method, rt.Path, "", ""); w.Code != http.StatusUnauthorized {
				t.Errorf("%s %s without a token: %d", rt.Method, rt.Path, w.Code)
			}
		}
	})
}

func TestTestNotification(t *testing.T) {
	inBubble(t, func(g *rig) {
		p := g.pair(answering, `"lang":"pl"`)
		if w := p.send("POST", "/v1/push/test", ""); w.Code != 204 {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		if got := p.got(); len(got) != 1 || got[0].Type != "test" || got[0].Title != "nod ma z Tobą kontakt" {
			t.Errorf("%+v", got)
		}
		for _, tt := range []struct {
			status, want int
			words        string
		}{{503, 503, "próbuje dalej"}, {403, 503, "odrzuca"}, {201, 204, ""}, {410, 410, "off and on again"}} {
			p.browser.Answer(tt.status, "foreign words")
			w := p.send("POST", "/v1/push/test", "")
			if w.Code != tt.want || !strings.Contains(w.Body.String(), tt.words) || strings.Contains(w.Body.String(), "foreign") {
				t.Errorf("%d: %d %s", tt.status, w.Code, w.Body)
			}
			if problem := p.settings().Problem; (problem != "") != (tt.want == 503) {
				t.Errorf("after %d: problem %q", tt.status, problem)
			}
		}
		if p.settings().Subscribed {
			t.Error("a dead subscription is still there")
		}
	})
}

// The only test here with a network; the push service is on this machine.
func TestOverTheNetwork(t *testing.T) {
	far := fakepush.Start()
	t.Cleanup(far.Close)
	g := openNetwork(t)
	browser := far.Subscribe(g.key)
	g.put(`{"subscription":` + browser.JSON() + `}`)
	g.ask("r1")
	got, err := browser.Wait(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(got[0].Payload), `"id":"r1"`) || got[0].Sender.Contact != DefaultContact {
		t.Errorf("%+v", got[0])
	}
}
