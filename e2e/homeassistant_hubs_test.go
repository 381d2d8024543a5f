//go:build full

package e2e

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"nod"
	"nod/e2e/rig"
)

// online are the hubs that Home Assistant knows, and whether they are there.
func (d *homeWorld) online(t *testing.T) (states []string) {
	t.Helper()
	for _, s := range d.home.States(t) {
		if strings.HasPrefix(s.Entity, "binary_sensor.nod") {
			states = append(states, s.State)
		}
	}
	slices.Sort(states)
	return states
}

func (d *homeWorld) waitOnline(t *testing.T, want ...string) {
	t.Helper()
	rig.Until(t, fmt.Sprintf("hubs that are %v", want), func() bool { return slices.Equal(d.online(t), want) },
		func() string { return fmt.Sprintf("%v\n%s", d.online(t), d.home.Log()) })
}

// another is a second hub on the same machine.
func (d *homeWorld) another(t *testing.T, section string) *homeWorld {
	t.Helper()
	other := &homeWorld{world: worldWithoutHub(t, rig.Options{}), home: d.home, puck: d.puck}
	other.configure(t, section)
	other.startHub(t)
	return other
}

// Two hubs share a broker. They leave each other's devices alone, and the end of
// one is not the end of the other.
func (d *homeWorld) twoHubs(t *testing.T, _ *rig.TUI) {
	d.waitOnline(t, "on")
	other := d.another(t, fmt.Sprintf("[mqtt]\nurl = \"mqtt://%s\"\nusername = \"nod\"\npassword_file = %q\n", d.broker.Address(), d.password))
	d.waitOnline(t, "on", "on")
	d.shows(t, "state", "idle")
	other.killHub(t)
	d.waitOnline(t, "off", "on")
	d.shows(t, "state", "idle")
	d.quiet(t)
}

// The broker is nod's own, where Home Assistant has a token instead of an account.
func (d *homeWorld) ownBroker(t *testing.T, _ *rig.TUI) {
	at := brokerAddress(t)
	own := d.another(t, fmt.Sprintf("[mqtt]\nembedded = true\nlisten = %q\n", at))
	d.home.Remove(t, d.home.Entries(t, "mqtt")[0])
	token := func(name, rights string) string {
		return strings.TrimSpace(own.ok(t, "token", "create", "--name", name, "--rights", rights))
	}
	if _, err := d.home.TryAddIntegration(t, "mqtt", brokerForm(t, at, "no token")); err == nil {
		t.Error("Home Assistant is let in without a token")
	}

	// A token that may only look: what is pressed is refused, and in the log.
	wall := d.home.AddMQTT(t, at, "wall", token("wall", "view"))
	s := own.StartTUI(t)
	r, call := own.wants(t, s, "touch with-a-token")
	own.shows(t, "request", "touch with-a-token")
	_ = d.home.TryCall(t.Context(), "button.press", map[string]any{"entity_id": own.usable(t, "allow")}, nil) // the broker may say no at once
	rig.Until(t, "a refusal in the log", func() bool {
		out := own.ok(t, "log")
		return strings.Contains(out, "wall") && strings.Contains(out, "allow/set")
	}, func() string { return own.ok(t, "log") })
	if again := own.one(t); again.ID != r.ID {
		t.Errorf("%s became %s", r.ID, again.ID)
	}
	d.home.Remove(t, wall)

	house := d.home.AddMQTT(t, at, "house", token("house", "view,answer"))
	own.shows(t, "request", "touch with-a-token")
	own.insists(t, r, "button.press", map[string]any{"entity_id": own.usable(t, "allow")})
	own.released(t, s, r, call, "entities")
	if r = own.settled(t, r.ID); r.Decision.By != "house" || r.Decision.Verdict != nod.VerdictAllow {
		t.Errorf("decided %+v", r.Decision)
	}
	d.home.Remove(t, house)
	d.home.AddMQTT(t, d.broker.Address(), "house", "house's own")
	d.shows(t, "state", "idle")
	d.quiet(t)
}

func brokerForm(t *testing.T, address, password string) map[string]any {
	t.Helper()
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]any{"broker": at.Addr().String(), "port": at.Port(), "username": "house", "password": password}
}
