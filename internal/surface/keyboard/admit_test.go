package keyboard

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	v1 "nod/internal/client/v1"
	"nod/internal/hub/hubtest"
	"nod/internal/surface/keyboard/fakekeyboard"
)

func TestUnknownKeyboardShowsCodeAndCannotPress(t *testing.T) {
	bubble(t, func(g *rig) {
		g.agent("shop", nod.AgentWorking)
		g.ask("shop", "r1", "git push")
		b := g.board("192.168.1.7")
		shown := code(b)
		if len(shown) != 4 || strings.Trim(shown, letters) != "" {
			g.Fatalf("the keys show %q", shown)
		}
		for key := 1; key <= 4; key++ {
			g.press(b, key)
			_ = b.Say(`{"type":"key_press","session_id":"` + b.Session() + `","key":1,"text":"yes"}`)
		}
		synctest.Wait()
		if g.Request("r1").Settled() {
			g.Error("an unknown keyboard answered")
		}
		if w := g.admit(boardID("192.168.1.7"), "????"); w.Code != 403 {
			g.Errorf("a wrong code: %d", w.Code)
		}
		if w := g.send(g.shared, "POST", "/v1/keyboards/"+boardID("192.168.1.7")+"/admit", g.web.Token("phone", nod.RightsOf(nod.View, nod.Answering)), `{"code":"`+shown+`"}`); w.Code != 403 {
			g.Errorf("admitted without the right to administer: %d", w.Code)
		}
		if w := g.admit(boardID("192.168.1.7"), strings.ToLower(shown)); w.Code != 200 {
			g.Fatalf("%d %s", w.Code, w.Body)
		}
		g.shows(b, "Yes", "No", "", "shop: Bash: git push")
		g.press(b, 1)
		if r := g.Request("r1"); r.Decision == nil || r.Decision.Verdict != nod.VerdictAllow || r.Decision.Via != "keyboard" {
			g.Errorf("%+v", r.Decision)
		}
	})
}

func TestWrongCodesChangeTheCode(t *testing.T) {
	bubble(t, func(g *rig) {
		b := g.board("192.168.1.7")
		first := code(b)
		for range mostWrong {
			g.admit(boardID("192.168.1.7"), "0000")
		}
		if code(b) == first {
			g.Error("five wrong codes, and it is still the same")
		}
		if w := g.admit(boardID("192.168.1.7"), first); w.Code != 403 {
			g.Errorf("the old code still works: %d", w.Code)
		}
		second := code(b)
		later(codeTime + time.Second)
		if code(b) == second || len(code(b)) != 4 {
			g.Errorf("the code never changes: %q", code(b))
		}
	})
}

func TestAdmissionSurvivesRestartUntilRevoked(t *testing.T) {
	bubble(t, func(g *rig) {
		g.agent("shop", nod.AgentWorking)
		b := g.admitted("192.168.1.7")
		session := g.surface.saved.session()
		if info, err := os.Stat(filepath.Join(g.data, "keyboards.json")); err != nil || info.Mode().Perm() != 0o600 {
			g.Errorf("%v %v", info, err)
		}
		g.begin()
		if g.surface.saved.session() != session || !strings.HasPrefix(session, "tk-") {
			g.Errorf("the session was %q and is %q", session, g.surface.saved.session())
		}
		g.reconnect(b)
		g.shows(b, "STOP", "Finish", "BACKGROUND", "")
		other := g.board("192.168.1.8")
		if len(code(other)) != 4 {
			g.Error("another address was admitted too")
		}
		var list v1.KeyboardList
		w := g.admin("GET", "/v1/keyboards", "")
		if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil || len(list.Keyboards) != 2 {
			g.Errorf("%v %s", err, w.Body)
		}
		if w := g.admin("DELETE", "/v1/keyboards/"+boardID("192.168.1.7"), ""); w.Code != 204 {
			g.Fatalf("%d %s", w.Code, w.Body)
		}
		if b.Connected() {
			g.Error("it is still connected")
		}
		g.reconnect(b)
		if len(code(b)) != 4 {
			g.Errorf("it was not forgotten: %q", code(b))
		}
		g.begin()
		if _, ok := g.surface.saved.admission(boardID("192.168.1.7")); ok {
			g.Error("it is back after a restart")
		}
	})
}

