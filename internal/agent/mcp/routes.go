package mcp

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"nod"
	"nod/internal/agent/mcp/server"
	"nod/internal/net/httpd"
)

// maxInput bounds what a permission prompt tool may ask about: a file that is
// written can be large.
const maxInput = 16 << 20

// Path is where programs that speak the protocol over HTTP find the hub.
const Path = "/mcp"

// Routes are the doors: one for `nod mcp`, one for programs that speak the protocol
// over HTTP. They take the right to raise and no other.
func (d *Driver) Routes() []httpd.Route {
	post := func(path, what string, h func(context.Context, http.ResponseWriter, server.Call) error) httpd.Route {
		return httpd.Route{Method: "POST", Path: path, Right: nod.Raise, What: what, Body: maxInput, Handle: func(w http.ResponseWriter, r *http.Request) error {
			var call server.Call
			if err := httpd.Decode(w, r, &call); err != nil {
				return err
			}
			ctx := r.Context()
			if httpd.LocalConn(ctx) != nil {
				ctx = withLocal(ctx)
			}
			return h(ctx, w, call)
		}}
	}
	routes := []httpd.Route{
		post(server.PathAsk, "raise a request", d.serveAsk),
		post(server.PathDrop, "take back a request", func(ctx context.Context, w http.ResponseWriter, c server.Call) error {
			return done(w, d.withdraw(ctx, c.Caller, c.Drop))
		}),
		post(server.PathTell, "tell something", func(ctx context.Context, w http.ResponseWriter, c server.Call) error {
			if c.Note == nil {
				return nod.Errorf(nod.Invalid, "note is missing")
			}
			return done(w, d.Tell(ctx, c.Caller, *c.Note))
		}),
		post(server.PathDecisions, "read its own decisions", func(ctx context.Context, w http.ResponseWriter, c server.Call) error {
			list, err := d.Decisions(ctx, c.Caller, c.Most)
			if err != nil {
				return err
			}
			return httpd.JSON(w, http.StatusOK, list)
		}),
		post(server.PathKeys, "suggest keys", func(ctx context.Context, w http.ResponseWriter, c server.Call) error {
			keys, err := d.Keys(ctx, c.Caller, c.Change)
			if err != nil {
				return err
			}
			return httpd.JSON(w, http.StatusOK, keys)
		}),
		post(server.PathWatch, "say that it is there", d.serveWatch),
	}
	handler := d.protocol()
	for _, method := range []string{"POST", "GET", "DELETE"} {
		routes = append(routes, httpd.Route{Method: method, Path: Path, Right: nod.Raise, What: "speak to people", Body: maxInput, Handle: func(w http.ResponseWriter, r *http.Request) error {
			ctx, cancel := httpd.WhileServing(r.Context())
			defer cancel()
			handler.ServeHTTP(w, r.WithContext(ctx))
			return nil
		}})
	}
	return routes
}

func done(w http.ResponseWriter, err error) error {
	if err != nil {
		return err
	}
	return httpd.NoContent(w)
}

// protocol serves the protocol itself, without sessions: that is what its version of
// July 2026 wants, and older clients are content with it.
func (d *Driver) protocol() http.Handler {
	return sdk.NewStreamableHTTPHandler(func(r *http.Request) *sdk.Server {
		ctx := r.Context()
		return server.New(ctx, server.Options{Hub: httpHub{d}, Version: d.version, Caller: callerOf(httpd.ActorOf(ctx))})
	}, &sdk.StreamableHTTPOptions{Stateless: true, Logger: d.log, DisableLocalhostProtection: true}) // the gate has looked at the host
}

// callerOf is the agent behind a token: its name is all that is known of it, and it
// cannot speak in another's.
func callerOf(by nod.Actor) server.Caller {
	name := strings.Map(func(r rune) rune {
		if r == ' ' || r == '/' {
			return '-'
		}
		return r
	}, tidy(by.Name))
	return server.Caller{Agent: Kind + "-" + name, Client: tidy(by.Name)}
}

// serveAsk keeps the connection until the request is settled. The first empty line
// says that it is stored, the next ones that we are alive.
func (d *Driver) serveAsk(ctx context.Context, w http.ResponseWriter, c server.Call) error {
	if c.Ask == nil {
		return nod.Errorf(nod.Invalid, "ask is missing")
	}
	r, leave, err := d.raise(ctx, c.Caller, *c.Ask)
	if err != nil {
		return err
	}
	defer leave()
	settled := d.link.Settled(r.ID)
	return d.stream(ctx, w, settled, func() (last bool, err error) {
		r, err := d.link.Request(ctx, r.ID)
		if err != nil {
			return true, err
		}
		if err := json.NewEncoder(w).Encode(outcome(r)); err != nil {
			return true, err
		}
		d.deliver(ctx, r)
		return true, nil
	})
}

// serveWatch keeps the connection as long as the server is there, with a line for
// every change of its keys.
func (d *Driver) serveWatch(ctx context.Context, w http.ResponseWriter, c server.Call) error {
	agent, err := d.agentOf(ctx, c.Caller)
	if err != nil {
		return err
	}
	leave, err := d.connect(ctx, agent, c.Caller)
	if err != nil {
		return err
	}
	defer leave()
	changed, stop := d.suggestions.watch(agent)
	defer stop()
	return d.stream(ctx, w, changed, func() (bool, error) {
		_, err := io.WriteString(w, "{}\n")
		return false, err
	})
}

// stream writes a line whenever there is one, and empty ones meanwhile.
func (d *Driver) stream(ctx context.Context, w http.ResponseWriter, ready <-chan struct{}, line func() (last bool, err error)) error {
	ctx, cancel := httpd.WhileServing(ctx)
	defer cancel()
	w.Header().Set("Content-Type", "application/json")
	out := http.NewResponseController(w)
	blank := func() {
		_, _ = io.WriteString(w, "\n") // that it fails shows in ctx
		_ = out.Flush()
	}
	blank()
	tick := time.NewTicker(server.Heartbeat)
	defer tick.Stop()
	for {
		select {
		case <-ready:
			last, err := line()
			_ = out.Flush()
			if last || err != nil {
				return err
			}
		case <-tick.C:
			blank()
		case <-ctx.Done():
			panic(http.ErrAbortHandler) // breaking it, rather than ending it, tells who listens to come back
		}
	}
}

// Watch tells a server inside the hub of changes.
func (d *Driver) Watch(ctx context.Context, c server.Caller, changed func()) error {
	agent, err := d.agentOf(ctx, c)
	if err != nil {
		return err
	}
	leave, err := d.connect(ctx, agent, c)
	if err != nil {
		return err
	}
	defer leave()
	news, stop := d.suggestions.watch(agent)
	defer stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-news:
			changed()
		}
	}
}
