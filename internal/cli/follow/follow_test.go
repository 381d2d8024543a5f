package follow

import (
	"context"
	"testing"
	"time"

	"nod"
	"nod/internal/cli/clitest"
	"nod/internal/client"
)

// The feed gets every event once, also across a lost connection.
func TestFeedReconnects(t *testing.T) {
	h := clitest.NewHub(t)
	h.HangUp = true // every stream ends when it has told all
	ctx, cancel := context.WithCancel(t.Context())
	var heard []nod.Seq
	var aways, backs, snaps int
	f := &Follower{
		Hub:          client.Local(h.Socket, "watch"),
		OnSnapshot:   func(s nod.Snapshot) { snaps++ },
		OnEvent:      func(e nod.Event) { heard = append(heard, e.Seq) },
		OnDisconnect: func(error) { aways++ },
		OnConnect:    func() { backs++ },
	}
	f.pause = func(context.Context, time.Duration) {
		switch aways {
		case 1:
			h.Agent(clitest.SomeAgents()[0])
		case 2:
			h.Stop()
		case 3:
			h.Serve()
			h.Agent(clitest.SomeAgents()[1])
			h.Agent(clitest.SomeAgents()[2])
		case 4:
			cancel()
		}
	}
	f.Run(ctx)
	if len(heard) != 3 || heard[0] != 2 || heard[2] != 4 {
		t.Errorf("heard %v, want 2, 3, 4", heard)
	}
	if snaps != 1 || backs != 3 {
		t.Errorf("%d snapshots, %d times back", snaps, backs)
	}
}

// A hub with another log starts the feed over.
func TestFeedStartsOverOnAnotherLog(t *testing.T) {
	h := clitest.NewHub(t)
	ctx, cancel := context.WithCancel(t.Context())
	var snaps []nod.Seq
	f := &Follower{Hub: client.Local(h.Socket, "watch"), After: 500, Known: true}
	f.OnSnapshot = func(s nod.Snapshot) { snaps = append(snaps, s.Seq); cancel() }
	f.OnEvent, f.OnDisconnect, f.OnConnect = func(nod.Event) {}, func(error) {}, func() {}
	f.Run(ctx)
	if len(snaps) != 1 || snaps[0] != 1 {
		t.Errorf("snapshots %v", snaps)
	}
}
