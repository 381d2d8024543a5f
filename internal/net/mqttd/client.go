package mqttd

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/url"
	"sync"
	"time"

	"nod"
)

// Version is which MQTT is spoken.
type Version string

// The versions.
const (
	V5   Version = "5"
	V311 Version = "3.1.1"
)

// Options say how a broker is reached.
type Options struct {
	URL       *url.URL // mqtt://host:1883 or mqtts://host:8883
	Version   Version  // empty: V5
	Username  string
	Password  string
	ClientID  string      // must stay the same: the broker keeps the session under it
	TLS       *tls.Config // with mqtts
	Status    string      // the topic that says whether nod is online, usually StatusTopic; empty: none
	KeepAlive time.Duration
	Retry     time.Duration // the longest pause between two attempts
	Ack       time.Duration // how long the broker may take to confirm a message
	Log       *slog.Logger
}

// Defaults and limits.
const (
	defaultKeepAlive = 20 * time.Second
	defaultRetry     = 15 * time.Second
	connectTime      = 10 * time.Second
	defaultAck       = 10 * time.Second
	// sessionTime is how long the broker queues messages while the hub is away.
	sessionTime = time.Hour
	// expiry is how long a message is worth reading.
	expiry = time.Minute
)

// connection is one version of the protocol, behind its library.
type connection interface {
	publish(ctx context.Context, m Message) error
	subscribe(ctx context.Context, filters ...string) error
	unsubscribe(ctx context.Context, filter string) error
	end(ctx context.Context)
}

// Client is the bus over a broker elsewhere.
type Client struct {
	o     Options
	subs  subscribers
	state *state

	mu     sync.Mutex
	conn   connection
	warned bool // that the broker is away was logged
}

// NewClient makes a client. It connects when it runs.
func NewClient(o Options) (*Client, error) {
	if o.URL == nil || o.URL.Host == "" {
		return nil, nod.Errorf(nod.Invalid, "the address of the MQTT broker is missing: write it as mqtt://host:1883")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Version == "" {
		o.Version = V5
	}
	if o.KeepAlive <= 0 {
		o.KeepAlive = defaultKeepAlive
	}
	if o.Retry <= 0 {
		o.Retry = defaultRetry
	}
	if o.Ack <= 0 {
		o.Ack = defaultAck
	}
	u := *o.URL
	u.Host = o.Address()
	o.URL = &u
	return &Client{o: o, subs: subscribers{log: o.Log}, state: newState()}, nil
}

// Address is the host and port of the broker.
func (o *Options) Address() string {
	port := "1883"
	if o.secure() {
		port = "8883"
	}
	return net.JoinHostPort(o.URL.Hostname(), cmp.Or(o.URL.Port(), port))
}

func (o *Options) secure() bool { return o.URL.Scheme == "mqtts" }

// Run keeps the connection until ctx ends, and then disconnects.
func (c *Client) Run(ctx context.Context) {
	begin := c.connect5
	if c.o.Version == V311 {
		begin = c.connect3
	}
	w, err := begin(context.WithoutCancel(ctx))
	if err != nil {
		c.o.Log.Error("the MQTT broker cannot be used", "broker", c.o.URL.Host, "err", err)
		return
	}
	<-ctx.Done()
	over, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	_ = c.publishStatus(over, Offline) // a clean disconnect cancels the last will
	c.state.set(false)
	w.end(over)
}

// connected is called by the library and must not block it.
func (c *Client) connected(w connection) {
	c.mu.Lock()
	c.conn, c.warned = w, false
	c.mu.Unlock()
	c.o.Log.Info("connected to the MQTT broker", "broker", c.o.URL.Host, "version", c.o.Version)
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), c.o.Ack)
		defer cancel()
		if list := c.subs.filters(); len(list) > 0 {
			if err := w.subscribe(ctx, list...); err != nil {
				c.o.Log.Warn("the MQTT broker refused a subscription: its account for nod may need more rights", "filters", list, "err", err)
			}
		}
		c.state.set(true)
		if err := c.publishStatus(ctx, Online); err != nil {
			c.o.Log.Warn("the MQTT broker did not take nod's status", "err", err)
		}
	}()
}

// disconnected is called by the library when it lost the broker or cannot reach it.
func (c *Client) disconnected(why error) {
	c.mu.Lock()
	c.conn = nil
	said := c.warned
	c.warned = true
	c.mu.Unlock()
	c.state.set(false)
	if !said { // once for each outage, however many attempts fail
		c.o.Log.Warn("the MQTT broker is away: nod keeps trying", "broker", c.o.URL.Host, "err", why)
	}
}

func (c *Client) current() connection {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.conn
}

// Publish is part of Bus.
func (c *Client) Publish(ctx context.Context, m Message) error {
	if err := CheckTopic(m.Topic); err != nil {
		return err
	}
	m.QoS = min(m.QoS, 1)
	w := c.current()
	if w == nil {
		return nod.Errorf(nod.Unavailable, "the MQTT broker at %s is away, so nothing was sent: check that it runs", c.o.URL.Host)
	}
	ctx, cancel := context.WithTimeout(ctx, c.o.Ack)
	defer cancel()
	err := w.publish(ctx, m)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		return nod.Errorf(nod.Unavailable, "the MQTT broker at %s did not confirm a message in time: it may be stuck, or the network is", c.o.URL.Host).Because(err)
	case errors.Is(err, context.Canceled):
		return err
	}
	return nod.Errorf(nod.Unavailable, "the MQTT broker at %s did not take a message for %s", c.o.URL.Host, m.Topic).Because(err)
}

// Subscribe is part of Bus.
func (c *Client) Subscribe(ctx context.Context, filter string, f func(Message)) error {
	_, err := c.subs.add(ctx, filter, f, func() {
		if w := c.current(); w != nil {
			over, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.o.Ack)
			defer cancel()
			_ = w.unsubscribe(over, filter) // a broker that is away needs no unsubscribe
		}
	})
	if w := c.current(); err == nil && w != nil {
		wait, cancel := context.WithTimeout(ctx, c.o.Ack)
		defer cancel()
		if err := w.subscribe(wait, filter); err != nil && ctx.Err() == nil {
			c.o.Log.Warn("the MQTT broker refused a subscription: its account for nod may need more rights", "filter", filter, "err", err)
		}
	}
	return err
}

// Watch is part of Bus.
func (c *Client) Watch(ctx context.Context, f func(up bool)) { go c.state.watch(ctx, f) }

// Owned is part of Bus.
func (c *Client) Owned() bool { return false }

// publishStatus says whether nod is online.
func (c *Client) publishStatus(ctx context.Context, status string) error {
	if c.o.Status == "" {
		return nil
	}
	return c.Publish(ctx, c.o.will(status))
}

// will is the status message. Offline is also the last will, which the broker publishes
// when the connection breaks.
func (o *Options) will(status string) Message {
	return Message{Topic: o.Status, Payload: []byte(status), QoS: 1, Retain: true}
}

// pause is the back-off before the next attempt. It is short at first, because a broker
// that restarts is back soon.
func (o *Options) pause(attempt int) time.Duration {
	if attempt == 0 {
		return 0
	}
	return min(200*time.Millisecond<<min(attempt, 10), o.Retry)
}
