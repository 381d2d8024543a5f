package client

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"time"

	"nod/internal/agent/link/wire"
	v1 "nod/internal/client/v1"

	"nod"
)

// Hosts lists the machines that are linked.
func (c *Client) Hosts(ctx context.Context) ([]v1.Host, error) {
	var list v1.HostList
	err := c.do(ctx, "GET", "/v1/hosts", nil, &list)
	return list.Hosts, err
}

// Link is the connection of a machine whose agents people elsewhere answer.
type Link struct{ *connection }

// Link speaks for this machine, with the token that it was linked with.
func (c *Client) Link() Link { return Link{c.connection} }

// Hello begins a connection.
func (l Link) Hello(ctx context.Context, h wire.Hello) (w wire.Welcome, err error) {
	return w, l.do(ctx, "POST", "/v1/link/hello", h, &w)
}

// Tell reports what happened on this machine.
func (l Link) Tell(ctx context.Context, facts wire.Facts) (nod.Seq, error) {
	var now wire.Heard
	err := l.do(ctx, "POST", "/v1/link/facts", facts, &now)
	return now.Heard, err
}

// Offer lists the assistants of this machine.
func (l Link) Offer(ctx context.Context, o wire.Offer) error {
	return l.do(ctx, "POST", "/v1/link/offer", o, nil)
}

// Stand tells how things stand on this machine.
func (l Link) Stand(ctx context.Context, s wire.Standing) (nod.Seq, error) {
	var now wire.Heard
	err := l.do(ctx, "POST", "/v1/link/standing", s, &now)
	return now.Heard, err
}

// Draft shows what agents of this machine are writing, and returns those of which
// the hub lacks the beginning.
func (l Link) Draft(ctx context.Context, d wire.Drafts) ([]nod.AgentID, error) {
	var redo wire.Redo
	err := l.do(ctx, "POST", "/v1/link/drafts", d, &redo)
	return redo.Again, err
}

// Orders yields what people decided and said for this machine, until take
// fails, ctx ends or the connection does.
func (l Link) Orders(ctx context.Context, after nod.Seq, take func(nod.Event) error) error {
	ctx, body, err := l.listen(ctx, "/v1/link/orders?after="+seq(after))
	if err != nil {
		return err
	}
	defer body.Close()
	for frame, err := range frames(body) {
		if err == nil {
			err = frame.failure()
		}
		var e nod.Event
		if err == nil {
			err = json.Unmarshal(frame.data, &e)
		}
		if err == nil {
			err = take(e)
		}
		if err != nil {
			return cmp.Or(context.Cause(ctx), err)
		}
	}
	return context.Cause(ctx)
}

// File opens an attachment of a message for an agent of this machine. The caller
// closes it.
func (l Link) File(ctx context.Context, message nod.MessageID, file string) (io.ReadCloser, error) {
	_, body, err := l.listen(ctx, path("v1", "link", "files", string(message), file))
	if err != nil {
		return nil, err
	}
	return body, nil
}

// listen opens a response that is given up when the hub falls silent: the context
// then has the reason. The caller closes it.
func (l Link) listen(ctx context.Context, path string) (context.Context, *pulse, error) {
	ctx, quiet := context.WithCancelCause(ctx)
	p := &pulse{timer: time.AfterFunc(silence, func() {
		quiet(nod.Errorf(nod.Unavailable, "the hub at %s has been silent for %s", l.where, silence))
	})}
	res, err := l.send(ctx, "GET", path, nil)
	if err != nil {
		p.timer.Stop()
		err = cmp.Or(context.Cause(ctx), err)
		quiet(nil)
		return nil, nil, err
	}
	p.Reader = res.Body
	p.end = func() error {
		p.timer.Stop()
		quiet(nil)
		return res.Body.Close()
	}
	return ctx, p, nil
}

// silence is how long a connection may lack even a heartbeat before it counts as dead.
const silence = 45 * time.Second

// pulse resets a timer whenever something is read.
type pulse struct {
	io.Reader
	timer *time.Timer
	end   func() error
}

func (p *pulse) Close() error { return p.end() }

func (p *pulse) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	if n > 0 {
		p.timer.Reset(silence)
	}
	return n, err
}
