package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"nod"
	"nod/internal/client"
)

func (h *fakeHub) leaseRoutes(mux *http.ServeMux) {
	mux.HandleFunc("GET /v1/leases", h.getLeases)
	mux.HandleFunc("POST /v1/leases", h.postLease)
	mux.HandleFunc("DELETE /v1/leases/{id}", h.deleteLease)
	mux.HandleFunc("POST /v1/stop", h.postStop)
	mux.HandleFunc("POST /v1/agents/{id}/interrupt", h.postStop)
	mux.HandleFunc("POST /v1/agents/{id}/turns", h.postTurn)
}

func (h *fakeHub) grant(l *nod.Lease) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.grantLocked(l)
}

func (h *fakeHub) grantLocked(l *nod.Lease) {
	if l.ID == "" {
		l.ID = nod.LeaseID(fmt.Sprintf("l%d", h.state.Seq+1))
	}
	h.addLocked(nod.Event{Kind: nod.LeaseGranted, AgentID: l.Agent, Lease: l})
}

func (h *fakeHub) getLeases(w http.ResponseWriter, _ *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	reply(w, 200, map[string]any{"leases": h.state.LiveLeases()})
}

func (h *fakeHub) postLease(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var n client.NewLease
	_ = json.NewDecoder(r.Body).Decode(&n)
	h.granted = append(h.granted, n)
	l := &nod.Lease{
		Rules: n.Rules, Agent: n.Agent, Folder: n.Folder, Host: n.Host, Limit: n.Times, By: "anna at desk", Via: "terminal",
		Granted: h.now, Until: h.now.Add(time.Duration(n.Minutes) * time.Minute),
	}
	h.grantLocked(l)
	reply(w, 201, l)
}

func (h *fakeHub) deleteLease(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	l, ok := h.state.Leases[nod.LeaseID(r.PathValue("id"))]
	if !ok {
		replyError(w, nod.Errorf(nod.NotFound, "there is no lease"))
		return
	}
	ended := *l
	ended.End = &nod.LeaseEnd{Reason: nod.LeaseEndRevoked, By: "anna at desk", Via: "terminal", At: h.now}
	h.addLocked(nod.Event{Kind: nod.LeaseEnded, AgentID: l.Agent, Lease: &ended})
	reply(w, 200, &ended)
}

// postStop is the red button, and the small one for one agent.
func (h *fakeHub) postStop(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	id := nod.AgentID(r.PathValue("id"))
	if a := h.state.Agents[id]; id != "" && (a == nil || !a.Alive()) {
		replyError(w, nod.Errorf(nod.NotFound, "there is no agent"))
		return
	}
	var count client.Stopped
	by := nod.Actor{Kind: nod.ActorPerson, Name: "anna at desk", Via: "terminal"}
	h.addLocked(nod.Event{Kind: nod.StopPressed, AgentID: id, By: &by})
	for _, l := range h.state.LiveLeases() {
		if id == "" || l.Agent == id {
			ended := *l
			ended.End = &nod.LeaseEnd{Reason: nod.LeaseEndStopped, By: by.Name, Via: by.Via, At: h.now}
			h.addLocked(nod.Event{Kind: nod.LeaseEnded, Lease: &ended})
			count.Leases++
		}
	}
	for _, q := range h.state.PendingOf(id) {
		d := &nod.Decision{Answer: nod.Answer{Verdict: nod.VerdictDeny, Stop: true}, By: by.Name, Via: by.Via, At: h.now}
		h.addLocked(nod.Event{Kind: nod.RequestDecided, RequestID: q.ID, Decision: d})
		count.Requests++
	}
	for _, a := range h.state.Snapshot().Agents {
		if (id == "" || a.ID == id) && (a.State == nod.AgentWorking || a.State == nod.AgentWaiting) {
			told := *a
			told.Stopping = &nod.Stopping{By: by.Name, Via: by.Via, At: h.now}
			h.addLocked(nod.Event{Kind: nod.AgentChanged, AgentID: a.ID, Agent: &told})
			count.Agents++
		}
	}
	reply(w, 200, count)
}

