package watch

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/cli/clitest"
)

func TestKeysBecomeLeases(t *testing.T) {
	lease := func(minutes, where string) string {
		return `ca5e0001 {"verdict":"allow","lease":{"option":"lease","minutes":` + minutes + `,"times":30,"where":"` + where + `"}}`
	}
	tests := []struct {
		name, keys, want string
	}{
		{"five minutes", "L 1", lease("5", "session")},
		{"twenty", "L 2", lease("20", "session")},
		{"an hour", "L 3", lease("60", "session")},
		{"the folder", "L 4", lease("20", "folder")},
		{"none", "L esc", ""},
		{"no plain yes", "L y", ""},
		{"no fifth", "L 5", ""},
		{"from the full text", "enter L 2", lease("20", "session")},
		{"a small l is something else", "l 2", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newRig(t, clitest.LeasedRequest())
			s.press(strings.Fields(tt.keys)...)
			if tt.want == "" {
				s.wasSent()
				return
			}
			s.wasSent(tt.want)
		})
	}
	s := newRig(t, clitest.GoTestRequest())
	s.press("L", "1")
	s.wasSent()
	s = newRig(t, clitest.GoTestRequest())
	s.press("L")
	s.sees("a allows it once")
	s.misses("for a while…") // a key that does nothing is not offered
}

// The exact rules are shown before they are granted.
func TestTheLeaseIsShownBeforeItIsGranted(t *testing.T) {
	s := newRig(t, clitest.LeasedRequest())
	s.sees("L for a while…")
	s.press("L")
	s.sees("at most 30 times:\n  Bash(go test:*)")
	s.sees("4  20 min, every agent in /home/anna/src/api")
	s.press("2")
	s.settle("ca5e0001", nod.VerdictAllow, "anna at desk", "watch")
	s.sees("Allowed `go test ./...` for api, and for 20 min, at most 30 times:")
	s.sees("Bash(go test:*) · decided")
}

func TestStopAllAsksOnce(t *testing.T) {
	s := newRig(t, clitest.GoTestRequest())
	s.press("X")
	s.sees("Stop everything?")
	s.press("X", "a", "esc")
	if s.stops != 0 {
		t.Fatal("it was pressed by accident")
	}
	s.press("X", "y")
	s.sees("Stopped: 1 lease ended, 2 requests refused, 3 agents told to stop.")
	s.wasSent()   // the card was not what was meant
	s = newRig(t) // without any card
	s.press("X", "y")
	if s.stops != 1 {
		t.Errorf("pressed %d times", s.stops)
	}
	s.hubError = nod.Errorf(nod.Forbidden, "you may not")
	s.press("X", "y")
	s.sees("The hub refused: you may not")
	s.update(disconnectedMsg{errors.New("gone")})
	s.press("X")
	s.sees("Not sent: the hub is away.")
}

func TestLeasesCountDownAndAreRevoked(t *testing.T) {
	s := newRig(t)
	s.press("R")
	s.sees("No lease is in force.")
	s.misses("R leases")
	s.update(snapshotMsg{nod.Snapshot{Seq: 1, Agents: clitest.SomeAgents(), Leases: clitest.SomeLeases()}})
	s.sees("▰▰▱▱▱▱▱▱ l42  7 of 30 left, 12 min · +1 · Bash(go test:*)")
	s.sees("R leases")
	s.press("R", "2")
	if !slices.Equal(s.revoked, []nod.LeaseID{"l57"}) {
		t.Errorf("taken back: %v", s.revoked)
	}
	s.sees("Taken back: lease l57")
	s.wait(11 * time.Minute)
	s.sees("▰▱▱▱▱▱▱▱ l42  7 of 30 left, 49 s")
	s.wait(time.Minute)
	s.misses("l42") // over by the clock, whatever the hub has said yet
	s.event(nod.Event{Kind: nod.LeaseEnded, Lease: clitest.SomeLeases()[1]})
	s.misses("l57")
	s.misses("R leases")
}

func TestOneLeaseIsRevokedAfterYes(t *testing.T) {
	s := newRig(t)
	s.update(snapshotMsg{nod.Snapshot{Seq: 1, Leases: clitest.SomeLeases()[:1]}})
	s.press("R")
	s.sees("Take this lease back?")
	s.press("y")
	if !slices.Equal(s.revoked, []nod.LeaseID{"l42"}) {
		t.Errorf("taken back: %v", s.revoked)
	}
}

// Automatic answers are shown, name no person, and move no card.
func TestAutomaticAnswersInTheLiveView(t *testing.T) {
	s := newRig(t, clitest.GoTestRequest())
	s.update(snapshotMsg{nod.Snapshot{Seq: 1, Requests: []*nod.Request{clitest.GoTestRequest()}, Leases: clitest.SomeLeases()}})
	r := clitest.LeasedRequest()
	r.Title = "go test ./internal/..."
	s.raise(r)
	s.event(nod.Event{Kind: nod.RequestDecided, RequestID: r.ID, Decision: &nod.Decision{
		Answer: nod.Answer{Verdict: nod.VerdictAllow}, By: "anna at desk", Via: nod.ViaLease, Under: "l42", At: s.at}})
	s.sees("✓ api · go test ./internal/...\n  allowed by itself under lease l42 of anna at desk (24 of 30)")
	s.sees("6 of 30 left")
	if len(s.m.cards) != 1 || s.m.chosen != "c0ffee11" {
		t.Errorf("%d cards, the cursor on %q", len(s.m.cards), s.m.chosen)
	}
	s.press("a")
	s.wasSent(`c0ffee11 {"verdict":"allow"}`)
	s.wait(automaticStayTime)
	s.misses("by itself")
}
