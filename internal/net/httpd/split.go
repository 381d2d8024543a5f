package httpd

import (
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"nod"
)

// recordHandshake is the first byte of every TLS connection; no HTTP method begins with it.
const recordHandshake = 0x16

// splitListener is a TLS listener that also answers plain HTTP on the same port: a
// person who typed http:// should be redirected, not disconnected.
type splitListener struct {
	net.Listener
	secure, plain chan accepted
	closed        chan struct{}
	end           sync.Once
	silent        newConns // sent nothing yet
	server        *http.Server
}

type accepted struct {
	conn net.Conn
	err  error
}

func splitTLS(l net.Listener, plain http.Handler, log *slog.Logger) *splitListener {
	p := &splitListener{
		Listener: l, secure: make(chan accepted), plain: make(chan accepted), closed: make(chan struct{}),
		silent: newConns{conns: map[net.Conn]struct{}{}},
		server: &http.Server{
			Handler: plain, ReadHeaderTimeout: headerTimeout, ReadTimeout: headerTimeout, WriteTimeout: headerTimeout,
			MaxHeaderBytes: maxHeader, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
		},
	}
	p.server.SetKeepAlivesEnabled(false) // clients continue over TLS
	go p.acceptLoop()
	go func() { _ = p.server.Serve(halfListener{p, p.plain}) }()
	return p
}

// acceptLoop accepts every connection; its first byte shows the protocol.
func (p *splitListener) acceptLoop() {
	for {
		conn, err := p.Listener.Accept()
		if err != nil {
			if !p.deliver(p.secure, accepted{err: err}) {
				return
			}
			continue
		}
		p.silent.track(conn, http.StateNew)
		go p.classify(conn)
	}
}

func (p *splitListener) classify(conn net.Conn) {
	first := make([]byte, 1)
	err := conn.SetReadDeadline(time.Now().Add(headerTimeout))
	if err == nil {
		_, err = conn.Read(first)
	}
	p.silent.track(conn, http.StateActive)
	if err != nil || conn.SetReadDeadline(time.Time{}) != nil {
		_ = conn.Close()
		return
	}
	to := p.plain
	if first[0] == recordHandshake {
		to = p.secure
	}
	if !p.deliver(to, accepted{conn: &peekedConn{conn, first}}) {
		_ = conn.Close()
	}
}

// deliver returns false if the listener is closed.
func (p *splitListener) deliver(to chan accepted, a accepted) bool {
	select {
	case to <- a:
		return true
	case <-p.closed:
		return false
	}
}

// Accept returns the next TLS connection.
func (p *splitListener) Accept() (net.Conn, error) { return halfListener{p, p.secure}.Accept() }

// Close closes both halves.
func (p *splitListener) Close() error {
	err := net.ErrClosed
	p.end.Do(func() {
		close(p.closed)
		err = p.Listener.Close()
		p.silent.close()
		_ = p.server.Close()
	})
	return err
}

// halfListener is the TLS or the plain half of a splitListener.
type halfListener struct {
	*splitListener
	from chan accepted
}

func (s halfListener) Accept() (net.Conn, error) {
	select {
	case a := <-s.from:
		return a.conn, a.err
	case <-s.closed:
		return nil, net.ErrClosed
	}
}

// Close does nothing: the other half goes on.
func (halfListener) Close() error { return nil }

// peekedConn is a connection whose first byte has been read.
type peekedConn struct {
	net.Conn
	first []byte
}

func (h *peekedConn) Read(b []byte) (int, error) {
	if len(h.first) > 0 && len(b) > 0 {
		n := copy(b, h.first)
		h.first = h.first[n:]
		return n, nil
	}
	return h.Conn.Read(b)
}

// plainHTTP answers plain HTTP on the TLS port: open paths without authentication,
// everything else with a redirect, unless the request may contain a secret.
func plainHTTP(next http.Handler, open []string) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		read := r.Method == http.MethodGet || r.Method == http.MethodHead
		switch {
		case !read || r.Header.Get("Authorization") != "":
			return nod.Errorf(nod.Forbidden, "this hub speaks HTTPS: use https://%s. What you sent could be read on the way; if a token was in it, revoke it with `nod token revoke`", nod.Fold(nod.OneLine(r.Host), 100))
		case slices.Contains(open, r.URL.Path):
			r.Header.Del("Cookie")
			next.ServeHTTP(w, r)
		default:
			http.Redirect(w, r, "https://"+r.Host+r.URL.RequestURI(), http.StatusTemporaryRedirect)
		}
		return nil
	}
}
