package clitest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	v1 "nod/internal/client/v1"

	"nod"
)

func (h *Hub) Grant(l *nod.Lease) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.grantLocked(l)
}

func (h *Hub) grantLocked(l *nod.Lease) {
	if l.ID == "" {
		l.ID = nod.LeaseID(fmt.Sprintf("l%d", h.State.Seq+1))
	}
	h.addLocked(nod.Event{Kind: nod.LeaseGranted, AgentID: l.Agent, Lease: l})
}

func (h *Hub) postLease(w http.ResponseWriter, r *http.Request) {
	var n v1.NewLease
	_ = json.NewDecoder(r.Body).Decode(&n)
	h.Granted = append(h.Granted, n)
	l := &nod.Lease{
		Rules: n.Rules, Agent: n.Agent, Folder: n.Folder, Host: n.Host, Limit: n.Times, By: "anna at desk", Via: "terminal",
		Granted: h.Now, Until: h.Now.Add(time.Duration(n.Minutes) * time.Minute),
	}
	h.grantLocked(l)
	reply(w, 201, l)
}

func (h *Hub) deleteLease(w http.ResponseWriter, r *http.Request) {
	l, ok := h.State.Leases[nod.LeaseID(r.PathValue("id"))]
	if !ok {
		ReplyError(w, nod.Errorf(nod.NotFound, "there is no lease"))
		return
	}
	ended := *l
	ended.End = &nod.LeaseEnd{Reason: nod.LeaseEndRevoked, By: "anna at desk", Via: "terminal", At: h.Now}
	h.addLocked(nod.Event{Kind: nod.LeaseEnded, AgentID: l.Agent, Lease: &ended})
	reply(w, 200, &ended)
}

// postStop stops all agents, or one.
func (h *Hub) postStop(w http.ResponseWriter, r *http.Request) {
	id := nod.AgentID(r.PathValue("id"))
	if a := h.State.Agents[id]; id != "" && (a == nil || !a.Alive()) {
		ReplyError(w, nod.Errorf(nod.NotFound, "there is no agent"))
		return
	}
	var count v1.Stopped
	by := nod.Actor{Kind: nod.ActorPerson, Name: "anna at desk", Via: "terminal"}
	h.addLocked(nod.Event{Kind: nod.StopPressed, AgentID: id, By: &by})
	for _, l := range h.State.LiveLeases() {
		if id == "" || l.Agent == id {
			ended := *l
			ended.End = &nod.LeaseEnd{Reason: nod.LeaseEndStopped, By: by.Name, Via: by.Via, At: h.Now}
			h.addLocked(nod.Event{Kind: nod.LeaseEnded, Lease: &ended})
			count.Leases++
		}
	}
	for _, q := range h.State.PendingOf(id) {
		d := &nod.Decision{Answer: nod.Answer{Verdict: nod.VerdictDeny, Stop: true}, By: by.Name, Via: by.Via, At: h.Now}
		h.addLocked(nod.Event{Kind: nod.RequestDecided, RequestID: q.ID, Decision: d})
		count.Requests++
	}
	for _, a := range h.State.Snapshot().Agents {
		if (id == "" || a.ID == id) && (a.State == nod.AgentWorking || a.State == nod.AgentWaiting) {
			stopping := *a
			stopping.Stopping = &nod.Stopping{By: by.Name, Via: by.Via, At: h.Now}
			h.addLocked(nod.Event{Kind: nod.AgentChanged, AgentID: a.ID, Agent: &stopping})
			count.Agents++
		}
	}
	reply(w, 200, count)
}

// StopAgents stops the obedient agents.
func (h *Hub) StopAgents(r *http.Request) {
	if r.URL.Path != cmp.Or(h.StopsBefore, "/v1/events") {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, a := range h.State.Snapshot().Agents {
		if a.Stopping != nil && slices.Contains(h.StopsWhenTold, a.ID) {
			idle := *a
			idle.Enter(nod.AgentIdle, h.Now)
			h.addLocked(nod.Event{Kind: nod.AgentChanged, AgentID: a.ID, Agent: &idle})
		}
	}
}

func (h *Hub) postTurn(w http.ResponseWriter, r *http.Request) {
	if h.SayError != nil {
		ReplyError(w, h.SayError)
		return
	}
	var n v1.NewMessage
	_ = json.NewDecoder(r.Body).Decode(&n)
	h.Said = append(h.Said, n)
	m := nod.Message{ID: n.ID, Agent: nod.AgentID(r.PathValue("id")), Text: n.Text, WhenBusy: n.WhenBusy, By: "anna at desk", Via: "terminal", At: h.Now, Status: nod.Queued}
	if err := m.Fit(); err != nil {
		ReplyError(w, err)
		return
	}
	sent := m
	h.addLocked(nod.Event{Kind: nod.MessageSaid, AgentID: m.Agent, Message: &sent})
	other := m
	other.ID = "m-somebody-else" // which must be ignored
	other.Status = nod.Failed
	h.addLocked(nod.Event{Kind: nod.MessageFailed, AgentID: m.Agent, Message: &other})
	if h.MessageEnds != "" {
		ended := m
		ended.Status, ended.Problem = h.MessageEnds, "its tmux pane is gone"
		kind := nod.MessageDelivered
		if h.MessageEnds == nod.Failed {
			kind = nod.MessageFailed
		}
		h.addLocked(nod.Event{Kind: kind, AgentID: m.Agent, Message: &ended})
	}
	reply(w, 202, m)
}
