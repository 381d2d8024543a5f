package api

import (
	"net/http"
	"os"

	"nod"
	v1 "nod/internal/client/v1"
	"nod/internal/net/httpd"
)

func (s *Surface) health(w http.ResponseWriter, r *http.Request) error {
	h := v1.Health{OK: true, Status: "ok", Version: s.Version, Timeout: s.RelayTimeout.Milliseconds()}
	by := httpd.ActorOf(r.Context())
	if by.Kind != "" {
		h.Identity = &v1.Identity{You: &by, Rights: by.Rights}
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

func (s *Surface) details(r *http.Request) (*v1.Details, error) {
	snap, err := s.desk(r).Snapshot(r.Context())
	if err != nil {
		return nil, err
	}
	seq, hash := s.Hub.Head()
	d := &v1.Details{
		PID: os.Getpid(), Started: s.Started, Now: s.Hub.Now(), Head: seq, Hash: hash,
		Pending: len(snap.Requests), Agents: alive(snap.Agents), Viewers: s.Hub.Viewers(), Streams: httpd.Streams(r.Context()),
		Claude: s.Claude,
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
		d.Data, d.Listen = s.Directory, s.Address()
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

// live says that the program runs: a service manager restarts it otherwise.
func live(w http.ResponseWriter, _ *http.Request) error {
	return httpd.JSON(w, http.StatusOK, v1.Standing{OK: true, Status: "live"})
}

// ready tells a load balancer whether to use this hub or another one. Everyone may ask,
// so the reason does not name the database; and it is asked every second, so a no is not
// logged as an error.
func (s *Surface) ready(w http.ResponseWriter, r *http.Request) error {
	ctx, done := httpd.WhileServing(r.Context())
	defer done()
	err := s.Hub.Ready(ctx)
	switch {
	case ctx.Err() != nil:
		return httpd.JSON(w, http.StatusServiceUnavailable, v1.Standing{Status: "away", Reason: "This hub is shutting down; ask another one."})
	case err != nil:
		return httpd.JSON(w, http.StatusServiceUnavailable, v1.Standing{Status: "away", Reason: "This hub cannot reach its log now; its own log says why."})
	}
	return httpd.JSON(w, http.StatusOK, v1.Standing{OK: true, Status: "ready"})
}
