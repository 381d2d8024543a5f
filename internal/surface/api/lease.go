package api

import (
	"net/http"

	"nod"
	v1 "nod/internal/client/v1"
	"nod/internal/hub"
	"nod/internal/net/httpd"
)

func listLeases(d hub.Desk, w http.ResponseWriter, r *http.Request) error {
	snap, err := d.Snapshot(r.Context())
	if err != nil {
		return err
	}
	return httpd.JSON(w, http.StatusOK, v1.LeaseList{Leases: orEmpty(snap.Leases)})
}

func (s *Surface) grantLease(w http.ResponseWriter, r *http.Request) error {
	var n v1.NewLease
	if err := httpd.Decode(w, r, &n); err != nil {
		return err
	}
	if n.Times == 0 {
		n.Times = nod.DefaultTimes
	}
	l, err := s.desk(r).Grant(r.Context(), nod.Lease{
		Rules: n.Rules, Agent: n.Agent, Folder: n.Folder, Host: n.Host, Limit: n.Times,
		Until: s.Hub.Now().Add(nod.Minutes(n.Minutes)),
	})
	if err != nil {
		return err
	}
	return httpd.JSON(w, http.StatusCreated, l)
}

func revokeLease(d hub.Desk, w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r)
	if err != nil {
		return err
	}
	l, err := d.Revoke(r.Context(), nod.LeaseID(id))
	if err != nil {
		return err
	}
	return httpd.JSON(w, http.StatusOK, l)
}

// stopAll is the emergency stop.
func stopAll(d hub.Desk, w http.ResponseWriter, r *http.Request) error {
	count, err := d.StopAll(r.Context())
	return stopped(w, count, err)
}

func interrupt(d hub.Desk, w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r) // whole: no other agent may be stopped
	if err != nil {
		return err
	}
	count, err := d.Interrupt(r.Context(), nod.AgentID(id))
	return stopped(w, count, err)
}

func stopped(w http.ResponseWriter, count hub.Stopped, err error) error {
	if err != nil {
		return err
	}
	return httpd.JSON(w, http.StatusOK, v1.Stopped(count))
}
