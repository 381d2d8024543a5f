package client

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"time"

	"nod"
)

// Host is another machine whose agents reach the hub through a link.
type Host struct {
	nod.Host
	Agents  int `json:"agents"`
	Pending int `json:"pending"`
}

// Hosts lists the machines that are linked.
func (c *Client) Hosts(ctx context.Context) ([]Host, error) {
	var list struct {
		Hosts []Host `json:"hosts"`
	}
	err := c.do(ctx, "GET", "/v1/hosts", nil, &list)
	return list.Hosts, err
}

// LinkHello begins a visit of this machine's link; in and out are the link's own.
func (c *Client) LinkHello(ctx context.Context, in, out any) error {
	return c.do(ctx, "POST", "/v1/link/hello", in, out)
}

// LinkFacts tells what happened on this machine.
func (c *Client) LinkFacts(ctx context.Context, in, out any) error {
	return c.do(ctx, "POST", "/v1/link/facts", in, out)
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

// silence is when a connection without a word, not even a heartbeat, is dead:
// a cable that was pulled says nothing.
const silence = 45 * time.Second

// pulse notes that something was heard.
type pulse struct {
	io.Reader
	timer *time.Timer
}

func (p *pulse) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	if n > 0 {
		p.timer.Reset(silence)
	}
	return n, err
}
