package keyboard

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"nod"
	"nod/internal/hub/hubtest"
	"nod/internal/present/words"
	"nod/internal/surface/keyboard/fakekeyboard"
)

// On the hub's own port /ws is also Prompt Relay's path.
func TestMiddlewareTakesOnlyKeyboards(t *testing.T) {
	bubble(t, func(g *rig) {
		b := g.board("192.168.1.7", func(o *fakekeyboard.Options) { o.Host = "hub:8742" })
		if len(code(b)) != 4 {
			g.Errorf("it shows %q", code(b))
		}
		others := 0
		h := g.surface.Middleware(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { others++ }))
		for _, headers := range [][]string{
			{"Upgrade", "websocket"},
			{"Upgrade", "websocket", "Sec-WebSocket-Protocol", "arduino", "Origin", "https://evil.example"},
			{"Sec-WebSocket-Protocol", "arduino", "Origin", "file://"},
		} {
			g.send(h, "GET", "/ws", "", "", headers...)
		}
		g.send(h, "GET", "/inputs", "", "", "Upgrade", "websocket", "Sec-WebSocket-Protocol", "arduino", "Origin", "file://")
		if others != 4 {
			g.Errorf("%d of 4 were left to others", others)
		}
	})
}

func TestPicturesOnHubPortNeedView(t *testing.T) {
	bubble(t, func(g *rig) {
		path := "/v1/keyboard/images/" + g.surface.pictures.icons.Name("Yes", "", "#FFFFFF")
		if w := g.admin("GET", path, ""); w.Code != 200 || w.Body.Len() != fakekeyboard.PictureSize {
			g.Errorf("%d, %d bytes", w.Code, w.Body.Len())
		}
		if w := g.send(g.shared, "GET", path, "", ""); w.Code != 401 {
			g.Errorf("%d without a token", w.Code)
		}
	})
}

// The original's PostToolUse hook overwrites the keys after every tool.
func TestHooksCannotReplaceKeysOfKnownAgent(t *testing.T) {
	bubble(t, func(g *rig) {
		g.agent("shop", nod.AgentWorking)
		g.ask("shop", "r1", "ls")
		b := g.admitted("192.168.1.7")
		for _, call := range [][2]string{
			{"/update", `{"buttons":["Yes","Yes","Yes","Yes"]}`}, {"/state/update", `{"event":"error"}`},
			{"/update", `{"type":"update_options","options":[{"text":"No","action":"yes"}]}`},
		} {
			g.send(g.own, "POST", call[0], "", call[1])
			g.shows(b, "Yes", "No", "", "shop: Bash: ls")
		}
		if g.send(g.own, "POST", "/mcp/tool", g.web.Token("boss", hubtest.All), `{"name":"set_keyboard_buttons","arguments":{"buttons":["No","Yes","",""]}}`).Code != 200 {
			g.Error("it may")
		}
		g.shows(b, "Yes", "No", "", "shop: Bash: ls") // a question comes first
	})
}

// An agent that sets keys cannot make a person say what they did not read: the first
// press shows it, the second says it.
func TestHiddenActionsAreShownFirst(t *testing.T) {
	bubble(t, func(g *rig) {
		b := g.admitted("192.168.1.7")
		g.send(g.own, "GET", "/inputs", "", "") // a daemon is there
		agent := nod.Actor{Kind: nod.ActorAgent, Name: "claude", Rights: nod.RightsOf(nod.Raise)}
		_, err := g.surface.Tool(g.Context(), agent, "set_keyboard_buttons", json.RawMessage(`{"buttons":["Yes","No","",""],"actions":["delete it all","Yes","",""]}`))
		if err != nil {
			g.Fatal(err)
		}
		g.press(b, 1)
		g.shows(b, "Sure?", "No", "", "Yes: delete it all")
		if n := g.surface.inputs.waiting(); n != 0 {
			g.Errorf("one press said it (%d)", n)
		}
		later(sureTime)
		g.shows(b, "Yes", "No", "", "")
		g.press(b, 1)
		g.press(b, 2) // another key
		g.shows(b, "Yes", "Sure?", "", "No: Yes")
		g.press(b, 2)
		if got := g.send(g.own, "GET", "/inputs", "", "").Body.String(); !strings.Contains(got, `"key":2,"text":"Yes"`) || strings.Contains(got, "delete") {
			g.Errorf("a daemon got %s", got)
		}
	})
}

func TestBindEndpoint(t *testing.T) {
	bubble(t, func(g *rig) {
		g.agent("shop", nod.AgentIdle)
		g.agent("blog", nod.AgentWorking)
		b := g.admitted("192.168.1.7")
		bind := func(agent string) int {
			return g.admin("POST", "/v1/keyboards/"+boardID("192.168.1.7")+"/bind", `{"agent":"`+agent+`"}`).Code
		}
		if code := bind("shop"); code != 204 {
			g.Fatal(code)
		}
		g.shows(b, "Continue", "Summary", "More", "shop")
		if code := bind("nobody"); code != 404 {
			g.Error(code)
		}
		if code := bind(""); code != 204 {
			g.Error(code)
		}
	})
}

func TestLabelsAreDrawableInEveryLanguage(t *testing.T) {
	for _, lang := range []words.Lang{words.English, words.Polish, words.Japanese} {
		p := words.In(lang)
		for _, m := range []words.Message{
			words.KeyboardFinish, words.KeyboardFinishing, words.KeyboardResume, words.KeyboardMore, words.KeyboardContinue, words.KeyboardRetry, words.KeyboardSwitch, words.KeyboardEveryone,
			words.KeyboardAlways, words.KeyboardEnded, words.KeyboardSent, words.KeyboardAllowed, words.KeyboardDenied, words.KeyboardStopped, words.KeyboardAgain, words.KeyboardTooLate, words.KeyboardGone, words.KeyboardOpen, words.KeyboardNotSent, words.KeyboardNobody,
		} {
			k := word(p, "", "", "", m, Act{})
			if text := k.text(); text == "" || strings.Contains(text, "?") || strings.HasSuffix(text, ".") && !strings.HasSuffix(k.Label, ".") {
				t.Errorf("%q is drawn as %q", k.Label, text)
			}
			if n := len([]rune(k.Label)); n > longestLabel {
				t.Errorf("%q has %d characters", k.Label, n)
			}
		}
	}
}