// Agents run on this machine, so its address is not enough to be admitted.
func TestLocalAdmissionLastsOneConnection(t *testing.T) {
	for _, address := range []string{"127.0.0.1", "::1", "192.168.1.2"} {
		t.Run(address, func(t *testing.T) {
			bubble(t, func(g *rig) {
				g.agent("shop", nod.AgentWorking)
				b := g.board(address)
				id := ""
				for known := range g.surface.boards.byID {
					id = known
				}
				if w := g.admit(id, code(b)); w.Code != 200 {
					g.Fatalf("%d %s", w.Code, w.Body)
				}
				g.shows(b, "STOP", "Finish", "BACKGROUND", "")
				agent := g.board(address)
				if len(code(agent)) != 4 || code(agent) == "STOPFinishBackground" {
					g.Errorf("another program of this machine came in with it: %q", code(agent))
				}
				b.Drop()
				synctest.Wait()
				g.reconnect(b)
				if len(code(b)) != 4 {
					g.Errorf("it was remembered: %q", code(b))
				}
			})
		})
	}
}

func TestProxiedConnectionIsNotAdmittedByAddress(t *testing.T) {
	bubble(t, func(g *rig) {
		g.admitted("192.168.1.7")
		b := g.board("192.168.1.7", func(o *fakekeyboard.Options) { o.Header = map[string][]string{"X-Forwarded-For": {"10.0.0.1"}} })
		if len(code(b)) != 4 {
			g.Errorf("a proxied connection was admitted: %q", code(b))
		}
	})
}

func TestTokenActsWithItsRights(t *testing.T) {
	bubble(t, func(g *rig) {
		g.agent("shop", nod.AgentWorking)
		g.ask("shop", "r1", "git push")
		with := func(key string) func(*fakekeyboard.Options) {
			return func(o *fakekeyboard.Options) { o.Header = map[string][]string{"Authorization": {"Bearer " + key}} }
		}
		b := g.board("127.0.0.1", with(g.web.Token("simulator", nod.RightsOf(nod.View, nod.Answering))))
		g.shows(b, "Yes", "No", "", "shop: Bash: git push")
		g.press(b, 2)
		if r := g.Request("r1"); r.Decision == nil || r.Decision.By != "simulator" || r.Decision.Verdict != nod.VerdictDeny {
			g.Errorf("%+v", r.Decision)
		}
		hook := g.newBoard("127.0.0.1", with(g.web.Token("hook", nod.RightsOf(nod.Raise))))
		if err := hook.Connect(g.Context()); err == nil || !strings.Contains(err.Error(), "403") {
			g.Errorf("admitted with the right to raise alone: %v", err)
		}
		web := g.board("127.0.0.1", with(g.web.Token("simulator", nod.RightsOf(nod.View, nod.Answering))), func(o *fakekeyboard.Options) {
			o.Host, o.Path = "hub:8742", "/v1/keyboard"
			o.Header.Set("Origin", "http://hub:8742")
		})
		if !web.Connected() {
			g.Error("the hub's own port has a keyboard for those who are signed in")
		}
	})
}

func TestCrossOriginRequestsAreRefused(t *testing.T) {
	bubble(t, func(g *rig) {
		for _, origin := range []string{"https://evil.example", "null", "http://tkeyboard-bridge.local:8081", "file://evil"} {
			b := g.newBoard("192.168.1.7", func(o *fakekeyboard.Options) { o.Header = map[string][]string{"Origin": {origin}} })
			if err := b.Connect(g.Context()); err == nil {
				g.Errorf("%s came in", origin)
			}
			key := g.web.Token("boss", hubtest.All)
			for _, path := range []string{"/test/button", "/mcp/tool", "/update", "/state/update"} {
				if w := g.send(g.own, "POST", path, key, `{}`, "Origin", origin); w.Code != 403 || w.Header().Get("Access-Control-Allow-Origin") != "" {
					g.Errorf("%s from %s: %d", path, origin, w.Code)
				}
			}
		}
		if w := g.send(g.own, "OPTIONS", "/test/button", "", "", "Origin", "https://evil.example"); w.Header().Get("Access-Control-Allow-Origin") != "" {
			g.Error("CORS")
		}
	})
}
