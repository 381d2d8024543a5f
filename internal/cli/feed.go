package cli

import (
	"context"
	"time"

	"nod"
	"nod/internal/client"
	"nod/internal/sys/pause"
)

// How a feed behaves when the hub is away.
const (
	firstDelay       = 500 * time.Millisecond
	longestDelay     = 10 * time.Second
	heartbeatEvery   = 15 * time.Second
	heartbeatTimeout = 10 * time.Second
)

// follower follows the log across lost connections. Whoever listens hears every
// event once and in order, and is told when the view may be old.
type follower struct {
	hub   *client.Client
	after nod.Seq // events up to here were told
	known bool    // after is known; otherwise a snapshot comes first

	onSnapshot   func(nod.Snapshot) // start from this; nil: no snapshots are wanted
	onEvent      func(nod.Event)
	onDisconnect func(error)
	onConnect    func()

	pause func(context.Context, time.Duration) // nil: real time
}

// run follows until ctx ends.
func (f *follower) run(ctx context.Context) {
	delay := firstDelay
	for ctx.Err() == nil {
		err := f.connect(ctx)
		if err == nil {
			delay = firstDelay
			err = f.follow(ctx)
		}
		if ctx.Err() != nil {
			return
		}
		if nod.CodeOf(err) == nod.Gone { // the log is another one, or has moved on: start anew
			f.known = false
			if f.onSnapshot != nil {
				continue
			}
		}
		f.onDisconnect(err)
		f.wait(ctx, delay)
		delay = min(2*delay, longestDelay)
	}
}

// connect finds out whether the hub is there, and takes a snapshot where the
// log cannot tell what was missed.
func (f *follower) connect(ctx context.Context) error {
	if f.known || f.onSnapshot == nil {
		health, err := f.hub.Health(ctx)
		if err != nil {
			return err
		}
		if !f.known { // what was missed cannot be told any more
			f.after, f.known = health.Head, true
		}
		if f.onSnapshot == nil || health.Head >= f.after {
			f.onConnect()
			return nil
		}
	}
	snap, err := f.hub.State(ctx)
	if err != nil {
		return err
	}
	f.after, f.known = snap.Seq, true
	f.onSnapshot(snap)
	f.onConnect()
	return nil
}

// follow tells events until the connection ends. A silent connection is not
// trusted: after a sleep or behind a dead router nothing arrives and nothing
// fails, so a pulse is taken beside it.
func (f *follower) follow(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go f.heartbeat(ctx, cancel)
	for e, err := range f.hub.Follow(ctx, f.after) {
		if err != nil {
			return err
		}
		if e.Seq <= f.after {
			continue
		}
		f.after = e.Seq
		f.onEvent(e)
	}
	return context.Cause(ctx)
}

func (f *follower) heartbeat(ctx context.Context, cancel context.CancelCauseFunc) {
	ticker := time.NewTicker(heartbeatEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		beat, stop := context.WithTimeout(ctx, heartbeatTimeout)
		_, err := f.hub.Health(beat)
		stop()
		if err != nil {
			cancel(err)
			return
		}
	}
}

func (f *follower) wait(ctx context.Context, d time.Duration) {
	if f.pause != nil {
		f.pause(ctx, d)
		return
	}
	pause.For(ctx, d)
}
