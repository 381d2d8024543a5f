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
	firstPause = 500 * time.Millisecond
	longPause  = 10 * time.Second
	pulseEvery = 15 * time.Second
	pulseLimit = 10 * time.Second
)

// feed follows the log across lost connections. Whoever listens hears every
// event once and in order, and is told when the view may be old.
type feed struct {
	hub   *client.Client
	after nod.Seq // events up to here were told
	known bool    // after is known; otherwise a snapshot comes first

	fresh func(nod.Snapshot) // start from this; nil: no snapshots are wanted
	news  func(nod.Event)
	away  func(error)
	back  func()

	pause func(context.Context, time.Duration) // nil: real time
}

// run follows until ctx ends.
func (f *feed) run(ctx context.Context) {
	delay := firstPause
	for ctx.Err() == nil {
		err := f.connect(ctx)
		if err == nil {
			delay = firstPause
			err = f.follow(ctx)
		}
		if ctx.Err() != nil {
			return
		}
		if nod.CodeOf(err) == nod.Gone { // the log is another one, or has moved on: start anew
			f.known = false
			if f.fresh != nil {
				continue
			}
		}
		f.away(err)
		f.wait(ctx, delay)
		delay = min(2*delay, longPause)
	}
}

// connect finds out whether the hub is there, and takes a snapshot where the
// log cannot tell what was missed.
func (f *feed) connect(ctx context.Context) error {
	if f.known || f.fresh == nil {
		health, err := f.hub.Health(ctx)
		if err != nil {
			return err
		}
		if !f.known { // what was missed cannot be told any more
			f.after, f.known = health.Head, true
		}
		if f.fresh == nil || health.Head >= f.after {
			f.back()
			return nil
		}
	}
	snap, err := f.hub.State(ctx)
	if err != nil {
		return err
	}
	f.after, f.known = snap.Seq, true
	f.fresh(snap)
	f.back()
	return nil
}

// follow tells events until the connection ends. A silent connection is not
// trusted: after a sleep or behind a dead router nothing arrives and nothing
// fails, so a pulse is taken beside it.
func (f *feed) follow(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go f.pulse(ctx, cancel)
	for e, err := range f.hub.Follow(ctx, f.after) {
		if err != nil {
			return err
		}
		if e.Seq <= f.after {
			continue
		}
		f.after = e.Seq
		f.news(e)
	}
	return context.Cause(ctx)
}

func (f *feed) pulse(ctx context.Context, cancel context.CancelCauseFunc) {
	ticker := time.NewTicker(pulseEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		beat, stop := context.WithTimeout(ctx, pulseLimit)
		_, err := f.hub.Health(beat)
		stop()
		if err != nil {
			cancel(err)
			return
		}
	}
}

func (f *feed) wait(ctx context.Context, d time.Duration) {
	if f.pause != nil {
		f.pause(ctx, d)
		return
	}
	pause.For(ctx, d)
}
