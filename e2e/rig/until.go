package rig

import (
	"testing"
	"time"
)

// Patience bounds every wait. It is long because a start takes 3 s on an idle machine and CI is not idle.
const Patience = 30 * time.Second

// Until is the one place where tests wait: it polls done and fails with the evidence when patience ends.
func Until(t testing.TB, what string, done func() bool, evidence func() string) {
	t.Helper()
	deadline := time.NewTimer(Patience)
	defer deadline.Stop()
	tick := time.NewTicker(25 * time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-tick.C:
		case <-deadline.C:
			t.Fatalf("waited %s for %s\n%s", Patience, what, evidence())
		}
	}
}
