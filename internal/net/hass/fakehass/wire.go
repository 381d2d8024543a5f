package fakehass

import (
	"context"
	"net"
	"net/http"
	"sync"
)

// Wire is a network of its own, in memory: nothing else is on it, and in a
// synctest bubble time passes on it.
type Wire struct {
	URL    string
	Client *http.Client

	server   *http.Server
	incoming chan net.Conn
	done     chan struct{}
	once     sync.Once
}

// Connect puts the house on a wire. Close it.
func (h *Server) Connect() *Wire {
	w := &Wire{URL: "http://homeassistant.local:8123", incoming: make(chan net.Conn), done: make(chan struct{})}
	w.Client = &http.Client{Transport: &http.Transport{DialContext: w.dial, DisableKeepAlives: true}}
	w.server = &http.Server{Handler: h}
	go func() { _ = w.server.Serve(w) }()
	return w
}

func (w *Wire) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case w.incoming <- there:
		return here, nil
	case <-w.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept is of net.Listener.
func (w *Wire) Accept() (net.Conn, error) {
	select {
	case c := <-w.incoming:
		return c, nil
	case <-w.done:
		return nil, net.ErrClosed
	}
}

// Addr is of net.Listener.
func (w *Wire) Addr() net.Addr { return &net.TCPAddr{} }

// Close takes the house off the wire.
func (w *Wire) Close() error {
	w.once.Do(func() { close(w.done) })
	return nil
}
