package entities

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/tools/txtar"

	"nod"
	"nod/internal/hub"
	"nod/internal/mqttd"
)

var update = flag.Bool("update", false, "write the transcripts anew")

// A transcript is what happens, and what is published of it. -update writes the
// answers anew.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			comment := string(archive.Comment)
			synctest.Test(t, func(t *testing.T) {
				g := newRig(t, func(o *Options, _ *wire) {
					if strings.Contains(comment, "In full") {
						o.Content = Full
					} else if strings.Contains(comment, "Nothing of what agents say") {
						o.Content = None
					}
				})
				for i := 0; i+1 < len(archive.Files); i += 2 {
					script, want := archive.Files[i], &archive.Files[i+1]
					g.play(string(script.Data))
					got := lines(g.wire.took(), strings.Contains(script.Name, "whole"))
					if *update {
						want.Data = []byte(got)
					} else if got != string(want.Data) {
						t.Errorf("%s:\n%s\nwant:\n%s", script.Name, got, want.Data)
					}
				}
			})
			if *update {
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func (g *rig) play(script string) {
	g.t.Helper()
	for line := range strings.SplitSeq(strings.TrimSpace(script), "\n") {
		word := strings.Fields(line)
		rest := func(n int) string { return strings.Join(word[min(n, len(word)):], " ") }
		switch word[0] {
		case "wait":
			d, err := time.ParseDuration(word[1])
			if err != nil {
				g.t.Fatal(err)
			}
			time.Sleep(d)
		case "agent":
			g.agent(word[1], nod.AgentState(word[2]))
		case "run", "wipe", "read":
			tool := map[string]string{"run": "Bash", "wipe": "Wipe", "read": "Read"}[word[0]]
			g.ask(nod.Request{ID: nod.RequestID(word[2]), Agent: nod.AgentRef{ID: nod.AgentID(word[1])}, Tool: tool, Title: "Bash: " + rest(3), Display: "$ " + rest(3)})
		case "choose":
			g.ask(nod.Request{ID: nod.RequestID(word[2]), Agent: nod.AgentRef{ID: nod.AgentID(word[1])}, Kind: nod.Asking, Tool: "AskUserQuestion", Title: "Which one?",
				Questions: []nod.Question{{Text: "Which one?", Choices: []nod.Choice{{Label: "Red", Description: "as blood"}, {Label: "Blue"}}}}})
		case "reply":
			g.report(hub.Said(nod.Turn{Agent: nod.AgentID(word[1]), Role: nod.Replied, Text: rest(2)}))
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
			g.t.Fatalf("%q is no order", line)
		}
		synctest.Wait()
	}
}
