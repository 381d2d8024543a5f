package wyoming

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	recorded "nod/internal/surface/transcript" // a transcript is an event of this wire
)

// A transcript is a readable conversation: each line is one event on a connection of its
// own, followed by the answer. -update rewrites the answers.
func TestTranscripts(t *testing.T) {
	recorded.Each(t, func(t *testing.T, f *recorded.File) {
		synctest.Test(t, func(t *testing.T) {
			g := newRig(t)
			f.Play(t, func(s recorded.Step) string { return g.play(s.Text) })
		})
	})
}

// play reads "!wait 6m", "!allow" (answered elsewhere), "!from ADDRESS",
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
				g.Fatal(err)
			}
			time.Sleep(d)
			synctest.Wait()
		case "!from":
			from = arg
		case "!deaf":
			g.busy = arg == "on"
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

// elsewhere answers on another surface.
func (g *rig) elsewhere(verdict nod.Verdict) {
	g.Helper()
	var id nod.RequestID
	g.Hub.Look(func(s *nod.State) { id = s.PendingOf("")[0].ID })
	g.Decide(id, verdict)
}
