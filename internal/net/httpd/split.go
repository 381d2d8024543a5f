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

// recordHandshake is the first byte of every TLS connection. No method of HTTP begins so.
const recordHandshake = 0x16

// splitListener is a listener for TLS. Whoever speaks plain HTTP on the same port is
// answered too: a person who typed http:// should be led on, not hung up on.
type splitListener struct {
	net.Listener
	secure, plain chan accepted
	closed        chan struct{}
	end           sync.Once
	silent        newConns // said nothing yet
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
	p.server.SetKeepAlivesEnabled(false) // they come once, and go on by TLS
	go p.acceptLoop()
	go func() { _ = p.server.Serve(halfListener{p, p.plain}) }()
	return p
}

// acceptLoop lets everyone in; who they are shows when they speak.
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

// deliver is false when the listener was closed.
func (p *splitListener) deliver(to chan accepted, a accepted) bool {
	select {
	case to <- a:
		return true
	case <-p.closed:
		return false
	}
}

// Accept is the next who speaks TLS.
func (p *splitListener) Accept() (net.Conn, error) { return halfListener{p, p.secure}.Accept() }

// Close ends both sides.
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

// halfListener is one half of a parted listener.
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

// Close leaves the other half alone.
func (halfListener) Close() error { return nil }

// peekedConn is a connection whose first byte was looked at.
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

// plainHTTP answers plain HTTP on the TLS port: the open paths as they are, to
// nobody in particular; all else is sent on, unless something secret came with it.
func plainHTTP(next http.Handler, open []string) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		look := r.Method == http.MethodGet || r.Method == http.MethodHead
		switch {
		case !look || r.Header.Get("Authorization") != "":
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
