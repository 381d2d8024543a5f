package link

import (
	"nod/internal/hub/hubtest"
	"testing"
	"testing/synctest"
	"time"

	"nod"
)

// A machine that left while the hub was away does not count as connected for ever.
func TestHostThatLeftWhileTheHubWasAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := hubtest.New(t, hubtest.Options{Settle: synctest.Wait})
		for _, name := range []string{"laptop", "attic", "old"} {
			visit := nod.VisitTo("", "before")
			if name == "old" { // as the release before wrote it
				visit = "before"
			}
			g.Report(changed(name, func(h *nod.Host) { h.Up, h.Visit = true, visit }))
		}
		g.Close()
		g.Open()
		d := newDriver(g.Hub)
		g.Run(d.Run)
		time.Sleep(20 * time.Second)
		g.Report(changed("attic", func(h *nod.Host) { h.Visit = nod.VisitTo("", "now") }))
		up := func() (names string) {
			synctest.Wait()
			d.State(func(s *nod.State) {
				for _, h := range s.HostList() {
					if h.Up {
						names += h.Name + " "
					}
				}
			})
			return names
		}
		if got := up(); got != "attic laptop old " {
			t.Errorf("too early: %s", got)
		}
		time.Sleep(20 * time.Second)
		if got := up(); got != "attic " {
			t.Errorf("here: %s", got)
		}
	})
}
