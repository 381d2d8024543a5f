package api

import (
	"net/http"
	"slices"

	"nod"
	v1 "nod/internal/client/v1"
	"nod/internal/hub"
	"nod/internal/net/httpd"
	"nod/internal/present/render"
)

func listRequests(d hub.Desk, w http.ResponseWriter, r *http.Request) error {
	q := queryOf(r, "status", "agent", "before", "limit")
	f := hub.Filter{
		Status: nod.Status(q.text("status")), Agent: nod.AgentID(q.text("agent")),
		Before: q.seq("before"), Limit: q.limit(),
	}
	known := []nod.Status{"", nod.Pending, nod.Decided, nod.Expired, nod.Withdrawn}
	if !slices.Contains(known, f.Status) {
		q.fail("unknown status %q: use pending, decided, expired or withdrawn", f.Status)
	}
	if q.err != nil {
		return q.err
	}
	list, err := d.Requests(r.Context(), f)
	if err != nil {
		return err
	}
	return httpd.JSON(w, http.StatusOK, v1.RequestList{Requests: orEmpty(list)})
}

func getRequest(d hub.Desk, w http.ResponseWriter, r *http.Request) error {
	id, err := requestID(r)
	if err != nil {
		return err
	}
	found, err := d.Request(r.Context(), id)
	if err != nil {
		return err
	}
	return httpd.JSON(w, http.StatusOK, found)
}

// card renders a request as safe HTML.
func card(d hub.Desk, w http.ResponseWriter, r *http.Request) error {
	id, err := requestID(r)
	if err != nil {
		return err
	}
	found, err := d.Request(r.Context(), id)
	if err != nil {
		return err
	}
	return httpd.JSON(w, http.StatusOK, render.Request(found))
}

// decide answers a request. It takes only whole ids: the first letters might by now mean
// a newer request than the one that the person read.
func decide(d hub.Desk, w http.ResponseWriter, r *http.Request) error {
	id, err := requestID(r)
	if err != nil {
		return err
	}
	var answer nod.Answer
	if err := httpd.Decode(w, r, &answer); err != nil {
		return err
	}
	settled, err := d.Decide(r.Context(), id, answer)
	if err != nil {
		return refusal(r, id, err)
	}
	decision := *settled.Decision
	if !httpd.ActorOf(r.Context()).Can(nod.View) {
		decision.Input = nil // it is the whole input, not only what they edited
	}
	return httpd.JSON(w, http.StatusOK, decision)
}

// refusal is the hub's error, with no more than the caller may see.
func refusal(r *http.Request, id nod.RequestID, err error) error {
	winner := nod.WinnerOf(err)
	switch {
	case nod.CodeOf(err) == nod.NotFound:
		return nod.Errorf(nod.NotFound, "there is no request %q: an answer needs the whole id, not its first letters; `nod requests` lists what waits", id)
	case winner != nil && !httpd.ActorOf(r.Context()).Can(nod.View):
		e := nod.Errorf(nod.CodeOf(err), "%s", nod.MessageOf(err))
		e.Winner = outcome(winner)
		return e
	}
	return err
}

// outcome is how a request was settled, without its content.
func outcome(r *nod.Request) *nod.Request {
	o := &nod.Request{ID: r.ID, Kind: r.Kind, Dialog: r.Dialog, AskedAt: r.AskedAt, Status: r.Status, Withdrawal: r.Withdrawal}
	if r.Decision != nil {
		d := *r.Decision
		d.Input, d.Answers = nil, nil
		o.Decision = &d
	}
	return o
}

func shown(d hub.Desk, w http.ResponseWriter, r *http.Request) error {
	id, err := requestID(r)
	if err != nil {
		return err
	}
	if err := d.Shown(r.Context(), id); err != nil {
		return err
	}
	return httpd.NoContent(w)
}

const maxID = 200

// requestID is the id in the path.
func requestID(r *http.Request) (nod.RequestID, error) {
	id, err := pathID(r)
	return nod.RequestID(id), err
}

func pathID(r *http.Request) (string, error) {
	id := r.PathValue("id")
	if len(id) > maxID || nod.OneLine(id) != id {
		return "", nod.Errorf(nod.NotFound, "that is no id of this hub")
	}
	return id, nil
}
