package terminal

import (
	"fmt"
	"testing"
	"testing/synctest"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/hubtest"
)

// Two hubs of one machine see the same panes; only one of them types.
func TestOneOfTwoHubsReachesAnAgent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := hubtest.NewShared()
		var drivers []*Driver
		for i := range 2 {
			h, err := hub.Open(t.Context(), store, hub.Options{Name: fmt.Sprint("hub", i), Host: "same"})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = h.Close(t.Context()) }()
			drivers = append(drivers, New(adapter.Deps{Deps: hub.Deps{Hub: h}}, Needs{}))
		}
		a := &nod.Agent{ID: "s1", Kind: kind, Host: "same", Hub: "hub0", Process: &nod.Process{PID: 42, Start: 7, Local: true, Pane: "%1", Tmux: "/tmp/tmux"}}
		if !drivers[0].env.reachable(a) || drivers[1].env.reachable(a) {
			t.Errorf("its own hub reaches it: %v, the other: %v", drivers[0].env.reachable(a), drivers[1].env.reachable(a))
		}
		dialog := nod.Request{ID: "r1", Kind: nod.KindQuestion, Tool: toolTerminal, Title: "?", Agent: nod.AgentRef{ID: "s1", Kind: kind, Host: "same"}}
		if _, err := drivers[0].env.link.Ask(t.Context(), dialog); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		status := func() nod.Status {
			r, err := drivers[1].env.link.Request(t.Context(), "r1")
			if err != nil {
				t.Fatal(err)
			}
			return r.Status
		}
		drivers[1].env.withdrawOldDialogs(t.Context())
		synctest.Wait()
		if status() != nod.Pending {
			t.Fatal("a dialog that another hub shows was withdrawn")
		}
		drivers[0].env.withdrawOldDialogs(t.Context())
		synctest.Wait()
		if status() != nod.Withdrawn {
			t.Error("its own hub did not withdraw it")
		}
	})
}
