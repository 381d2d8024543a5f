package link

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/store/mem"
)

// A machine that left while the hub was away does not count as connected for ever.
func TestHostThatLeftWhileTheHubWasAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := mem.New()
		begin := func() (*hub.Hub, *Driver) {
			h, err := hub.Open(t.Context(), store, hub.Options{})
			if err != nil {
				t.Fatal(err)
			}
			return h, newDriver(h)
		}
		h, d := begin()
		for _, name := range []string{"laptop", "attic", "old"} {
			visit := nod.VisitTo("", "before")
			if name == "old" { // as the release before wrote it
				visit = "before"
			}
			if err := d.Report(t.Context(), changed(name, func(h *nod.Host) { h.Up, h.Visit = true, visit })); err != nil {
				t.Fatal(err)
			}
		}
		_ = h.Close(context.Background())
		h, d = begin()
		defer h.Close(context.Background())
		go d.Run(t.Context())
		time.Sleep(20 * time.Second)
		if err := d.Report(t.Context(), changed("attic", func(h *nod.Host) { h.Visit = nod.VisitTo("", "now") })); err != nil {
			t.Fatal(err)
		}
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
