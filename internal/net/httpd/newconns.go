package httpd

import (
	"net"
	"net/http"
	"sync"
)

// newConns are connections without a request so far. Browsers open them in advance,
// and http.Server.Shutdown would wait five seconds for each.
type newConns struct {
	mu    sync.Mutex
	conns map[net.Conn]struct{}
}

// track implements http.Server.ConnState.
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
