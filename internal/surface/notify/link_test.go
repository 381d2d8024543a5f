package notify

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"nod"
)

// phoned raises a request and waits until the phone has it.
func phoned(g *rig, change ...func(*nod.Request)) {
	g.Helper()
	g.ask("r1", "garden", change...)
	pass(30 * time.Second)
}

func TestOpeningALinkDecidesNothing(t *testing.T) {
	inBubble(t, nil, func(g *rig) {
		phoned(g)
		allow := g.phone.path(nod.VerdictAllow)
		for range 3 { // a preview, and another
			w := g.send("GET", allow, browser)
			if w.Code != 200 || !strings.Contains(w.Body.String(), "<form method=\"post\">") || !strings.Contains(w.Body.String(), "read · Bash: ls") {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			if !strings.Contains(w.Header().Get("Content-Security-Policy"), "form-action 'self'") {
				t.Error(w.Header())
			}
		}
		g.send("HEAD", allow)
		if r := g.status("r1"); r.Status != nod.Pending {
			t.Fatalf("a preview decided: %+v", r.Decision)
		}
		w := g.send("POST", allow, browser)
		if w.Code != 200 || !strings.Contains(w.Body.String(), "<h1>Allowed</h1>") {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		if d := g.status("r1").Decision; d == nil || d.Verdict != nod.VerdictAllow || d.By != "anna" || d.Via != "ntfy" {
			t.Errorf("%+v", d)
		}
		g.wants("the phone", g.phone.got(), "+garden needs you, -Allowed by anna (ntfy)")
	})
}

func TestLinkWorksOnce(t *testing.T) {
	inBubble(t, nil, func(g *rig) {
		phoned(g)
		allow, deny := g.phone.path(nod.VerdictAllow), g.phone.path(nod.VerdictDeny)
		if w := g.send("POST", deny); w.Code != 200 || w.Body.String() != `{"message":"Denied","verdict":"deny"}`+"\n" || w.Header().Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		for _, again := range []string{deny, allow, "/n/" + strings.Repeat("A", 43), "/n/x"} {
			for _, method := range []string{"GET", "POST"} {
				if w := g.send(method, again, browser); w.Code != http.StatusGone {
					t.Errorf("%s %s: %d %s", method, again, w.Code, w.Body)
				}
			}
		}
		if d := g.status("r1").Decision; d.Verdict != nod.VerdictDeny {
			t.Errorf("%+v", d)
		}
	})
}

func TestLinkIsForItsVerdictOnly(t *testing.T) {
	inBubble(t, nil, func(g *rig) {
		phoned(g)
		deny := g.phone.path(nod.VerdictDeny)
		if w := g.send("POST", deny+"?verdict=allow"); w.Code != http.StatusUnprocessableEntity {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		if r := g.status("r1"); r.Status != nod.Pending {
			t.Errorf("%+v", r.Decision)
		}
		if w := g.send("POST", deny+"?verdict=deny"); w.Code != 200 || g.status("r1").Decision.Verdict != nod.VerdictDeny {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}

func TestLinkEndsWithItsRequest(t *testing.T) {
	inBubble(t, nil, func(g *rig) {
		phoned(g, func(r *nod.Request) {
			end := time.Now().Add(2 * time.Minute)
			r.ExpiresAt = &end
		})
		allow := g.phone.path(nod.VerdictAllow)
		pass(3 * time.Minute)
		if r := g.status("r1"); r.Status != nod.Expired {
			t.Fatal(r.Status)
		}
		if w := g.send("POST", allow); w.Code != http.StatusGone {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}

func TestAgentCannotPressItsOwnButton(t *testing.T) {
	for _, from := range []string{"127.0.0.1:5000", "[::1]:5000", "10.0.0.1:5000", "@"} {
		inBubble(t, nil, func(g *rig) {
			phoned(g)
			w := g.send("POST", g.phone.path(nod.VerdictAllow), func(r *http.Request) {
				r.RemoteAddr = from
				r.Header.Set("X-Forwarded-For", "203.0.113.9") // any client can send this
			})
			if w.Code != http.StatusForbidden || g.status("r1").Status != nod.Pending {
				t.Errorf("%s: %d %s", from, w.Code, w.Body)
			}
			if w = g.send("POST", g.phone.path(nod.VerdictAllow)); w.Code != 200 {
				t.Errorf("the link is lost: %d %s", w.Code, w.Body)
			}
		})
	}
	inBubble(t, func(g *rig) { g.config.LinksFromHere = true }, func(g *rig) {
		phoned(g)
		if w := g.send("POST", g.phone.path(nod.VerdictAllow), func(r *http.Request) { r.RemoteAddr = "127.0.0.1:5000" }); w.Code != 200 {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}

func TestDangerousRequestHasNoButtons(t *testing.T) {
	for name, change := range map[string]func(*nod.Request){
		"destructive": func(r *nod.Request) { r.Risk.Level = "destructive" },
		"secret":      func(r *nod.Request) { r.Risk.Level = "secret" },
		"not one tap": func(r *nod.Request) { r.OneTap = false },
		"passkey":     func(r *nod.Request) { r.Risk.Level = "write" },
	} {
		inBubble(t, func(g *rig) { g.proof = []string{"write"} }, func(g *rig) {
			phoned(g, change)
			if n := g.phone.last(); len(n.Buttons) != 0 || n.Link != "https://nod.example/?request=r1" || n.Open != "Open nod" {
				t.Errorf("%s: %+v", name, n)
			}
		})
	}
}

func TestChannelsWithoutButtons(t *testing.T) {
	inBubble(t, func(g *rig) { g.config.Public = "" }, func(g *rig) {
		phoned(g)
		pass(30 * time.Second)
		if n := g.phone.last(); len(n.Buttons) != 0 || n.Link != "" {
			t.Errorf("without an address: %+v", n)
		}
		if n := g.watch.last(); len(n.Buttons) != 2 || n.Buttons[0].URL != "" || n.Buttons[0].Code == "" {
			t.Errorf("a chat needs none: %+v", n)
		}
		if n := g.desk.last(); len(n.Buttons) != 0 {
			t.Errorf("not asked for: %+v", n)
		}
	})
}

func TestPressInAChatWorksOnlyThere(t *testing.T) {
	inBubble(t, func(g *rig) { g.config.Person[1].Lang = "pl" }, func(g *rig) {
		phoned(g)
		pass(30 * time.Second)
		code := g.watch.button(nod.VerdictAllow).Code
		if w := g.send("POST", "/n/"+code); w.Code != http.StatusGone {
			t.Errorf("as a link: %d", w.Code)
		}
		if w := g.send("GET", "/n/"+code); w.Code != http.StatusGone {
			t.Errorf("as a page: %d", w.Code)
		}
		link := strings.TrimPrefix(g.phone.path(nod.VerdictAllow), "/n/")
		g.wants("a link's code in the chat", g.watch.press(link), "Ten odnośnik już nie działa")
		g.wants("pressed", g.watch.press(code), "Pozwolono")
		g.wants("again", g.watch.press(code), "Ten odnośnik już nie działa")
		if d := g.status("r1").Decision; d.By != "bob" || d.Via != "telegram" {
			t.Errorf("%+v", d)
		}
		if w := g.send("POST", "/n/"+link); w.Code != http.StatusGone {
			t.Errorf("the phone's link afterwards: %d", w.Code)
		}
	})
}

func TestPageIsInTheLanguageOfThePerson(t *testing.T) {
	inBubble(t, func(g *rig) { g.config.Person[0].Lang = "ja" }, func(g *rig) {
		phoned(g)
		w := g.send("GET", g.phone.path(nod.VerdictDeny), browser)
		if !strings.Contains(w.Body.String(), `<html lang="ja">`) || !strings.Contains(w.Body.String(), "拒否しますか?") {
			t.Error(w.Body)
		}
		w = g.send("GET", "/n/x", browser, func(r *http.Request) { r.Header.Set("Accept-Language", "pl") })
		if w.Code != http.StatusGone || !strings.Contains(w.Body.String(), "Ten odnośnik już nie działa") {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}

func TestTextOfAnAgentIsEscaped(t *testing.T) {
	inBubble(t, nil, func(g *rig) {
		phoned(g, func(r *nod.Request) { r.Title, r.Agent.Name = "Bash: <script>x</script>", "<b>" })
		body := g.send("GET", g.phone.path(nod.VerdictAllow), browser).Body.String()
		if strings.Contains(body, "<script>") || strings.Contains(body, "<b>") || !strings.Contains(body, "&lt;script&gt;") {
			t.Error(body)
		}
	})
}

func TestListNeedsTheRightToView(t *testing.T) {
	inBubble(t, nil, func(g *rig) {
		for _, c := range []struct{ method, path string }{{"GET", "/v1/notify"}, {"POST", "/v1/notify/desk/test"}} {
			if w := g.send(c.method, c.path); w.Code != http.StatusUnauthorized {
				t.Errorf("%s: %d", c.path, w.Code)
			}
		}
	})
}

func TestStricterConfigurationAppliesToOldLinks(t *testing.T) {
	inBubble(t, nil, func(g *rig) {
		phoned(g)
		allow := g.phone.path(nod.VerdictAllow)
		g.restart(func() { g.config.Channel[1].Content = "none" }) // a request without its text cannot be allowed
		if w := g.send("POST", allow, browser); w.Code != http.StatusForbidden || !strings.Contains(w.Body.String(), "This has to be opened in nod") || g.status("r1").Status != nod.Pending {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}

func TestFailedPressLeavesTheLinkUsable(t *testing.T) {
	inBubble(t, nil, func(g *rig) {
		phoned(g)
		allow := g.phone.path(nod.VerdictAllow)
		g.Close() // the hub closes before the press
		if w := g.send("POST", allow); w.Code != http.StatusServiceUnavailable {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		if _, ok := g.surface.sent.tickets.Find(strings.TrimPrefix(allow, "/n/")); !ok {
			t.Error("the link is spent, and nothing was decided")
		}
	})
}

func TestTicketsEndWithTheirRequest(t *testing.T) {
	inBubble(t, nil, func(g *rig) {
		phoned(g)
		if n := len(g.surface.sent.tickets.All()); n != 2 {
			t.Errorf("%d tickets while it waits", n)
		}
		g.decide("r1", nod.VerdictAllow)
		if n := len(g.surface.sent.tickets.All()); n != 0 {
			t.Errorf("%d tickets are left", n)
		}
	})
}
