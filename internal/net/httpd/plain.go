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

// parted is a listener for TLS. Whoever speaks plain HTTP on the same port is
// answered too: a person who typed http:// should be led on, not hung up on.
type parted struct {
	net.Listener
	secure, plain chan arrival
	ended         chan struct{}
	end           sync.Once
	waiting       fresh // said nothing yet
	server        *http.Server
}

type arrival struct {
	conn net.Conn
	err  error
}

func part(l net.Listener, plain http.Handler, log *slog.Logger) *parted {
	p := &parted{
		Listener: l, secure: make(chan arrival), plain: make(chan arrival), ended: make(chan struct{}),
		waiting: fresh{conns: map[net.Conn]struct{}{}},
		server: &http.Server{
			Handler: plain, ReadHeaderTimeout: headerTime, ReadTimeout: headerTime, WriteTimeout: headerTime,
			MaxHeaderBytes: maxHeader, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
		},
	}
	p.server.SetKeepAlivesEnabled(false) // they come once, and go on by TLS
	go p.arrive()
	go func() { _ = p.server.Serve(side{p, p.plain}) }()
	return p
}

// arrive lets everyone in; who they are shows when they speak.
func (p *parted) arrive() {
	for {
		conn, err := p.Listener.Accept()
		if err != nil {
			if !p.hand(p.secure, arrival{err: err}) {
				return
			}
			continue
		}
		p.waiting.note(conn, http.StateNew)
		go p.sort(conn)
	}
}

func (p *parted) sort(conn net.Conn) {
	first := make([]byte, 1)
	err := conn.SetReadDeadline(time.Now().Add(headerTime))
	if err == nil {
		_, err = conn.Read(first)
	}
	p.waiting.note(conn, http.StateActive)
	if err != nil || conn.SetReadDeadline(time.Time{}) != nil {
		_ = conn.Close()
		return
	}
	to := p.plain
	if first[0] == recordHandshake {
		to = p.secure
	}
	if !p.hand(to, arrival{conn: &heard{conn, first}}) {
		_ = conn.Close()
	}
}

// hand is false when the listener was closed.
func (p *parted) hand(to chan arrival, a arrival) bool {
	select {
	case to <- a:
		return true
	case <-p.ended:
		return false
	}
}

// Accept is the next who speaks TLS.
func (p *parted) Accept() (net.Conn, error) { return side{p, p.secure}.Accept() }

// Close ends both sides.
func (p *parted) Close() error {
	err := net.ErrClosed
	p.end.Do(func() {
		close(p.ended)
		err = p.Listener.Close()
		p.waiting.close()
		_ = p.server.Close()
	})
	return err
}

// side is one half of a parted listener.
type side struct {
	*parted
	from chan arrival
}

func (s side) Accept() (net.Conn, error) {
	select {
	case a := <-s.from:
		return a.conn, a.err
	case <-s.ended:
		return nil, net.ErrClosed
	}
}

// Close leaves the other half alone.
func (side) Close() error { return nil }

// heard is a connection whose first byte was looked at.
type heard struct {
	net.Conn
	first []byte
}

func (h *heard) Read(b []byte) (int, error) {
	if len(h.first) > 0 && len(b) > 0 {
		n := copy(b, h.first)
		h.first = h.first[n:]
		return n, nil
	}
	return h.Conn.Read(b)
}

// plainly answers plain HTTP on the TLS port: the open paths as they are, to
// nobody in particular; all else is sent on, unless something secret came with it.
func plainly(next http.Handler, open []string) Handler {
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
