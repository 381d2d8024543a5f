package postgres

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"nod"
	"nod/internal/hub/record"
	"nod/internal/sys/pause"
)

// The back-off of a listener that lost its connection, at first and at most, and how
// long it waits without a notification before it pings the server.
const (
	listenSoon  = 100 * time.Millisecond
	listenLate  = 3 * time.Second
	listenQuiet = 20 * time.Second
)

// Watch implements hub.Watcher: it listens on a connection of its own.
func (s *Store) Watch(ctx context.Context, from nod.Seq) <-chan struct{} {
	wake := make(chan struct{}, 1)
	go func() {
		defer close(wake)
		wait := listenSoon
		for ctx.Err() == nil {
			heard, _ := s.listen(ctx, from, wake) // the hub polls meanwhile, and reports its own errors
			if heard {
				wait, from = listenSoon, 0 // something may have been missed: wake the hub after reconnecting
			}
			pause.For(ctx, wait/2+rand.N(wait)) // not all hubs at once
			wait = min(2*wait, listenLate)
		}
	}()
	return wake
}

// listen wakes the hub until the connection ends, and reports whether it had one.
func (s *Store) listen(ctx context.Context, from nod.Seq, wake chan<- struct{}) (heard bool, err error) {
	config := s.config.Copy()
	config.RuntimeParams["application_name"] = listening + " " + s.place.schema
	c, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return false, err
	}
	defer disconnect(c)
	defer s.inbox.forget() // the next connection may have missed some
	if _, err := c.Exec(ctx, `LISTEN `+pgx.Identifier{s.channel}.Sanitize()); err != nil {
		return false, err
	}
	// What was appended before LISTEN sent no notification.
	head, err := record.ScanMark(c.QueryRow(ctx, `SELECT seq, hash FROM head`, pgx.QueryExecModeExec)) // asked once: no need to prepare it
	if err != nil {
		return false, err
	}
	if head.Seq > from {
		wakeUp(wake)
	}
	for {
		quiet, stop := context.WithTimeout(ctx, listenQuiet)
		note, err := c.WaitForNotification(quiet)
		stop()
		switch {
		case err == nil:
			s.receive(note.Payload, wake)
		case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) && !c.IsClosed():
			ask, stop := context.WithTimeout(ctx, s.place.limits.connect)
			err = c.Ping(ask)
			stop()
			if err != nil {
				return true, err
			}
		default:
			return true, err
		}
	}
}

// receive wakes the hub for what others wrote. A forged notification wakes it too,
// which costs one query and nothing else.
func (s *Store) receive(text string, wake chan<- struct{}) {
	if by, sealed, ok := strings.Cut(text, " "+kindBroadcast+" "); ok {
		s.receiveBroadcast(by, sealed)
		return
	}
	if n := s.sealer.parse(text); n.by != s.id {
		s.inbox.add(n)
		wakeUp(wake)
	}
}

func wakeUp(wake chan<- struct{}) {
	select {
	case wake <- struct{}{}:
	default:
	}
}
