package voicebridge

import (
	"fmt"
	"testing"

	"nod"
	"nod/internal/hub"
)

// page is the original's page: it takes agent_id from the list, expects a whole number,
// and sends it back as a number in bodies, in paths and in the stream's address.
type page struct{ *rig }

// idOf is the agent_id that the list gives for an agent.
func (p page) idOf(nodID string) int {
	p.Helper()
	_, got := p.reply("GET", "/api/voice/sessions", "")
	for _, a := range got["agents"].([]any) {
		if one := a.(map[string]any); one["nod_id"] == nodID {
			n, ok := one["agent_id"].(float64)
			if !ok || n != float64(int(n)) || n < 1 {
				p.Fatalf("agent_id of %s is %v, no whole number", nodID, one["agent_id"])
			}
			return int(n)
		}
	}
	p.Fatalf("%s is not in the list", nodID)
	return 0
}

// An agent whose id begins with 5 once got what was meant for number 5.
func TestNumbersNeverMatchByPrefix(t *testing.T) {
	g := newRig(t, 0)
	g.typist()
	for _, id := range []nod.AgentID{"5e55abcd", "1e10abcd", "77aaabcd", "77aabbbb", "1234abcd"} {
		g.agent(id, nod.AgentIdle, nod.CanSay)
	}
	p := page{g}
	third := p.idOf("77aaabcd")
	if third != 3 {
		t.Errorf("the third agent is %d", third)
	}
	code, got := g.reply("POST", "/api/voice/command", fmt.Sprintf(`{"text":"hello","agent_id":%d}`, third))
	if code != 200 || got["nod_id"] != "77aaabcd" || got["agent_id"] != 3.0 {
		t.Errorf("%d %v", code, got)
	}
	for _, tt := range []struct {
		agent string
		code  int
		to    string
	}{
		{`5`, 200, "1234abcd"}, {`"5"`, 200, "1234abcd"}, {`"5e55abcd"`, 200, "5e55abcd"}, {`"5e55"`, 200, "5e55abcd"},
		{`"5e5"`, 404, ""}, {`6`, 404, ""}, {`0`, 404, ""}, {`-1`, 404, ""}, {`"05"`, 404, ""}, {`1234`, 404, ""}, {`"1234"`, 404, ""},
		{`1e10`, 400, ""}, {`5.5`, 400, ""}, {`"77aa"`, 400, ""}, {`"77aab"`, 200, "77aabbbb"},
	} {
		code, got := g.reply("POST", "/api/voice/command", `{"text":"do it","agent_id":`+tt.agent+`}`)
		if code != tt.code || tt.to != "" && got["nod_id"] != tt.to {
			t.Errorf("agent_id %s: %d %v", tt.agent, code, got)
		}
	}
	for path, want := range map[string]int{"/3/": 200, "/77aaabcd/": 200, "/5e5/": 404, "/9/": 404, "/1234/": 404, "/77aa/": 400} {
		if code, got := g.reply("GET", "/api/voice/agents"+path+"context", ""); code != want {
			t.Errorf("%s: %d %v", path, code, got)
		}
	}
	if code, got := g.reply("GET", "/api/respond/3/availability", ""); code != 200 || got["nod_id"] != "77aaabcd" {
		t.Errorf("%d %v", code, got)
	}
}

// The page keeps numbers across a restart of its server, and the stream takes them.
func TestNumbersStay(t *testing.T) {
	g := newRig(t, 0)
	g.agent("nod-1", nod.AgentIdle, nod.CanSay)
	g.agent("web-2", nod.AgentIdle, nod.CanSay)
	p := page{g}
	g.Report(hub.EndOf("nod-1", "closed"))
	g.serve(options{}) // a restart
	if n := p.idOf("web-2"); n != 2 {
		t.Errorf("after a restart it is %d", n)
	}
	g.agent("new-3", nod.AgentIdle)
	if n := p.idOf("new-3"); n != 3 {
		t.Errorf("a new agent is %d", n)
	}
	next := g.stream("?types=turn_created&agent_id=2")
	g.said("new-3", nod.TurnPerson, "not this one")
	g.said("web-2", nod.TurnPerson, "this one")
	if e := next(); e.data["agent_id"] != 2.0 || e.data["text"] != "this one" {
		t.Errorf("%+v", e)
	}
}
