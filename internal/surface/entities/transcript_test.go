package entities

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/net/mqttd"
	"nod/internal/surface/transcript"
)

// A transcript is what happens, and what is published about it. -update rewrites the
// answers.
func TestTranscripts(t *testing.T) {
	transcript.Each(t, func(t *testing.T, f *transcript.File) {
		synctest.Test(t, func(t *testing.T) {
			g := newRig(t, func(o *options, _ *wire) {
				if strings.Contains(f.About(), "In full") {
					o.Content = contentFull
				} else if strings.Contains(f.About(), "Nothing of what agents say") {
					o.Content = contentNone
				}
			})
			f.Play(t, func(s transcript.Step) string {
				g.play(s.Text)
				return lines(g.wire.took(), strings.Contains(s.Name, "whole"))
			})
		})
	})
}

func (g *rig) play(script string) {
	g.Helper()
	for line := range strings.SplitSeq(strings.TrimSpace(script), "\n") {
		word := strings.Fields(line)
		rest := func(n int) string { return strings.Join(word[min(n, len(word)):], " ") }
		switch word[0] {
		case "wait":
			d, err := time.ParseDuration(word[1])
			if err != nil {
				g.Fatal(err)
			}
			time.Sleep(d)
		case "agent":
			g.agent(word[1], nod.AgentState(word[2]))
		case "run", "wipe", "read":
			tool := map[string]string{"run": "Bash", "wipe": "Wipe", "read": "Read"}[word[0]]
			g.ask(nod.Request{ID: nod.RequestID(word[2]), Agent: nod.AgentRef{ID: nod.AgentID(word[1])}, Tool: tool, Title: "Bash: " + rest(3), Display: "$ " + rest(3)})
		case "choose":
			g.ask(nod.Request{ID: nod.RequestID(word[2]), Agent: nod.AgentRef{ID: nod.AgentID(word[1])}, Kind: nod.KindQuestion, Tool: "AskUserQuestion", Title: "Which one?",
				Questions: []nod.Question{{Text: "Which one?", Choices: []nod.Choice{{Label: "Red", Description: "as blood"}, {Label: "Blue"}}}}})
		case "reply":
			g.Report(hub.Said(nod.Turn{Agent: nod.AgentID(word[1]), Role: nod.TurnAgent, Text: rest(2)}))
		case "press":
			g.press(word[1], word[2], rest(3))
		case "birth":
			g.wire.deliver(mqttd.Message{Topic: "homeassistant/status", Payload: []byte(rest(1))})
		case "found":
			g.wire.deliver(mqttd.Message{Topic: "homeassistant/device/nod_desk/" + word[1] + "/config", Payload: json.RawMessage(`{}`), Retain: true})
		case "broker":
			g.wire.watch(word[1] == "up")
		case "quiet":
			g.wire.took()
		default:
			g.Fatalf("%q is no order", line)
		}
		synctest.Wait()
	}
}
