package postgres

import (
	"bytes"
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
)

// wire is a network between a store and its database that can be held.
type wire struct {
	address string
	gate    sync.RWMutex
}

func newWire(t *testing.T, address string) *wire {
	u, _ := url.Parse(address)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{}
	to := u.Host
	u.Host = l.Addr().String()
	w.address = u.String()
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", to)
			if err != nil {
				_ = near.Close()
				continue
			}
			go w.carry(far, near)
			go w.carry(near, far)
		}
	}()
	return w
}

func (w *wire) carry(to, from net.Conn) {
	defer to.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		w.gate.RLock()
		_, werr := io.Copy(to, bytes.NewReader(buffer[:n]))
		w.gate.RUnlock()
		if err != nil || werr != nil {
			return
		}
	}
}

func (w *wire) hold()    { w.gate.Lock() }
func (w *wire) release() { w.gate.Unlock() }
