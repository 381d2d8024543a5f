package httpd

import (
	"net"
	"net/http"
	"sync"
)

// newConns are connections on which nothing was said yet. http.Server.Shutdown
// waits five seconds for each, although nobody would miss it: browsers and
// clients open them in stock.
type newConns struct {
	mu    sync.Mutex
	conns map[net.Conn]struct{}
}

// track is a ConnState hook.
func (f *newConns) track(c net.Conn, state http.ConnState) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if state == http.StateNew {
		f.conns[c] = struct{}{}
	} else {
		delete(f.conns, c)
	}
}

func (f *newConns) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for c := range f.conns {
		_ = c.Close()
	}
}
