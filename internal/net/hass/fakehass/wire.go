package fakehass

import (
	"context"
	"net"
	"net/http"
	"sync"
)

// Wire is an isolated in-memory network; in a synctest bubble it uses the bubble's time.
type Wire struct {
	URL    string
	Client *http.Client

	server   *http.Server
	incoming chan net.Conn
	done     chan struct{}
	once     sync.Once
}

// Connect puts the server on a new network. Close it after use.
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

// Accept implements net.Listener.
func (w *Wire) Accept() (net.Conn, error) {
	select {
	case c := <-w.incoming:
		return c, nil
	case <-w.done:
		return nil, net.ErrClosed
	}
}

// Addr implements net.Listener.
func (w *Wire) Addr() net.Addr { return &net.TCPAddr{} }

// Close takes the server off the network.
func (w *Wire) Close() error {
	w.once.Do(func() { close(w.done) })
	return nil
}
