package relay

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	wire "nod/internal/net/push"
)

// services are push services that record what they get.
type services struct {
	mu    sync.Mutex
	apple []Notification
	web   []wire.Message
	fate  map[string]bool // Apple tokens: true is gone, false fails
}

func (s *services) Send(_ context.Context, n Notification) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if gone, ok := s.fate[n.Token]; ok {
		if gone {
			return true, nil
		}
		return false, errors.New("connection reset")
	}
	s.apple = append(s.apple, n)
	return false, nil
}

type browsers struct{ *services }

func (b browsers) Send(_ context.Context, to wire.Subscription, m wire.Message) wire.Result {
	b.mu.Lock()
	defer b.mu.Unlock()
	if strings.HasSuffix(to.Endpoint, "gone") {
		return wire.Result{Outcome: wire.Gone}
	}
	b.web = append(b.web, m)
	return wire.Result{Outcome: wire.Delivered}
}

// taken is what came since the last call.
func (s *services) taken() (apple []Notification, web []wire.Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	apple, web, s.apple, s.web = s.apple, s.web, nil, nil
	return apple, web
}

func newPushRig(t *testing.T) (*rig, *services) {
	out := &services{fate: map[string]bool{"dead": true, "down": false}}
	g := newRig(t, func(o *options) { o.apns, o.WebPush = out, browsers{out} })
	return g, out
}

func same(t *testing.T, got []byte, want string) {
	t.Helper()
	if string(got) != want {
		t.Errorf("sent\n%s\nwant\n%s", got, want)
	}
}

func TestNotificationPayloads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, out := newPushRig(t)
		key := g.keys["phone"]
		g.send("POST", "/register", key, `{"token":"phone","sounds":{"permission_request":"chime.caf"}}`)
		g.send("POST", "/register", key, `{"token":"watch","platform":"watchos"}`)
		g.send("POST", "/register-web", key, `{"subscription":{"endpoint":"https://push.example/1","keys":{"p256dh":"cA==","auth":"YQ"}}}`)
		id := g.create(key, `{"tool_name":"Bash","header":"Bash command","description":"git status\nmore","hostname":"desk:main","tmux_target":"desk:main:0.1","choices":[{"number":1,"text":"Yes"},{"number":2,"text":"No"}]}`)
		g.settle()
		apple, web := out.taken()
		if len(apple) != 2 || len(web) != 1 {
			t.Fatalf("%d and %d", len(apple), len(web))
		}
		same(t, apple[0].Payload, `{"aps":{"alert":{"title":"承認待ち [desk:main]","subtitle":"Bash command","body":"git status"},"sound":"chime.caf","mutable-content":1,"interruption-level":"time-sensitive","category":"PERMISSION_REQUEST"},"request_id":"`+id+`","type":"permission_request","tmux_target":"desk:main:0.1","choices":[{"number":1,"text":"Yes"},{"number":2,"text":"No"}]}`)
		if n := apple[0]; n.CollapseID != "relay:desk:main:0.1:1" || n.Watch || n.Background || n.Expires.IsZero() || !apple[1].Watch || !strings.Contains(string(apple[1].Payload), `"sound":"default"`) {
			t.Errorf("%+v", apple)
		}
		same(t, web[0].Payload, `{"title":"承認待ち [desk:main]","body":"git status","subtitle":"Bash command","tag":"relay:desk:main:0.1:1","data":{"request_id":"`+id+`","type":"permission_request","choices":[{"number":1,"text":"Yes"},{"number":2,"text":"No"}]}}`)
		if web[0].TTL != 120*time.Second || web[0].Urgency != wire.Normal {
			t.Errorf("%+v", web[0])
		}

		g.send("POST", "/permission-request/"+id+"/respond", key, `{"choice":1,"device_token":"watch"}`)
		g.settle()
		apple, web = out.taken()
		if len(apple) != 1 || len(web) != 0 || apple[0].Token != "phone" || !apple[0].Background || apple[0].CollapseID != "" {
			t.Fatalf("%+v %+v", apple, web)
		}
		same(t, apple[0].Payload, `{"aps":{"content-available":1},"request_id":"`+id+`","type":"dismiss"}`)

		second := g.create(key, `{"tool_name":"Bash","message":"next","tmux_target":"desk:main:0.1","has_tmux":false}`)
		g.settle()
		third := g.create(key, `{"tool_name":"Bash","message":"third","tmux_target":"desk:main:0.1"}`)
		g.settle()
		apple, _ = out.taken()
		var told []string
		for _, n := range apple {
			if n.Token == "phone" {
				told = append(told, kindOf(t, n)+" "+n.CollapseID)
			}
		}
		want := "permission_request " + second + " - relay:desk:main:0.1:0, dismiss " + second + " - , permission_request " + third + " PERMISSION_REQUEST relay:desk:main:0.1:1"
		if !sameParts(told, strings.Split(want, ", ")) {
			t.Errorf("%q\nwant %q", told, want)
		}

		g.send("POST", "/notify", key, `{"title":"Done","message":"all green","hostname":"desk:main","tmux_target":"desk:other:0.1"}`)
		g.send("POST", "/notify", key, `{}`)
		g.send("POST", "/notify", key, `{"tmux_target":"desk:main:0.1"}`) // has a question open
		g.settle()
		_, web = out.taken()
		if len(web) != 2 {
			t.Fatalf("%d notices", len(web))
		}
		found := string(web[0].Payload) + string(web[1].Payload)
		for _, want := range []string{
			`{"title":"Done [desk:main]","body":"all green","tag":"relay:desk:other:0.1","data":{}}`,
			`{"title":"Claude Code","body":"処理が完了しました","data":{}}`,
		} {
			if !strings.Contains(found, want) {
				t.Errorf("%s\nwithout %s", found, want)
			}
		}
	})
}

