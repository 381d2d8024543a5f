package voicebridge

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/hubtest"
)

// twoAssistants can be talked to.
func twoAssistants(o *options) {
	o.hub.Assistants = []nod.Assistant{
		{Name: "home", Kind: "claude", Host: "desk", Cwd: "/home/anna/home"},
		{Name: "Coder", Kind: "claude", Host: "desk", Cwd: "/home/anna/src/site", Language: "pl"},
	}
}

func TestConversationLifecycle(t *testing.T) {
	g := newRig(t, 0, twoAssistants)
	g.typist()
	for _, tt := range []struct{ body, with string }{
		{`{}`, "home"}, {`{"persona_slug":"coder"}`, "Coder"}, {`{"project_name":"Site"}`, "Coder"},
		{`{"project_id":"/home/anna/src/site"}`, "Coder"}, {`{"project_name":"home","persona_slug":"home"}`, "home"},
	} {
		code, got := g.reply("POST", "/api/voice/agents/create", tt.body)
		if code != 201 || got["assistant"] != tt.with || got["nod_id"] == "" || said(got, "status_line") != tt.with+" listens." {
			t.Errorf("%s: %d %v", tt.body, code, got)
		}
	}
	code, got := g.reply("POST", "/api/voice/agents/create", `{"project_name":"nobody"}`)
	if code != 404 || got["error"] != "assistant_not_found" || fmt.Sprint(got["voice"].(map[string]any)["results"]) != "[home Coder]" {
		t.Errorf("an assistant that is not there: %d %v", code, got)
	}

	const first = `{"persona_slug":"coder","agent_id":"chosen-here-1","prompt":"Build it","language":"ja"}`
	for range 2 { // the second time after a broken connection
		code, got = g.reply("POST", "/api/voice/agents/create", first)
		if code != 201 || got["nod_id"] != "chosen-here-1" || got["confirmed"] != true {
			t.Fatalf("%d %v", code, got)
		}
	}
	_, got = g.reply("GET", "/api/voice/agents/chosen-here-1/transcript", "")
	if turns := got["turns"].([]any); len(turns) != 1 || turns[0].(map[string]any)["text"] != "Build it" {
		t.Errorf("it was said %d times: %v", len(turns), turns)
	}
	g.Hub.Look(func(s *nod.State) {
		a := s.Agents["chosen-here-1"]
		m := s.Messages["chosen-here-1"]
		if a.Talk.Language != "ja" || m == nil || !strings.Contains(m.Hint, "read aloud") || !strings.Contains(m.Hint, `"ja"`) {
			t.Errorf("%+v %+v", a.Talk, m)
		}
	})

	if code, got = g.reply("POST", "/api/voice/agents/chosen-here-1/shutdown", ""); code != 200 || got["ending"] != true {
		t.Errorf("%d %v", code, got)
	}
	g.Hub.Look(func(s *nod.State) {
		if s.Agents["chosen-here-1"].Alive() || len(s.MessagesTo("chosen-here-1")) > 0 {
			t.Error("it goes on, or was told to /exit")
		}
	})
	if code, _ = g.reply("POST", "/api/voice/agents/chosen-here-1/shutdown", ""); code != 422 {
		t.Errorf("again: %d", code)
	}
}

func TestUnaddressedWordsSkipRoomConversations(t *testing.T) {
	g := newRig(t, 0, twoAssistants)
	g.typist()
	g.agent("nod-1", nod.AgentIdle, nod.CanSay)
	desk := g.Hub.Desk(nod.Actor{Name: "kitchen", Rights: hubtest.All})
	if _, err := desk.Open(t.Context(), nod.Opening{ID: "of-the-kitchen", Room: "kitchen", Context: time.Hour}); err != nil {
		t.Fatal(err)
	}
	if code, got := g.reply("POST", "/api/voice/command", `{"text":"go on"}`); code != 200 || got["nod_id"] != "nod-1" {
		t.Errorf("%d %v", code, got)
	}
}

func said(got map[string]any, what string) string {
	voice, _ := got["voice"].(map[string]any)
	text, _ := voice[what].(string)
	return text
}

