package api

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"time"

	"nod"
	"nod/internal/httpd"
)

// Health is what everyone may know: that a hub is here.
type Health struct {
	OK      bool   `json:"ok"`
	Status  string `json:"status"`
	Version string `json:"version"`
	Timeout int64  `json:"request_timeout_ms,omitempty"` // for clients of Prompt Relay: how long a request waits
	*Identity
	*Details
}

// Identity is who the hub takes the caller for.
type Identity struct {
	You    *nod.Actor `json:"you,omitempty"`
	Rights nod.Rights `json:"rights,omitempty"`
}

// Details are for those who may view.
type Details struct {
	PID     int       `json:"pid"`
	Started time.Time `json:"started_at"`
	Now     time.Time `json:"now"`
	Head    nod.Seq   `json:"seq"`
	Hash    nod.Hash  `json:"hash"`
	Data    string    `json:"data,omitempty"`   // only on this machine
	Listen  string    `json:"listen,omitempty"` // only on this machine
	Pending int       `json:"pending"`
	Agents  int       `json:"agents"`
	Viewers int       `json:"viewers"`
	Streams int64     `json:"sse_connections"`       // open event streams
	Talks   int       `json:"active_sessions"`       // conversations without a terminal
	Claude  string    `json:"claude_path,omitempty"` // only on this machine: their program
}

func (s *surface) health(w http.ResponseWriter, r *http.Request) error {
	h := Health{OK: true, Status: "ok", Version: s.Version, Timeout: s.RelayTimeout.Milliseconds()}
	by := httpd.ActorOf(r.Context())
	if by.Kind != "" {
		h.Identity = &Identity{You: &by, Rights: by.Rights}
	}
	if by.Can(nod.View) {
		details, err := s.details(r)
		if err != nil {
			return err
		}
		h.Details = details
	}
	return httpd.JSON(w, http.StatusOK, h)
}

func (s *surface) details(r *http.Request) (*Details, error) {
	snap, err := s.desk(r).Snapshot(r.Context())
	if err != nil {
		return nil, err
	}
	seq, hash := s.Hub.Head()
	d := &Details{
		PID: s.PID, Started: s.Started, Now: s.Now(), Head: seq, Hash: hash,
		Pending: len(snap.Requests), Agents: alive(snap.Agents), Viewers: s.Hub.Viewers(), Streams: httpd.Streams(r.Context()),
	}
	for _, a := range snap.Agents {
		if a.Talk != nil && a.Alive() {
			d.Talks++
		}
	}
	if httpd.LocalConn(r.Context()) != nil {
		d.Data, d.Listen, d.Claude = s.Data, s.Listen(), s.Claude
	}
	return d, nil
}

func alive(agents []*nod.Agent) int {
	n := 0
	for _, a := range agents {
		if a.Alive() {
			n++
		}
	}
	return n
}

// metrics is the text format of Prometheus. A handful of numbers needs no library.
func (s *surface) metrics(w http.ResponseWriter, r *http.Request) error {
	snap, err := s.desk(r).Snapshot(r.Context())
	if err != nil {
		return err
	}
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	var b strings.Builder
	metric := func(kind, name, help string, value any) {
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n%s %v\n", name, help, name, kind, name, value)
	}
	metric("gauge", "nod_pending_requests", "Requests that wait for an answer.", len(snap.Requests))
	metric("gauge", "nod_agents", "Agents that run.", alive(snap.Agents))
	metric("counter", "nod_events_total", "Facts in the log.", snap.Seq)
	metric("gauge", "nod_followers", "Open event streams of this interface.", s.followers.Load())
	metric("gauge", "nod_viewers", "Doors that follow the log and could answer.", s.Hub.Viewers())
	metric("gauge", "nod_start_time_seconds", "When the hub started.", s.Started.Unix())
	metric("gauge", "go_goroutines", "Goroutines.", runtime.NumGoroutine())
	metric("gauge", "go_memstats_heap_alloc_bytes", "Bytes on the heap in use.", mem.HeapAlloc)
	metric("gauge", "go_memstats_sys_bytes", "Bytes taken from the system.", mem.Sys)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write([]byte(b.String()))
	return nil
}