// obey lets the obedient agents stop.
func (h *fakeHub) obey(r *http.Request) {
	if r.URL.Path != cmp.Or(h.obeyAt, "/v1/events") {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, a := range h.state.Snapshot().Agents {
		if a.Stopping != nil && slices.Contains(h.obedient, a.ID) {
			idle := *a
			idle.Enter(nod.AgentIdle, h.now)
			h.addLocked(nod.Event{Kind: nod.AgentChanged, AgentID: a.ID, Agent: &idle})
		}
	}
}

func (h *fakeHub) postTurn(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.mute != nil {
		replyError(w, h.mute)
		return
	}
	var n client.NewMessage
	_ = json.NewDecoder(r.Body).Decode(&n)
	h.said = append(h.said, n)
	m := nod.Message{ID: n.ID, Agent: nod.AgentID(r.PathValue("id")), Text: n.Text, WhenBusy: n.WhenBusy, By: "anna at desk", Via: "terminal", At: h.now, Status: nod.Queued}
	if err := m.Fit(); err != nil {
		replyError(w, err)
		return
	}
	said := m
	h.addLocked(nod.Event{Kind: nod.MessageSaid, AgentID: m.Agent, Message: &said})
	other := m
	other.ID = "m-somebody-else" // whose fate is none of ours
	other.Status = nod.Failed
	h.addLocked(nod.Event{Kind: nod.MessageFailed, AgentID: m.Agent, Message: &other})
	if h.hears != "" {
		ended := m
		ended.Status, ended.Problem = h.hears, "its tmux pane is gone"
		kind := nod.MessageDelivered
		if h.hears == nod.Failed {
			kind = nod.MessageFailed
		}
		h.addLocked(nod.Event{Kind: kind, AgentID: m.Agent, Message: &ended})
	}
	reply(w, 202, m)
}

// leasedRequest can be allowed for a while.
func leasedRequest() *nod.Request {
	r := testRequest()
	r.ID = "ca5e0001"
	r.Options = []nod.Option{{ID: "lease", Kind: nod.OptionLease, Label: "Bash(go test:*)", Rules: []string{"Bash(go test:*)"}}}
	return r
}

func someLeases() []*nod.Lease {
	return []*nod.Lease{
		{ID: "l42", Rules: []string{"Bash(go test:*)", "Bash(go vet:*)"}, Agent: "a-api", Folder: "/home/anna/src/api", Host: "desk",
			Granted: noon.Add(-8 * time.Minute), Until: noon.Add(12 * time.Minute), Limit: 30, Used: 23, By: "anna at desk", Via: "watch"},
		{ID: "l57", Rules: []string{"Edit(src/**)"}, Folder: "/home/anna/src", Host: "nas",
			Granted: noon, Until: noon.Add(time.Hour), Limit: 100, By: "kitchen phone", Via: "webapp"},
	}
}

// automaticRequest was answered by nod itself.
func automaticRequest(via string) *nod.Request {
	r := settledRequest(nod.VerdictAllow)
	r.ID, r.Title, r.Display = "a0700001", "git log --oneline", "git log --oneline"
	r.Decision.By, r.Decision.Via = "read-only: git log", via
	if via == nod.ViaLease {
		r.ID = "a0700002"
		r.Decision.By, r.Decision.Under = "anna at desk", "l42"
	}
	for i := range r.Receipts {
		if r.Receipts[i].Step == nod.StepDecided {
			r.Receipts[i].By, r.Receipts[i].Via = r.Decision.By, via
		}
	}
	return r
}

// stoppingAgents are someAgents after the red button.
func stoppingAgents() []*nod.Agent {
	list := someAgents()
	list[0].Stopping = &nod.Stopping{By: "anna at desk", Via: "terminal", At: noon}
	return list
}
