package headless

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/hubtest"
)

// A hub that starts must not repair the conversations of another hub that is running.
func TestConversationsOfAnotherHubAreLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := hubtest.NewShared()
		var hubs []*hub.Hub
		var drivers []*Driver
		for i := range 2 {
			h, err := hub.Open(t.Context(), store, hub.Options{
				Name: fmt.Sprint("hub", i), Host: "same", Assistants: []nod.Assistant{{Name: "house", Kind: "claude", Host: "same"}},
			})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = h.Close(t.Context()) }()
			hubs = append(hubs, h)
			drivers = append(drivers, New(Config{}, adapter.Deps{Deps: hub.Deps{Hub: h, Now: time.Now}}, Needs{Assistants: []Assistant{{Name: "house"}}}))
		}
		anna := nod.Actor{Kind: nod.ActorPerson, Name: "anna", Via: "test", Rights: nod.RightsOf(nod.View, nod.Answering)}
		if _, err := hubs[0].Desk(anna).Open(t.Context(), nod.Opening{ID: "talk-one"}); err != nil {
			t.Fatal(err)
		}
		err := hubs[0].Link("test").Report(t.Context(), hub.Agent("talk-one", func(a *nod.Agent, now time.Time) {
			a.Enter(nod.AgentWorking, now)
			a.Talk.Warm = true
		}))
		if err != nil {
			t.Fatal(err)
		}
		look := func() (a nod.Agent) {
			if _, err := hubs[1].Desk(anna).Snapshot(t.Context()); err != nil { // all that there is
				t.Fatal(err)
			}
			hubs[1].Look(func(s *nod.State) { a = *s.Agents["talk-one"] })
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
