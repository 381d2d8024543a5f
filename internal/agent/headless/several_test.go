package headless

import (
	"fmt"
	"testing"
	"testing/synctest"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/hubtest"
)

// A hub that starts must not repair the conversations of another hub that is running.
func TestConversationsOfAnotherHubAreLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := hubtest.NewShared()
		var rigs []*hubtest.Rig
		var drivers []*Driver
		for i := range 2 {
			g := hubtest.New(t, hubtest.Options{Store: store, Options: hub.Options{
				Name: fmt.Sprint("hub", i), Host: "same", Assistants: []nod.Assistant{{Name: "house", Kind: "claude", Host: "same"}},
			}})
			rigs = append(rigs, g)
			drivers = append(drivers, New(Config{}, adapter.Deps{Deps: g.Deps()}, Needs{Assistants: []Assistant{{Name: "house"}}}))
		}
		if _, err := rigs[0].Desk().Open(t.Context(), nod.Opening{ID: "talk-one"}); err != nil {
			t.Fatal(err)
		}
		rigs[0].Agent("talk-one", nod.AgentWorking, func(a *nod.Agent) { a.Talk.Warm = true })
		look := func() (a nod.Agent) {
			if _, err := rigs[1].Desk().Snapshot(t.Context()); err != nil { // all that there is
				t.Fatal(err)
			}
			rigs[1].Hub.Look(func(s *nod.State) { a = *s.Agents["talk-one"] })
			return a
		}
		look()
		drivers[1].takeUp(t.Context())
		if a := look(); a.State != nod.AgentWorking || !a.Talk.Warm || drivers[1].mine(&a) {
			t.Fatalf("the other hub took it up: %+v", a)
		}
		drivers[0].takeUp(t.Context())
		if a := look(); a.State != nod.AgentIdle || a.Talk.Warm {
			t.Errorf("its own hub did not: %+v", a)
		}
	})
}
