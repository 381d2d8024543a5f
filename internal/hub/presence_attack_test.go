package hub_test

import (
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/hubtest"
)

// When a hub is gone, so are the links that were connected to it alone.
func TestLinksGoWithTheirHub(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := hubtest.NewShared()
		hubs := hubtest.Several(t, hub.Options{}, s, s)
		for host, visit := range map[string]string{"laptop": nod.VisitTo("hub1", "x"), "attic": nod.VisitTo("hub0", "x"), "old": "x"} {
			err := hubs[0].Link("test").Report(t.Context(), func(*nod.State, time.Time) []nod.Event {
				return []nod.Event{{Kind: nod.HostChanged, Host: &nod.Host{Name: host, Up: true, Visit: visit}}}
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		_ = hubs[1].Close(t.Context())
		time.Sleep(4 * time.Minute)
		synctest.Wait()
		up := ""
		hubs[0].Look(func(s *nod.State) {
			for _, h := range s.HostList() {
				if h.Up {
					up += h.Name + " "
				}
			}
		})
		if up != "attic old " {
			t.Errorf("here: %s", up)
		}
	})
}