// kindOf is what a notification is about; workers send in any order.
func kindOf(t *testing.T, n Notification) string {
	t.Helper()
	var p applePayload
	if err := json.Unmarshal(n.Payload, &p); err != nil {
		t.Fatal(err)
	}
	buttons := p.APS.Category
	if buttons == "" {
		buttons = "-"
	}
	return p.Type + " " + p.Request + " " + buttons
}

func sameParts(got, want []string) bool {
	left := strings.Join(got, "\n")
	for _, part := range want {
		if strings.Count(left, part) != 1 {
			return false
		}
	}
	return len(got) == len(want)
}

func TestGoneDeviceIsRemoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, out := newPushRig(t)
		key := g.keys["phone"]
		for _, token := range []string{"dead", "down", "phone"} {
			g.send("POST", "/register", key, `{"token":"`+token+`"}`)
		}
		for _, end := range []string{"gone", "1"} {
			g.send("POST", "/register-web", key, `{"subscription":{"endpoint":"https://push.example/`+end+`","keys":{"p256dh":"cA","auth":"YQ"}}}`)
		}
		g.send("POST", "/register-web", key, `{"subscription":{"endpoint":"https://push.example/bad","keys":{"p256dh":"!","auth":"YQ"}}}`)
		g.create(key, `{"message":"x"}`)
		g.settle()
		apple, web := out.taken()
		if len(apple) != 1 || len(web) != 1 {
			t.Errorf("%d and %d", len(apple), len(web))
		}
		phones, pages := g.surface.devices.of(owners)
		if len(phones) != 2 || phones[0].Token != "down" || phones[1].Pushed == 0 || len(pages) != 1 || pages[0].Pushed == 0 {
			t.Errorf("%+v %+v", phones, pages)
		}
	})
}

