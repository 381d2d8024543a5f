package mcp_test

import (
	"encoding/json"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"nod"
)

func TestKeyboardResultsHaveTheOriginalsShapes(t *testing.T) {
	both(t, func(t *testing.T, g *rig, a *agent) {
		status := object(t, a.call("get_keyboard_status", nil).StructuredContent)
		for _, field := range []string{"connected", "sessionId", "claudePid", "currentContext", "queueLength"} {
			if _, ok := status[field]; !ok || len(status) != 5 {
				t.Errorf("the status has %v", status)
			}
		}
		context := status["currentContext"].(map[string]any)
		if context["type"] != "default" || joined(context["buttons"]) != "Yes,No,Proceed,Help" || len(context) != 5 {
			t.Errorf("at the start: %v", context)
		}
		res := a.call("update_keyboard_context", args{"context": "git_operations", "detail": "before a push"})
		if o := object(t, res.StructuredContent); o["success"] != true || o["context"] != "git_operations" || !strings.HasPrefix(joined(o["buttons"]), "STOP,") || o["reasoning"] == "" || len(o) != 4 {
			t.Errorf("%v", o)
		}
		if lines := strings.Split(words(res), "\n"); len(lines) != 3 || !strings.Contains(lines[0], "git_operations") || !strings.Contains(lines[1], "STOP, ") {
			t.Errorf("%q", lines)
		}
		res = a.call("set_keyboard_buttons", args{"buttons": []string{"Ship", "Wait", "", "Help"}, "actions": []string{"ship it", "wait", "", "help"}, "images": []string{"icon-0d80d81c.rgb", "../../etc/passwd", "", ""}})
		if o := object(t, res.StructuredContent); o["success"] != true || joined(o["buttons"]) != "Ship,Wait,,Help" || len(o) != 2 {
			t.Errorf("%v", o)
		}
		context = object(t, a.call("get_keyboard_status", nil).StructuredContent)["currentContext"].(map[string]any)
		if context["type"] != "custom" || context["detail"] != "manually set" || joined(context["images"]) != "icon-0d80d81c.rgb,,," || context["timestamp"].(float64) == 0 {
			t.Errorf("%v", context)
		}
	})
}

func joined(list any) string {
	var words []string
	for _, w := range list.([]any) {
		words = append(words, w.(string))
	}
	return strings.Join(words, ",")
}

func TestASurfaceReadsWhatTheAgentWants(t *testing.T) {
	g := newRig(t)
	changed, stop := g.driver.Suggestions()
	defer stop()
	a := g.stdio("s1")
	a.call("set_keyboard_buttons", args{"buttons": []string{"a\u202eb", "2", "3", "4"}, "actions": []string{"1", "2", "3", "4"}})
	<-changed
	set, ok := g.driver.Suggested("s1")
	if !ok || set.Keys[0].Label != "a⟨RLO⟩b" || set.Keys[1].Action != "2" {
		t.Errorf("%+v", set)
	}
	if _, ok := g.driver.Suggested("s2"); ok {
		t.Error("another agent has suggestions")
	}
	a.call("update_keyboard_context", args{"context": "debugging"})
	set, _ = g.driver.Suggested("s1")
	if k := set.Keys[0]; k.Label != "STOP" || k.Emoji != "🛑" || k.Image != "icon-d439eeb9.rgb" {
		t.Errorf("%+v", k) // the hash is one of the original's vectors
	}
}

func TestKeysThatDoNotFitAreRefused(t *testing.T) {
	g := newRig(t)
	a := g.stdio("s1")
	four := []string{"1", "2", "3", "4"}
	for name, in := range map[string]args{
		"three":              {"buttons": []string{"1", "2", "3"}},
		"none":               {},
		"two actions":        {"buttons": four, "actions": []string{"1", "2"}},
		"an escape":          {"buttons": four, "actions": []string{"\x1b[2J", "2", "3", "4"}},
		"a book as action":   {"buttons": four, "actions": []string{strings.Repeat("x", 2000), "2", "3", "4"}},
		"no list":            {"buttons": "Yes"},
		"one picture":        {"buttons": four, "images": []string{"a"}},
		"a hidden direction": {"buttons": []string{"\u202eno", "2", "3", "4"}},
	} {
		if res := a.call("set_keyboard_buttons", in); !res.IsError {
			t.Errorf("%s: %q", name, words(res))
		}
	}
	if res := a.call("update_keyboard_context", nil); !res.IsError {
		t.Error("no context")
	}
	if _, ok := g.driver.Suggested("s1"); ok {
		t.Error("something was kept")
	}
}

func TestSubscribersOfResourcesGetChanges(t *testing.T) {
	both(t, func(t *testing.T, g *rig, a *agent) {
		for _, uri := range []string{"tkeyboard://status", "tkeyboard://context"} {
			if err := a.Subscribe(t.Context(), &sdk.SubscribeParams{URI: uri}); err != nil {
				t.Fatal(err)
			}
		}
		read := func(uri string) map[string]any {
			res, err := a.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
			if err != nil {
				t.Fatal(err)
			}
			var m map[string]any
			if c := res.Contents[0]; c.MIMEType != "application/json" || json.Unmarshal([]byte(c.Text), &m) != nil {
				t.Fatalf("%+v", c)
			}
			return m
		}
		before := read("tkeyboard://status")
		if before["connected"] != false || before["currentContext"] != "default" || len(before) != 4 {
			t.Errorf("%v", before)
		}
		a.call("update_keyboard_context", args{"context": "testing"})
		heard := map[string]bool{}
		for len(heard) < 2 {
			heard[<-a.changed] = true
		}
		if c := read("tkeyboard://context"); c["type"] != "testing" {
			t.Errorf("%v", c)
		}
		g.mu.Lock()
		g.connected = true
		g.mu.Unlock()
		for len(a.changed) > 0 {
			<-a.changed
		}
		g.driver.Refresh(agentID(before))
		<-a.changed
		if s := read("tkeyboard://status"); s["connected"] != true {
			t.Errorf("%v", s)
		}
	})
}

func agentID(status map[string]any) nod.AgentID { return nod.AgentID(status["sessionId"].(string)) }
