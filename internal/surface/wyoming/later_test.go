package wyoming

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nod"
)

// Home Assistant before 2026.4 does not say where a person spoke.
const unplaced = `{"text":"slow roses","context":{"conversation_id":"01J"}}`

func TestSatelliteThatHomeAssistantDoesNotName(t *testing.T) {
	for name, c := range map[string]struct {
		since time.Duration // when its state comes
		want  string
	}{
		"before":   {0, "assist_satellite.hall: At last: roses."},
		"after":    {100 * time.Millisecond, "assist_satellite.hall: At last: roses."},
		"too late": {time.Second, ""}, // by then it is another satellite's
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				g := newRig(t, func(_ *rig, o *options) {
					o.Answering = func() string {
						if time.Since(start) < c.since {
							return ""
						}
						return "assist_satellite.hall"
					}
				})
				said := g.utter("192.168.1.20", "transcript", unplaced)
				if here := strings.Contains(said, "hear the answer here"); here != (c.want != "") {
					t.Errorf("it says %s", said)
				}
				time.Sleep(time.Minute)
				synctest.Wait()
				if got := strings.Join(g.announced, "\n"); got != c.want {
					t.Errorf("announced %q, want %q", got, c.want)
				}
			})
		})
	}
}

// A satellite that asks the same question itself is busy until it is answered. Then only
// the result is announced.
func TestAnsweredQuestionIsNotAnnounced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(g *rig, o *options) {
			o.Announce = func(ctx context.Context, satellite, text string) error {
				var busy bool
				g.Hub.Look(func(s *nod.State) { busy = len(s.PendingOf("")) > 0 })
				if busy {
					<-ctx.Done()
					return ctx.Err()
				}
				return g.announce(ctx, satellite, text)
			}
		})
		g.utter("192.168.1.20", "transcript", `{"text":"slow off lamp","context":{"satellite_id":"assist_satellite.hall"}}`)
		time.Sleep(30 * time.Second) // it is asked by now
		g.elsewhere(nod.VerdictAllow)
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if want := []string{"assist_satellite.hall: It is off now."}; !slices.Equal(g.announced, want) {
			t.Errorf("announced %q\n%s", g.announced, g.Logs)
		}
	})
}
