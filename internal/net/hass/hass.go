// Package hass is a client of Home Assistant's WebSocket API: it stays connected, calls actions, reads the registries
// and follows states. Everything from there is untrusted input: sizes are bounded, and only its format is relied on.
package hass

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"nod"
	"nod/internal/sys/pause"
)

// Options configure a Client.
type Options struct {
	URL   string                 // http://homeassistant.local:8123; https, ws and wss as well
	Token func() (string, error) // read at every connection: a new token needs no restart
	HTTP  *http.Client           // nil: a client with the system's certificates
	Log   *slog.Logger
	Pause Pause
}

// Pause holds the waiting times.
type Pause struct {
	First, Most time.Duration // between connection attempts; it doubles
	Answer      time.Duration // timeout of a command that should be answered at once
	Ping        time.Duration // heartbeat interval
}

// DefaultPause suits a home.
func DefaultPause() Pause {
	return Pause{First: time.Second, Most: 30 * time.Second, Answer: 15 * time.Second, Ping: 30 * time.Second}
}

// Sizes. A home with ten thousand entities has a registry of some megabytes.
const (
	mostRead  = 32 << 20
	mostWrite = 64 << 10
	mostQueue = 1024 // queued events per subscriber
)

// Client is a connection to one Home Assistant; it reconnects whenever the connection breaks.
type Client struct {
	o       Options
	address string // of the WebSocket
	name    string // for display, without a password

	mu      sync.Mutex
	session *session
	version string
}

// New checks the options; Run connects.
func New(o Options) (*Client, error) {
	address, err := socketAddress(o.URL)
	if err != nil {
		return nil, err
	}
	if o.HTTP == nil {
		o.HTTP = &http.Client{}
	}
	// The token must not follow a redirect to another host.
	plain := *o.HTTP
	plain.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	o.HTTP = &plain
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Pause == (Pause{}) {
		o.Pause = DefaultPause()
	}
	u, _ := url.Parse(o.URL)
	return &Client{o: o, address: address, name: u.Redacted()}, nil
}

// socketAddress is the WebSocket address of a Home Assistant.
func socketAddress(text string) (string, error) {
	u, err := url.Parse(strings.TrimSpace(text))
	bad := nod.Errorf(nod.Invalid, "%q is no address of a Home Assistant; it looks like http://homeassistant.local:8123", text)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return "", bad
	}
	switch u.Scheme {
	case "http", "ws":
		u.Scheme = "ws"
	case "https", "wss":
		u.Scheme = "wss"
	default:
		return "", bad
	}
	path := strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/api/websocket")
	u.Path = strings.TrimRight(path, "/") + "/api/websocket"
	return u.String(), nil
}

// Version is Home Assistant's version as of the last connection.
func (c *Client) Version() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.version
}

// Connected reports whether there is a connection now.
func (c *Client) Connected() bool { return c.current() != nil }

func (c *Client) current() *session {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.session == nil || c.session.over() {
		return nil
	}
	return c.session
}

// Run keeps a connection until ctx ends. For each connection it calls up, with a context that ends with the
// connection; so do the subscriptions that up made. The next connection waits until up has returned.
func (c *Client) Run(ctx context.Context, up func(ctx context.Context)) {
	wait := c.o.Pause.First
	refused := "" // a rejected token: retrying could get us banned
	told := ""    // log the same problem only once
	complain := func(err error) {
		if text := nod.MessageOf(err); ctx.Err() == nil && text != told {
			told = text
			c.o.Log.Warn("Home Assistant is not connected", "address", c.name, "err", err)
		}
	}
	for ctx.Err() == nil {
		token, err := c.token()
		switch {
		case err != nil:
			complain(err)
		case refused != "" && token == refused:
		default:
			var lived bool
			if lived, err = c.once(ctx, token, up); lived {
				wait, told = c.o.Pause.First, ""
			}
			if refused = ""; nod.CodeOf(err) == nod.Unauthorized {
				refused = token
			}
			complain(err)
		}
		if !pause.For(ctx, wait) {
			return
		}
		wait = min(2*wait, c.o.Pause.Most)
	}
}

// Once connects a single time, calls f and disconnects.
func (c *Client) Once(ctx context.Context, f func(ctx context.Context) error) error {
	token, err := c.token()
	if err != nil {
		return err
	}
	var said error
	ctx, leave := context.WithCancel(ctx)
	defer leave()
	lived, err := c.once(ctx, token, func(ctx context.Context) {
		said = f(ctx)
		leave()
	})
	if !lived {
		return err
	}
	return said
}

// once is one connection from beginning to end.
func (c *Client) once(ctx context.Context, token string, up func(context.Context)) (lived bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s, err := c.open(ctx, token)
	if err != nil {
		return false, err
	}
	defer s.close()
	c.use(s)
	defer c.use(nil)
	c.o.Log.Info("Home Assistant is connected", "address", c.name, "version", s.version)
	var all sync.WaitGroup
	defer all.Wait()
	defer cancel(nil)
	all.Go(func() {
		<-ctx.Done() // a read does not end by itself
		s.close()
	})
	all.Go(func() { cancel(s.pings(ctx, c.o.Pause)) })
	all.Go(func() { up(ctx) })
	err = s.read(ctx)
	cancel(err)
	return true, err
}

func (c *Client) use(s *session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.session = s
	if s != nil {
		c.version = s.version
	}
}

// token is the current one; text that cannot be a token is never sent.
func (c *Client) token() (string, error) {
	if c.o.Token == nil {
		return "", nod.Errorf(nod.Unauthorized, "there is no token for Home Assistant")
	}
	text, err := c.o.Token()
	if err != nil {
		return "", err
	}
	text = strings.TrimSpace(text)
	if text == "" || len(text) > 4096 || strings.ContainsAny(text, " \n\r\t") {
		return "", nod.Errorf(nod.Unauthorized, "the token for Home Assistant is empty or no token; make one in Home Assistant under your profile → Security → Long-lived access tokens")
	}
	return text, nil
}
