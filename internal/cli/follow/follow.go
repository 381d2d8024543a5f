// Package follow follows the log of a hub across lost connections.
package follow

import (
	"context"
	"time"

	"nod"
	"nod/internal/client"
	"nod/internal/sys/pause"
)

// How a follower reconnects and detects a dead connection.
const (
	FirstDelay       = 500 * time.Millisecond
	LongestDelay     = 10 * time.Second
	heartbeatEvery   = 15 * time.Second
	heartbeatTimeout = 10 * time.Second
)

// Follower reports every event of the log once and in order, also across lost
// connections, and when it is disconnected.
type Follower struct {
	Hub   *client.Client
	After nod.Seq // events up to here were reported
	Known bool    // After is set; otherwise a snapshot comes first

	OnSnapshot   func(nod.Snapshot) // nil: without snapshots
	OnEvent      func(nod.Event)
	OnDisconnect func(error)
	OnConnect    func()

	pause func(context.Context, time.Duration) // nil: real time
}

// Run follows until ctx ends.
func (f *Follower) Run(ctx context.Context) {
	delay := FirstDelay
	for ctx.Err() == nil {
		err := f.connect(ctx)
		if err == nil {
			delay = FirstDelay
			err = f.follow(ctx)
		}
		if ctx.Err() != nil {
			return
		}
		if nod.CodeOf(err) == nod.Gone { // another log, or the events are gone: start again
			f.Known = false
			if f.OnSnapshot != nil {
				continue
			}
		}
		f.OnDisconnect(err)
		f.wait(ctx, delay)
		delay = min(2*delay, LongestDelay)
	}
}

// connect checks that the hub is there, and takes a snapshot if the log no longer
// has what was missed.
func (f *Follower) connect(ctx context.Context) error {
	if f.Known || f.OnSnapshot == nil {
		health, err := f.Hub.Health(ctx)
		if err != nil {
			return err
		}
		if !f.Known { // what was missed is lost
			f.After, f.Known = health.Head, true
		}
		if f.OnSnapshot == nil || health.Head >= f.After {
			f.OnConnect()
			return nil
		}
	}
	snap, err := f.Hub.State(ctx)
	if err != nil {
		return err
	}
	f.After, f.Known = snap.Seq, true
	f.OnSnapshot(snap)
	f.OnConnect()
	return nil
}

// follow reports events until the connection ends. A silent connection may be dead:
// after a sleep or behind a broken router nothing arrives and nothing fails. A
// heartbeat finds out.
func (f *Follower) follow(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go f.heartbeat(ctx, cancel)
	for e, err := range f.Hub.Follow(ctx, f.After) {
		if err != nil {
			return err
		}
		if e.Seq <= f.After {
			continue
		}
		f.After = e.Seq
		f.OnEvent(e)
	}
	return context.Cause(ctx)
}

func (f *Follower) heartbeat(ctx context.Context, cancel context.CancelCauseFunc) {
	ticker := time.NewTicker(heartbeatEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		beat, stop := context.WithTimeout(ctx, heartbeatTimeout)
		_, err := f.Hub.Health(beat)
		stop()
		if err != nil {
			cancel(err)
			return
		}
	}
}

func (f *Follower) wait(ctx context.Context, d time.Duration) {
	if f.pause != nil {
		f.pause(ctx, d)
		return
	}
	pause.For(ctx, d)
}
