package link

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"testing"
	"time"

	"nod"
	v1 "nod/internal/client/v1"
	"nod/internal/hub"
	"nod/internal/hub/hubtest"
)

// Hubs and links are told apart, also on machines of one name, and each has its own
// agents.
func TestHubsAndLinksAreListed(t *testing.T) {
	g := hubtest.New(t, hubtest.Options{Store: hubtest.NewShared(), Options: hub.Options{Name: "desk-1", Host: "desk", Version: "1.4.0"}})
	d := newDriver(g.Hub)
	facts := []hub.Fact{changed("desk", func(h *nod.Host) { h.Log = "log" })}
	for i, of := range []string{"desk-1", "desk-1", hub.Linked + "desk", "elsewhere"} {
		facts = append(facts, hub.Agent(nod.AgentID(fmt.Sprint("a", i)), func(a *nod.Agent, now time.Time) {
			a.Host, a.Hub = "desk", of
			a.Enter(nod.AgentIdle, now)
		}))
	}
	if err := d.Report(t.Context(), facts...); err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	if err := d.hosts(w, nil); err != nil {
		t.Fatal(err)
	}
	var list v1.HostList
	if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, v := range list.Hosts {
		got += fmt.Sprintf("%s %q %v %d;", v.Name, v.Hub, v.Up, v.Agents)
	}
	if got != `desk "desk-1" true 2;desk "" false 1;` {
		t.Error(got)
	}
}
