package client

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"time"

	v1 "nod/internal/client/v1"

	"nod"
)

// Hosts lists the machines that are linked.
func (c *Client) Hosts(ctx context.Context) ([]v1.Host, error) {
	var list v1.HostList
	err := c.do(ctx, "GET", "/v1/hosts", nil, &list)
	return list.Hosts, err
}

// LinkHello begins a connection of this machine's link; in and out are types of the link.
func (c *Client) LinkHello(ctx context.Context, in, out any) error {
	return c.do(ctx, "POST", "/v1/link/hello", in, out)
}

// LinkFacts tells what happened on this machine.
func (c *Client) LinkFacts(ctx context.Context, in, out any) error {
	return c.do(ctx, "POST", "/v1/link/facts", in, out)
}

// LinkOffer lists the assistants of this machine.
func (c *Client) LinkOffer(ctx context.Context, in any) error {
	return c.do(ctx, "POST", "/v1/link/offer", in, nil)
}

// LinkStanding tells how things stand on this machine.
func (c *Client) LinkStanding(ctx context.Context, in, out any) error {
	return c.do(ctx, "POST", "/v1/link/standing", in, out)
}

// LinkDrafts shows what agents of this machine are writing.
func (c *Client) LinkDrafts(ctx context.Context, in, out any) error {
	return c.do(ctx, "POST", "/v1/link/drafts", in, out)
}

// LinkOrders yields what people decided and said for this machine, until take
// fails, ctx ends or the connection does.
func (c *Client) LinkOrders(ctx context.Context, after nod.Seq, take func(nod.Event) error) error {
	ctx, quiet := context.WithCancelCause(ctx)
	defer quiet(nil)
	res, err := c.send(ctx, "GET", "/v1/link/orders?after="+seq(after), nil)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	body := &pulse{Reader: res.Body, timer: time.AfterFunc(silence, func() {
		quiet(nod.Errorf(nod.Unavailable, "the hub at %s has been silent for %s", c.where, silence))
	})}
	defer body.timer.Stop()
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

// LinkFile opens an attachment of a message for an agent of this machine. The caller
// closes it.
func (c *Client) LinkFile(ctx context.Context, message nod.MessageID, file string) (io.ReadCloser, error) {
	ctx, quiet := context.WithCancelCause(ctx)
	timer := time.AfterFunc(silence, func() { quiet(nod.Errorf(nod.Unavailable, "the hub at %s has been silent for %s", c.where, silence)) })
	res, err := c.send(ctx, "GET", path("v1", "link", "files", string(message), file), nil)
	if err != nil {
		timer.Stop()
		err = cmp.Or(context.Cause(ctx), err)
		quiet(nil)
		return nil, err
	}
	return &pulse{Reader: res.Body, timer: timer, end: func() error {
		timer.Stop()
		quiet(nil)
		return res.Body.Close()
	}}, nil
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
