package esp32

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"time"
)

// errUnplugged is the error for a host that does not answer.
var errUnplugged = errors.New("no route to host")

// arpTime is how long it takes to find out that no host has the address.
const arpTime = 3 * time.Second

// Unplug disconnects it from the network and from power; Plug boots it.
func (d *Device) Unplug() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.unplugged = true
}

// Plug connects it again.
func (d *Device) Plug() {
	d.Reboot()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.unplugged = false
}

// Slow makes every call over RoundTrip take a while.
func (d *Device) Slow(by time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.slow = by
}

// RoundTrip is a network with only this device, for tests with fake time.
func (d *Device) RoundTrip(r *http.Request) (*http.Response, error) {
	d.mu.Lock()
	unplugged, wait := d.unplugged, d.slow
	d.mu.Unlock()
	if unplugged {
		wait = arpTime
	}
	if wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	}
	if unplugged {
		return nil, errUnplugged
	}
	return d.Reach(r), nil
}

// Reach is RoundTrip over a cable that always works.
func (d *Device) Reach(r *http.Request) *http.Response {
	if r.Body == nil {
		r.Body = http.NoBody
	}
	defer r.Body.Close()
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	return w.Result()
}
