package voicebridge

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"nod"
)

// What a tool's request holds is not read out completely, so a bare yes is not enough.
func TestToolsNeedTheWordAllow(t *testing.T) {
	g := newRig(t, 0)
	g.agent("nod-1", nod.AgentWorking)
	r := approval("aaaa0001", "nod-1", "x", "unknown")
	r.Tool, r.Title = "mcp__any__HassSet", "mcp__any__HassSet: {...}"
	r.Input = []byte(`{"command":"lights off","also":"unlock the front door"}`)
	g.Ask(r)
	g.reply("GET", "/api/voice/agents/1/question", "")
	g.reply("POST", "/api/respond/1", `{"text":"yes"}`)
	if g.Request("aaaa0001").Settled() {
		t.Error("yes allowed what was not read out")
	}
}

// A button that was drawn for a settled request does not allow the next one.
func TestAnOldButtonIsNotAnswered(t *testing.T) {
	g := newRig(t, 0)
	g.agent("nod-1", nod.AgentWorking)
	g.Ask(approval("aaaa0001", "nod-1", "ls", "read"))
	g.reply("GET", "/api/voice/agents/1/transcript", "")
	g.Decide("aaaa0001", nod.VerdictDeny)
	g.Ask(approval("aaaa0002", "nod-1", "rm -rf /", "destructive"))
	button := `{"mode":"select","option_index":0,"option_label":"Allow"}`
	if code, got := g.reply("POST", "/api/respond/1", button); code != http.StatusConflict || g.Request("aaaa0002").Settled() {
		t.Errorf("%d %v", code, got)
	}
}

// Two folders may have the same number; then the number means neither.
func TestFoldersWithOneNumberAreRefused(t *testing.T) {
	seen := map[int]string{}
	var one, two string
	for i := 0; one == ""; i++ {
		folder := fmt.Sprintf("/tmp/p%d", i)
		id := project("desk", folder)
		if other, ok := seen[id]; ok {
			one, two = other, folder
		}
		seen[id] = folder
	}
	g := newRig(t, 0, twoAssistants)
	g.typist()
	for id, folder := range map[nod.AgentID]string{"aaa-1": one, "bbb-2": two} {
		g.Agent(id, nod.AgentIdle, func(a *nod.Agent) { a.Name, a.Host, a.Cwd = "x", "desk", folder })
	}
	if code, got := g.reply("POST", "/api/voice/agents/create", fmt.Sprintf(`{"project_id":%d}`, project("desk", two))); code < 400 {
		t.Errorf("%d %v", code, got)
	}
}

// Fetching pictures does not keep a ticket alive, and no stream does so for ever.
func TestTicketsEnd(t *testing.T) {
	for _, stream := range []bool{false, true} {
		var all tickets
		start := time.Unix(1e9, 0)
		now := start
		name, err := all.issue(http.Header{"Authorization": {"Bearer x"}}, now)
		if err != nil {
			t.Fatal(err)
		}
		for ok := true; ok && now.Sub(start) < 2*longestTicket; now = now.Add(59 * time.Second) {
			var done func()
			if _, done, ok = all.use(name, stream, func() time.Time { return now }); ok {
				done()
			}
		}
		if lasted := now.Sub(start); stream && lasted < time.Hour || !stream && lasted > 4*time.Minute || lasted > longestTicket+time.Hour {
			t.Errorf("stream %v: it was good for %s", stream, lasted)
		}
	}
}
