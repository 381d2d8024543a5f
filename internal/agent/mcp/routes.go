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

// maxInput has room for a large file that an agent wants to write.
const maxInput = 16 << 20

// Path is the MCP endpoint over HTTP.
const Path = "/mcp"

// Routes are those of `nod mcp` and the MCP endpoint itself. They need the right to
// raise and no other.
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

// protocol serves MCP without sessions, as the version of July 2026 wants it; older
// clients accept that.
func (d *Driver) protocol() http.Handler {
	return sdk.NewStreamableHTTPHandler(func(r *http.Request) *sdk.Server {
		ctx := r.Context()
		return server.New(ctx, server.Options{Hub: httpHub{d}, Version: d.Version, Caller: callerOf(httpd.ActorOf(ctx))})
	}, &sdk.StreamableHTTPOptions{Stateless: true, Logger: d.Log, DisableLocalhostProtection: true}) // httpd has checked the host
}

// callerOf is the agent of a token. Only the token's name is known, and no token can use
// the name of another.
func callerOf(by nod.Actor) server.Caller {
	name := strings.Map(func(r rune) rune {
		if r == ' ' || r == '/' {
			return '-'
		}
		return r
	}, tidy(by.Name))
	return server.Caller{Agent: Kind + "-" + name, Client: tidy(by.Name)}
}

// serveAsk answers when the request is settled. The first empty line says that it is
// stored, the next ones are heartbeats.
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

// serveWatch is open as long as the server is there, with a line for every change of
// its keys.
func (d *Driver) serveWatch(ctx context.Context, w http.ResponseWriter, c server.Call) error {
	changed, stop, err := d.watch(ctx, c.Caller)
	if err != nil {
		return err
	}
	defer stop()
	return d.stream(ctx, w, changed, func() (bool, error) {
		_, err := io.WriteString(w, "{}\n")
		return false, err
	})
}

// stream writes a line whenever ready fires, and heartbeats in between.
func (d *Driver) stream(ctx context.Context, w http.ResponseWriter, ready <-chan struct{}, line func() (last bool, err error)) error {
	ctx, cancel := httpd.WhileServing(ctx)
	defer cancel()
	w.Header().Set("Content-Type", "application/json")
	out := http.NewResponseController(w)
	blank := func() {
		_, _ = io.WriteString(w, "\n") // ctx ends when it fails
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
			panic(http.ErrAbortHandler) // a broken response makes the client come back, a finished one would not
		}
	}
}

// watch counts the caller as present until stop is called.
func (d *Driver) watch(ctx context.Context, c server.Caller) (changed <-chan struct{}, stop func(), err error) {
	agent, err := d.agentOf(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	leave, err := d.presence.connect(ctx, agent, c)
	if err != nil {
		return nil, nil, err
	}
	changed, forget := d.suggestions.watch(agent)
	return changed, func() { forget(); leave() }, nil
}

// Watch calls changed for every change of the agent's keys.
func (d *Driver) Watch(ctx context.Context, c server.Caller, changed func()) error {
	news, stop, err := d.watch(ctx, c)
	if err != nil {
		return err
	}
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