// A notification has buttons only below a command that it shows in full, and only if its
// answer cannot go into another dialog.
func TestButtonsOfANotification(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, out := newPushRig(t)
		key := g.keys["phone"]
		g.send("POST", "/register", key, `{"token":"phone"}`)
		long := "make " + strings.Repeat("a", 70)
		for _, c := range []struct {
			command, pane, body string
			buttons             bool
		}{
			{"make", oldPane("make", "Build it"), "make", false},
			{"make", oldPane("cat id_rsa", "Build it"), "$ make", false},
			{"make", "", "$ make", true},
			{"make", todaysPane("make", "Build it"), "$ make", false},
			{long, oldPane(long, "Build it"), long[:57] + "…", false},
		} {
			prompt := originalHook(stdin(c.command, "Build it"), c.pane)
			if c.buttons { // Codex without a terminal: its hook hands the answer to its own call
				prompt = `{"tool_name":"Bash","tool_input":{"command":"` + c.command + `"},"client":"codex","can_respond":true,"has_tmux":false,"choices":[{"number":1,"text":"Allow"},{"number":2,"text":"Deny"}]}`
			}
			g.create(key, prompt)
			g.settle()
			var shown []Notification
			apple, _ := out.taken()
			for _, n := range apple {
				if !n.Background {
					shown = append(shown, n)
				}
			}
			if len(shown) != 1 {
				t.Fatalf("%d notifications", len(shown))
			}
			text := string(shown[0].Payload)
			if !strings.Contains(text, `"body":"`+c.body+`"`) || strings.Contains(text, category) != c.buttons || strings.Contains(text, `"choices"`) != c.buttons {
				t.Errorf("%s: %s", c.body, text)
			}
		}
	})
}

// Only the owner's devices are notified of requests that did not come over this wire.
func TestForeignRequestsAreNotified(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, out := newPushRig(t)
		g.key("attic", "view", "attic")
		g.send("POST", "/register", g.keys["attic"], `{"token":"attic"}`)
		g.send("POST", "/register", g.keys["phone"], `{"token":"phone"}`)
		g.ask(nods("aaaa0001", "plain ls"))
		g.ask(nods("aaaa0002", "plain by-rule")) // is decided at once
		apple, _ := out.taken()
		var alerts []string
		for _, n := range apple {
			if !n.Background {
				alerts = append(alerts, n.Token)
			}
		}
		if strings.Join(alerts, " ") != "phone" {
			t.Errorf("%q were told", alerts)
		}
		g.decide("aaaa0001", nod.Answer{Verdict: nod.VerdictDeny})
		if apple, _ = out.taken(); len(apple) != 1 || apple[0].Token != "phone" || !apple[0].Background {
			t.Errorf("%+v", apple)
		}
	})
}

func TestCollapseIDs(t *testing.T) {
	long := strings.Repeat("x", 60)
	for _, tt := range [][3]string{
		{"a", "1", "relay:a:1"}, {"a", "", "relay:a"},
		{long, "0", "relay:h:" + short(long, 40) + ":0"}, {long, "", "relay:h:" + short(long, 40)},
		{long[:58], "", "relay:" + long[:58]}, {long[:58], "1", "relay:h:" + short(long[:58], 40) + ":1"},
	} {
		if got := collapse(tt[0], tt[1]); got != tt[2] || len(got) > 64 {
			t.Errorf("%q is called %q, not %q", tt[0], got, tt[2])
		}
	}
	for text, want := range map[string]string{
		strings.Repeat("a", 60): strings.Repeat("a", 60), strings.Repeat("a", 61): strings.Repeat("a", 57) + "…",
		strings.Repeat("a", 56) + "😀😀😀": strings.Repeat("a", 56) + "…", // never half a character
	} {
		if got := shorten(text); got != want {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestUnreadableAPNsKey(t *testing.T) {
	g := newRig(t)
	if err := g.surface.Health(); err != nil {
		t.Error(err)
	}
	g.begin(func(o *options) { o.APNs.KeyFile = filepath.Join(t.TempDir(), "gone.p8") })
	if g.surface.Health() == nil {
		t.Error("nobody would know why their phone is silent")
	}
}