func TestPhraseRules(t *testing.T) {
	rules := func(text string) (string, string) {
		switch {
		case strings.Contains(text, "everything"):
			return "ask", "turns everything off"
		case strings.Contains(text, "never"):
			return "deny", "a **rule** of yours"
		}
		return "allow", ""
	}
	g := newRig(t, 0, twoAssistants, func(o *options) { o.Phrases = rules })
	g.typist()
	g.agent("nod-1", nod.AgentIdle, nod.CanSay)
	sent := func() (n int) {
		list, err := g.Desk().Messages(t.Context(), "", 0, 100)
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	code, got := g.reply("POST", "/api/voice/command", `{"agent_id":"nod-1","text":"never do it","confirm":true}`)
	if code != 403 || got["error"] != "refused_by_rule" || fmt.Sprint(got["voice"].(map[string]any)["results"]) != "[a rule of yours.]" {
		t.Errorf("denied: %d %v", code, got)
	}
	code, got = g.reply("POST", "/api/voice/command", `{"agent_id":"nod-1","text":"turn everything off"}`)
	if code != 409 || got["error"] != "confirmation_needed" || got["confirm_needed"] != true || said(got, "next_action") != "Say it again to confirm." {
		t.Errorf("asked: %d %v", code, got)
	}
	if code, got = g.reply("POST", "/api/voice/agents/create", `{"prompt":"never ever"}`); code != 403 {
		t.Errorf("denied to a new one: %d %v", code, got)
	}
	g.said("nod-1", nod.TurnAgent, "Shall I?")
	if code, got = g.reply("POST", "/api/respond/nod-1", `{"text":"yes, everything"}`); code != 409 || got["error_type"] != "confirmation_needed" {
		t.Errorf("as an answer: %d %v", code, got)
	}
	if n := sent(); n != 0 {
		t.Fatalf("%d messages were sent all the same", n)
	}
	if code, got = g.reply("POST", "/api/respond/nod-1", `{"text":"yes, everything","confirm":true}`); code != 200 || got["confirmed"] != true {
		t.Errorf("said twice: %d %v", code, got)
	}
	// The driver of a conversation asks by itself.
	if code, got = g.reply("POST", "/api/voice/agents/create", `{"prompt":"turn everything off"}`); code != 201 || sent() != 2 {
		t.Errorf("to a conversation: %d %v", code, got)
	}
}

func TestReadMarksSurviveRestart(t *testing.T) {
	data := t.TempDir()
	g := newRig(t, 0, func(o *options) { o.data = data })
	restart := func() { g.serve(options{data: data}) }
	unread := func() string {
		_, got := g.reply("GET", "/api/voice/sessions", "")
		list := ""
		for _, a := range got["agents"].([]any) {
			list += fmt.Sprint(a.(map[string]any)["nod_id"], "=", a.(map[string]any)["has_unread"], " ")
		}
		return list
	}
	for _, id := range []nod.AgentID{"api-1", "web-2"} {
		g.agent(id, nod.AgentIdle, nod.CanSay)
		g.said(id, nod.TurnAgent, "Done.")
	}
	g.reply("POST", "/api/voice/agents/api-1/mark-read", "")
	restart()
	if got := unread(); got != "api-1=false web-2=true " {
		t.Errorf("after a restart: %s", got)
	}
	g.said("api-1", nod.TurnAgent, "More.")
	restart()
	if got := unread(); got != "api-1=true web-2=true " {
		t.Errorf("after more words: %s", got)
	}
	if err := os.WriteFile(filepath.Join(data, "voice-read.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	restart()
	if got := unread(); got != "api-1=false web-2=false " {
		t.Errorf("with a broken file: %s", got)
	}
	if err := os.WriteFile(filepath.Join(data, "voice-read.json"), []byte(`{"since":9999,"read":{"api-1":99999}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	restart()
	g.said("api-1", nod.TurnAgent, "And more.")
	if got := unread(); got != "api-1=true web-2=false " {
		t.Errorf("with the marks of another log: %s", got)
	}
}

func TestContextUsage(t *testing.T) {
	g := newRig(t, 0)
	for _, tt := range []struct {
		told *nod.Context
		want string
	}{
		{nil, "false not_told_by_agent <nil> <nil> <nil>"},
		{&nod.Context{Tokens: 1200}, "false window_unknown <nil> <nil> 1200 tokens"},
		{&nod.Context{Tokens: 44_500, Window: 200_000}, "true <nil> 22 155k 44500 of 200000 tokens"},
		{&nod.Context{Tokens: 199_600, Window: 200_000}, "true <nil> 99 400 199600 of 200000 tokens"},
	} {
		g.agent("nod-1", nod.AgentIdle)
		g.Report(hub.Agent("nod-1", func(a *nod.Agent, _ time.Time) { a.Context = tt.told }))
		_, got := g.reply("GET", "/api/voice/agents/nod-1/context", "")
		if text := fmt.Sprint(got["available"], " ", got["reason"], " ", got["percent_used"], " ", got["remaining_tokens"], " ", got["raw"]); text != tt.want {
			t.Errorf("%s, want %s", text, tt.want)
		}
		_, list := g.reply("GET", "/api/voice/sessions", "")
		if one := list["agents"].([]any)[0].(map[string]any)["context"]; (one != nil) != (got["available"] == true) {
			t.Errorf("in the list: %v", one)
		}
	}
}
