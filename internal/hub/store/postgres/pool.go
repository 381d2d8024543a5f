package postgres

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"nod/internal/sys/pause"
)

// pingAfter is how long a connection may be idle before it is pinged, unless
// something arrived on it meanwhile; idleTime is when it is closed.
const (
	pingAfter = time.Second
	idleTime  = 5 * time.Minute
)

// A connection to a silent server counts in pgxpool for up to 15 seconds after it was
// given up. The pool has room for those, so that callers do not wait for them; slots
// limits the connections in use.
const closingPerSlot = 4

var (
	errFull   = errors.New("all connections are in use")
	errUnsent = errors.New("nothing was sent")
)

// pool is a pgxpool in which no caller waits long for a connection, and which bridges a
// restart of the server.
type pool struct {
	*pgxpool.Pool
	slots chan struct{} // one for each connection in use
	wait  time.Duration
}

func newPool(config *pgxpool.Config, size int, l limits) (*pool, error) {
	config.MaxConns = int32(min(size*(1+closingPerSlot), math.MaxInt32))
	config.PingTimeout = l.connect
	config.ShouldPing = func(_ context.Context, p pgxpool.ShouldPingParams) bool {
		return p.IdleDuration > pingAfter || !nothingArrived(p.Conn)
	}
	config.BeforeClose = disconnect
	p, err := pgxpool.NewWithConfig(context.Background(), config)
	return &pool{p, make(chan struct{}, size), l.wait}, err
}

// with runs f on a connection of its own. What fails before f runs is errUnsent.
func (p *pool) with(ctx context.Context, f func(*pgx.Conn) error) error {
	wait, stop := context.WithTimeout(ctx, p.wait)
	defer stop()
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-wait.Done():
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("%w: %w", errUnsent, err)
		}
		return fmt.Errorf("%w: %w", errUnsent, errFull)
	}
	c, err := p.connect(ctx, wait)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnsent, err)
	}
	defer c.Release()
	return f(c.Conn())
}

// connect bridges a restart of the server: nothing was sent yet, so nothing can
// happen twice, and callers prefer a short wait to an error.
func (p *pool) connect(ctx, wait context.Context) (*pgxpool.Conn, error) {
	for delay := 20 * time.Millisecond; ; delay = min(2*delay, 300*time.Millisecond) {
		c, err := p.Acquire(ctx)
		if err == nil || !away(err) || !pause.For(wait, delay) {
			return c, err
		}
	}
}

// retry is with for what may be done twice: if the connection turns out to be dead
// it runs f once more, on a new one.
func (p *pool) retry(ctx context.Context, f func(*pgx.Conn) error) error {
	err := p.with(ctx, f)
	if err != nil && lost(err) && ctx.Err() == nil {
		p.Reset()
		err = p.with(ctx, f)
	}
	return err
}

// close waits a moment for connections in use; they are closed when they come back.
func (p *pool) close() {
	done, stop := context.WithTimeout(context.Background(), time.Second)
	go func() {
		defer stop()
		p.Close()
	}()
	<-done.Done()
}

// disconnect says goodbye to the server if that is quick.
func disconnect(c *pgx.Conn) {
	ctx, stop := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer stop()
	_ = c.Close(ctx)
}
