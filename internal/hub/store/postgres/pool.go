package postgres

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// restless is how long a connection may lie idle before it is asked whether it
// still lives, unless something came on it meanwhile; stale is when it is given up.
const (
	restless = time.Second
	stale    = 5 * time.Minute
)

var (
	errFull   = errors.New("all connections are in use")
	errClosed = errors.New("the store is closed")
)

// pool lends connections: the last that came back first, so that an idle hub
// keeps few.
type pool struct {
	config *pgx.ConnConfig
	limits limits
	slots  chan struct{} // one for each that is lent

	mu     sync.Mutex
	idle   []idle // oldest first
	closed bool
}

type idle struct {
	conn  *pgx.Conn
	since time.Time
}

func newPool(config *pgx.ConnConfig, size int, l limits) *pool {
	return &pool{config: config, limits: l, slots: make(chan struct{}, size)}
}

// take waits a bounded time for a connection that lives.
func (p *pool) take(ctx context.Context) (*pgx.Conn, error) {
	timer := time.NewTimer(p.limits.wait)
	defer timer.Stop()
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-timer.C:
		return nil, errFull
	}
	conn, err := p.patiently(ctx, timer.C)
	if err != nil {
		<-p.slots
	}
	return conn, err
}

// patiently bridges a restart of the server: nothing was sent yet, so nothing
// can happen twice, and whoever asks rather waits a moment than goes without.
func (p *pool) patiently(ctx context.Context, over <-chan time.Time) (*pgx.Conn, error) {
	for pause := 20 * time.Millisecond; ; pause = min(2*pause, 300*time.Millisecond) {
		conn, err := p.living(ctx)
		if err == nil || !away(err) {
			return conn, err
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-over:
			timer.Stop()
			return nil, err
		case <-ctx.Done():
			timer.Stop()
			return nil, err
		}
	}
}

func (p *pool) living(ctx context.Context) (*pgx.Conn, error) {
	for {
		i, err := p.pop()
		if err != nil {
			return nil, err
		}
		if i.conn == nil {
			return pgx.ConnectConfig(ctx, p.config)
		}
		if time.Since(i.since) < restless && quiet(i.conn) {
			return i.conn, nil
		}
		ask, stop := context.WithTimeout(ctx, p.limits.connect)
		err = i.conn.Ping(ask)
		stop()
		if err == nil {
			return i.conn, nil
		}
		abandon(i.conn)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
}

// pop takes the connection that came back last; none when all are lent.
func (p *pool) pop() (last idle, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return idle{}, errClosed
	}
	if n := len(p.idle); n > 0 {
		last, p.idle = p.idle[n-1], p.idle[:n-1]
	}
	return last, nil
}

// give takes a connection back, and lets go of those that nobody has needed.
func (p *pool) give(c *pgx.Conn) {
	p.mu.Lock()
	now := time.Now()
	var old []*pgx.Conn
	for len(p.idle) > 0 && now.Sub(p.idle[0].since) > stale {
		old = append(old, p.idle[0].conn)
		p.idle = p.idle[1:]
	}
	// One that is busy, or in a transaction, was left in the middle of something.
	if fit := !c.IsClosed() && !c.PgConn().IsBusy() && c.PgConn().TxStatus() == 'I'; fit && !p.closed {
		p.idle = append(p.idle, idle{c, now})
	} else {
		old = append(old, c)
	}
	p.mu.Unlock()
	<-p.slots
	for _, c := range old {
		abandon(c)
	}
}

// reset lets go of every connection, so that the next ones look for the
// primary anew.
func (p *pool) reset() {
	p.mu.Lock()
	old := p.idle
	p.idle = nil
	p.mu.Unlock()
	for _, i := range old {
		abandon(i.conn)
	}
}

func (p *pool) close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.reset()
}

// abandon ends a connection politely if that is quick.
func abandon(c *pgx.Conn) {
	ctx, stop := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer stop()
	_ = c.Close(ctx)
}

// with runs f on a connection of its own.
func (p *pool) with(ctx context.Context, f func(*pgx.Conn) error) error {
	c, err := p.take(ctx)
	if err != nil {
		return err
	}
	defer p.give(c)
	return f(c)
}

// again is for what may be done twice: a connection that turns out to be dead
// is replaced, once.
func (p *pool) again(ctx context.Context, f func(*pgx.Conn) error) error {
	err := p.with(ctx, f)
	if err != nil && lost(err) && ctx.Err() == nil {
		p.reset()
		err = p.with(ctx, f)
	}
	return err
}
