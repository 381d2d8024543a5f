package voicebridge

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
)

// speak sends a message that the test delivers itself.
func (g *rig) speak(id nod.MessageID, to nod.AgentID, text string) {
	g.Helper()
	if _, err := g.Desk().Say(g.Context(), nod.Message{ID: id, Agent: to, Text: text}); err != nil {
		g.Fatal(err)
	}
}

func (g *rig) turns(query string) (ids []string) {
	g.Helper()
	_, got := g.reply("GET", "/api/voice/agents/nod-1/transcript"+query, "")
	for _, x := range got["turns"].([]any) {
		turn := x.(map[string]any)
		ids = append(ids, fmt.Sprintf("%.0f %s %s", turn["id"], turn["intent"], turn["text"]))
	}
	return ids
}

// Whether an agent reports a message or not, and in whatever order: the transcript and
// the stream have it once, with the same number.
func TestEachMessageIsOneTurn(t *testing.T) {
	g := newRig(t, 0)
	g.agent("nod-1", nod.AgentIdle, nod.CanSay)
	next := g.stream("?types=turn_created")
	working := hub.Agent("nod-1", func(a *nod.Agent, now time.Time) { a.Enter(nod.AgentWorking, now) })
	idle := hub.Agent("nod-1", func(a *nod.Agent, now time.Time) { a.Enter(nod.AgentIdle, now) })
	heard := func(text string) hub.Fact {
		return hub.Said(nod.Turn{Agent: "nod-1", Role: nod.TurnPerson, Text: text})
	}
	g.speak("message1", "nod-1", "/model opus") // no event of its own
	g.Report(hub.TypedIn("message1"))
	g.Report(hub.Heard("message1"))
	if got := g.turns(""); len(got) != 1 || !strings.HasSuffix(got[0], "command /model opus") {
		t.Fatalf("at once: %q", got)
	}
	g.Report(hub.Agent("nod-1", func(a *nod.Agent, _ time.Time) { a.Model = "opus" }))
	streamed := []event{next()}           // any sign of life is enough for the stream
	g.speak("message2", "nod-1", "go on") // told, worked on, then confirmed
	g.Report(heard("go on"), working)
	g.Report(hub.Said(nod.Turn{Agent: "nod-1", Role: nod.TurnTool, Tool: "Bash", Text: "ls"}))
	g.Report(hub.Heard("message2"))
	g.Report(hub.Said(nod.Turn{Agent: "nod-1", Role: nod.TurnAgent, Text: "Done."}), idle)
	g.speak("message3", "nod-1", "and again") // as an agent without a terminal tells it
	g.Report(hub.Heard("message3"), hub.Said(nod.Turn{Agent: "nod-1", Role: nod.TurnPerson, Text: "and again", To: "message3"}), working)
	g.Report(hub.Said(nod.Turn{Agent: "nod-1", Role: nod.TurnSystem, Text: "Somebody stopped it.", To: "message3", Trouble: nod.TroubleStopped}), idle)
	g.speak("message4", "nod-1", "never arrives")
	g.Report(hub.Unheard("message4", "gone"))

	want := []string{"command /model opus", "command go on", "progress ls", "completion Done.", "command and again", "completion Somebody stopped it."}
	whole := g.turns("")
	for i, line := range whole {
		if _, text, _ := strings.Cut(line, " "); i >= len(want) || text != want[i] {
			t.Errorf("turn %d is %q", i, line)
		}
	}
	if len(whole) != len(want) {
		t.Fatalf("%q", whole)
	}
	for i := range whole {
		if i > 0 {
			streamed = append(streamed, next())
		}
		e := streamed[i]
		if got := fmt.Sprintf("%.0f %s %s", e.data["turn_id"], e.data["intent"], e.data["text"]); got != whole[i] {
			t.Errorf("the stream has %q, the transcript %q", got, whole[i])
		}
	}
	var paged []string
	for before := ""; len(paged) < len(whole); {
		page := g.turns("?limit=1" + before)
		if len(page) == 0 {
			break
		}
		paged = append(page, paged...)
		id, _, _ := strings.Cut(page[0], " ")
		before = "&before=" + id
	}
	if strings.Join(paged, "|") != strings.Join(whole, "|") {
		t.Errorf("page by page:\n%q\nwhole:\n%q", paged, whole)
	}
	_, got := g.reply("GET", "/api/voice/agents/nod-1/output", "")
	if n := len(got["commands"].([]any)); n != 2 { // words before the first step are one command
		t.Errorf("%d commands: %v", n, got["commands"])
	}
}
