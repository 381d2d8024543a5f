package wyoming

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/tools/txtar"

	"nod"
)

var update = flag.Bool("update", false, "write the transcripts anew")

// A transcript is a conversation that anyone can read: each line is one event on a
// connection of its own, and after it is what comes back. -update writes the
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
			synctest.Test(t, func(t *testing.T) {
				g := newRig(t)
				for i := 0; i+1 < len(archive.Files); i += 2 {
					ask, want := archive.Files[i], &archive.Files[i+1]
					got := g.play(string(ask.Data))
					if *update {
						want.Data = []byte(got)
					} else if got != string(want.Data) {
						t.Errorf("%s:\n%s\nwant:\n%s", ask.Name, got, want.Data)
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

// play reads "!wait 6m", "!allow" (somebody answers elsewhere), "!from ADDRESS",
// "!deaf" (nothing can be announced), "!announced", and events: "TYPE DATA".
// A transcript may be short: "kitchen: words".
func (g *rig) play(script string) string {
	var out []string
	from := "192.168.1.20"
	for line := range strings.SplitSeq(strings.TrimSpace(script), "\n") {
		verb, arg, _ := strings.Cut(line, " ")
		switch verb {
		case "!wait":
			d, err := time.ParseDuration(arg)
			if err != nil {
				g.t.Fatal(err)
			}
			time.Sleep(d)
			synctest.Wait()
		case "!from":
			from = arg
		case "!deaf":
			g.deaf = arg == "on"
		case "!announced":
			synctest.Wait()
			out = append(out, g.announced...)
			g.announced = nil
		case "!allow", "!deny":
			g.elsewhere(nod.Verdict(verb[1:]))
		case "kitchen:", "hall:":
			out = append(out, g.utter(from, "transcript", `{"text":"`+arg+`","language":"en","context":{"conversation_id":"01J`+verb[:1]+`","device_id":"d1","satellite_id":"assist_satellite.`+strings.TrimSuffix(verb, ":")+`"}}`))
		default:
			if arg == "" {
				arg = "{}"
			}
			out = append(out, g.utter(from, verb, arg))
		}
		synctest.Wait()
	}
	return strings.Join(out, "\n") + "\n"
}

// elsewhere answers as somebody at another door.
func (g *rig) elsewhere(verdict nod.Verdict) {
	g.t.Helper()
	var id nod.RequestID
	g.hub.Look(func(s *nod.State) { id = s.PendingOf("")[0].ID })
	by := nod.Actor{Kind: nod.Person, Name: "ola", Via: "web", Rights: all}
	if _, err := g.hub.Desk(by).Decide(g.t.Context(), id, nod.Answer{Verdict: verdict}); err != nil {
		g.t.Fatal(err)
	}
}
