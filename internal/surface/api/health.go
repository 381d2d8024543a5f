package api

import (
	"net/http"
	"time"

	"nod"
	"nod/internal/net/httpd"
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

	Problems []Problem `json:"problems,omitempty"` // of adapters, for those who may administer
}

// Problem is what an adapter says is wrong with it now.
type Problem struct {
	Adapter string `json:"adapter"` // its section of nod.toml
	Text    string `json:"text"`
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
	if s.Problems != nil && httpd.ActorOf(r.Context()).Can(nod.Admin) {
		d.Problems = s.Problems()
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

// Standing is what a load balancer asks for.
type Standing struct {
	OK     bool   `json:"ok"`
	Status string `json:"status"`           // live, ready or away
	Reason string `json:"reason,omitempty"` // why it is away
}

// live says that the program runs; whoever restarts it otherwise goes by this.
func (s *surface) live(w http.ResponseWriter, _ *http.Request) error {
	return httpd.JSON(w, http.StatusOK, Standing{OK: true, Status: "live"})
}

// ready says whether this hub should be asked, or another one. Everybody may ask,
// so it does not say where its database is; and it is asked every second, so it
// is no error for the log.
func (s *surface) ready(w http.ResponseWriter, r *http.Request) error {
	ctx, done := httpd.WhileServing(r.Context())
	defer done()
	err := s.Hub.Ready(ctx)
	switch {
	case ctx.Err() != nil:
		return httpd.JSON(w, http.StatusServiceUnavailable, Standing{Status: "away", Reason: "This hub is shutting down; ask another one."})
	case err != nil:
		return httpd.JSON(w, http.StatusServiceUnavailable, Standing{Status: "away", Reason: "This hub cannot reach its log now; its own log says why."})
	}
	return httpd.JSON(w, http.StatusOK, Standing{OK: true, Status: "ready"})
}
