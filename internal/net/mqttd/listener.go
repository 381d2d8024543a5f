package mqttd

import (
	"crypto/tls"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/mochi-mqtt/server/v2/listeners"
)

// Limits of connections.
const (
	mostConnections = 256
	handshakeTime   = 10 * time.Second // for TLS and the first packet; afterwards the client's own keep-alive counts
)

// brokerListener is the broker's listener. The library's own can panic or deadlock when
// it is closed while a client connects. This one stops accepting, closes the open
// connections, and waits until all have ended.
type brokerListener struct {
	listener net.Listener
	tls      *tls.Config
	log      *slog.Logger

	mu     sync.Mutex
	closed bool
	open   map[net.Conn]struct{}
	all    sync.WaitGroup
}

func newBrokerListener(l net.Listener, t *tls.Config, log *slog.Logger) *brokerListener {
	return &brokerListener{listener: l, tls: t, log: log, open: map[net.Conn]struct{}{}}
}

func (d *brokerListener) Init(*slog.Logger) error { return nil }
func (d *brokerListener) ID() string              { return "tcp" }
func (d *brokerListener) Address() string         { return d.listener.Addr().String() }
func (d *brokerListener) Protocol() string        { return "tcp" }

// Serve accepts clients until Close.
func (d *brokerListener) Serve(establish listeners.EstablishFn) {
	for {
		conn, err := d.listener.Accept()
		if err != nil {
			d.mu.Lock()
			closed := d.closed
			d.mu.Unlock()
			if closed {
				return
			}
			d.log.Warn("the MQTT broker could not accept a connection", "err", err)
			<-time.After(100 * time.Millisecond) // out of file handles: not at full speed
			continue
		}
		if d.tls != nil {
			conn = tls.Server(conn, d.tls)
		}
		if !d.enter(conn) {
			_ = conn.Close()
			continue
		}
		go func() {
			defer d.leave(conn)
			_ = conn.SetDeadline(time.Now().Add(handshakeTime))
			if err := establish(d.ID(), conn); err != nil {
				d.log.Debug("an MQTT client left", "from", conn.RemoteAddr().String(), "err", err)
			}
		}()
	}
}

func (d *brokerListener) enter(conn net.Conn) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed || len(d.open) >= mostConnections {
		return false
	}
	d.open[conn] = struct{}{}
	d.all.Add(1)
	return true
}

func (d *brokerListener) leave(conn net.Conn) {
	_ = conn.Close()
	d.mu.Lock()
	delete(d.open, conn)
	d.mu.Unlock()
	d.all.Done()
}

// Close does not use the library's way to end clients, which deadlocks.
func (d *brokerListener) Close(listeners.CloseFn) {
	d.mu.Lock()
	d.closed = true
	for conn := range d.open {
		_ = conn.Close()
	}
	d.mu.Unlock()
	_ = d.listener.Close()
	d.all.Wait()
}
