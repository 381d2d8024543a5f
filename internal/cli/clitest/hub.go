// Package clitest has what the tests of the commands share: a fake hub, requests,
// agents and leases, and golden files.
package clitest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	v1 "nod/internal/client/v1"

	"nod"
)

// Hub serves the routes that the client uses on a Unix socket, from a real State
// and a real hash-chained log.
type Hub struct {
	T      *testing.T
	Socket string
	Server *httptest.Server

	mu      sync.Mutex
	State   nod.State
	Events  []nod.Event
	Base    nod.Checkpoint // replaces older events
	wake    chan struct{}
	Now     time.Time
	Shown   []nod.RequestID
	Answers []nod.Answer
	Tokens  []v1.Token

	AfterDecide []nod.Step // receipts that follow a decision
	HangUp      bool       // end a stream after the last event
	Refuse      *nod.Error // the error of every route
	BeforeServe func(r *http.Request)

	Granted       []v1.NewLease
	Said          []v1.NewMessage
	SayError      *nod.Error        // the error of every message
	MessageEnds   nod.MessageStatus // the status that messages get; empty: none yet
	StopsWhenTold []nod.AgentID     // agents that stop when told to
	StopsBefore   string            // the route before which they do; empty: /v1/events
}

func NewHub(t *testing.T) *Hub {
	t.Helper()
	dir, err := os.MkdirTemp("", "nod") // t.TempDir is too long for a socket's path
	if err != nil {
		t.Fatal(err)
	}
	h := &Hub{
		T: t, Socket: filepath.Join(dir, "s"), State: nod.NewState(), wake: make(chan struct{}), Now: Noon,
		AfterDecide: []nod.Step{nod.StepDelivered, nod.StepApplied},
	}
	h.Serve()
	t.Cleanup(func() {
		h.Stop()
		_ = os.RemoveAll(dir)
	})
	h.Add(nod.Event{Kind: nod.HubStarted, Note: "0.1.0"})
	return h
}

func (h *Hub) Serve() {
	l, err := net.Listen("unix", h.Socket)
	if err != nil {
		h.T.Fatal(err)
	}
	mux := http.NewServeMux()
	for pattern, handle := range h.routes() {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			h.mu.Lock()
			defer h.mu.Unlock()
			handle(w, r)
		})
	}
	mux.HandleFunc("GET /v1/events", h.getEvents)
	h.Server = &httptest.Server{Listener: l, Config: &http.Server{Handler: h.gate(mux)}}
	h.Server.Start()
}

// routes are all routes but the stream of events; the hub is locked meanwhile.
func (h *Hub) routes() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"GET /health":                     h.getHealth,
		"GET /v1/state":                   func(w http.ResponseWriter, _ *http.Request) { reply(w, 200, h.State.Snapshot()) },
		"GET /v1/log":                     h.getLog,
		"GET /v1/agents":                  h.list("agents", func() any { return h.State.Snapshot().Agents }),
		"GET /v1/leases":                  h.list("leases", func() any { return h.State.LiveLeases() }),
		"GET /v1/tokens":                  h.list("tokens", func() any { return h.Tokens }),
		"GET /v1/requests":                h.list("requests", h.newestRequests),
		"GET /v1/requests/{id}":           h.getRequest,
		"POST /v1/requests/{id}/decision": h.postDecision,
		"POST /v1/requests/{id}/shown": func(w http.ResponseWriter, r *http.Request) {
			h.Shown = append(h.Shown, nod.RequestID(r.PathValue("id")))
			w.WriteHeader(204)
		},
		"POST /v1/tokens": func(w http.ResponseWriter, r *http.Request) {
			var n v1.NewToken
			_ = json.NewDecoder(r.Body).Decode(&n)
			t := v1.Token{ID: "k3f9", Name: n.Name, Rights: n.Rights, Room: n.Room, Created: h.Now}
			h.Tokens = append(h.Tokens, t)
			reply(w, 200, v1.FreshToken{Token: t, Secret: "nod_k3f9_secret"})
		},
		"DELETE /v1/tokens/{id}": func(w http.ResponseWriter, r *http.Request) {
			if r.PathValue("id") != "k3f9" {
				ReplyError(w, nod.Errorf(nod.NotFound, "no such token"))
				return
			}
			w.WriteHeader(204)
		},
		"POST /v1/pairings": func(w http.ResponseWriter, _ *http.Request) {
			reply(w, 200, v1.Pairing{Code: "H4K2-9QXM", Link: "https://desk.local:8742/pair#H4K2-9QXM", Expires: h.Now.Add(5 * time.Minute)})
		},
		"POST /v1/leases":                h.postLease,
		"DELETE /v1/leases/{id}":         h.deleteLease,
		"POST /v1/stop":                  h.postStop,
		"POST /v1/agents/{id}/interrupt": h.postStop,
		"POST /v1/agents/{id}/turns":     h.postTurn,
	}
}

// list replies with a list under its name.
func (h *Hub) list(name string, get func() any) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { reply(w, 200, map[string]any{name: get()}) }
}

func (h *Hub) newestRequests() any {
	return slices.SortedFunc(maps.Values(h.State.Requests), func(a, b *nod.Request) int { return b.AskedAt.Compare(a.AskedAt) })
}

func (h *Hub) Stop() {
	h.Server.CloseClientConnections()
	h.Server.Close()
}

func (h *Hub) gate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h.BeforeServe != nil {
			h.BeforeServe(r)
		}
		if h.Refuse != nil {
			fail := v1.Failure{}
			fail.Error.Code, fail.Error.Message = h.Refuse.Code, h.Refuse.Message
			reply(w, 400, fail)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Add appends an event to the log.
func (h *Hub) Add(e nod.Event) nod.Event {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.addLocked(e)
}

func (h *Hub) addLocked(e nod.Event) nod.Event {
	e.Seq, e.At = h.State.Seq+1, h.Now
	if err := e.Seal(h.State.Hash); err != nil {
		h.T.Error(err)
	}
	h.State.Apply(&e)
	h.Events = append(h.Events, e)
	close(h.wake)
	h.wake = make(chan struct{})
	return e
}

func (h *Hub) Agent(a *nod.Agent) {
	h.Add(nod.Event{Kind: nod.AgentChanged, AgentID: a.ID, Agent: a})
}

func (h *Hub) Raise(r *nod.Request) {
	r.Status = nod.Pending
	h.Add(nod.Event{Kind: nod.RequestRaised, RequestID: r.ID, AgentID: r.Agent.ID, Request: r})
}

func (h *Hub) Prove(id nod.RequestID, step nod.Step) {
	h.Add(nod.Event{Kind: nod.RequestReceipt, RequestID: id, Receipt: &nod.Receipt{Step: step, By: "hook", At: h.Now}})
}

// Decide is an answer from somewhere else.
func (h *Hub) Decide(id nod.RequestID, v nod.Verdict, by, via string) {
	h.Add(nod.Event{Kind: nod.RequestDecided, RequestID: id, Decision: &nod.Decision{Answer: nod.Answer{Verdict: v}, By: by, Via: via, At: h.Now}})
}

func (h *Hub) Withdraw(id nod.RequestID, w nod.Withdrawal) {
	w.At = h.Now
	h.Add(nod.Event{Kind: nod.RequestWithdrawn, RequestID: id, Withdrawal: &w})
}

// lookup finds a request by a prefix of its id.
func (h *Hub) lookup(id string) (found *nod.Request, several bool) {
	for key, r := range h.State.Requests {
		if string(key) == id {
			return r, false
		}
		if nod.ShortFor(id, string(key)) {
			if found != nil {
				return nil, true
			}
			found = r
		}
	}
	return found, false
}

func (h *Hub) getRequest(w http.ResponseWriter, r *http.Request) {
	found, several := h.lookup(r.PathValue("id"))
	switch {
	case several:
		ReplyError(w, nod.Errorf(nod.Invalid, "fits more than one"))
	case found == nil:
		ReplyError(w, nod.Errorf(nod.NotFound, "there is no request"))
	default:
		reply(w, 200, found)
	}
}

func (h *Hub) postDecision(w http.ResponseWriter, r *http.Request) {
	id := nod.RequestID(r.PathValue("id"))
	req, ok := h.State.Requests[id]
	if !ok {
		ReplyError(w, nod.Errorf(nod.NotFound, "there is no request"))
		return
	}
	if req.Settled() {
		ReplyError(w, &nod.Error{Code: nod.Conflict, Message: "settled already", Winner: req})
		return
	}
	var a nod.Answer
	if err := json.NewDecoder(r.Body).Decode(&a); err != nil {
		ReplyError(w, nod.Errorf(nod.Invalid, "%v", err))
		return
	}
	h.Answers = append(h.Answers, a)
	fit, err := req.Fit(a)
	if err != nil {
		ReplyError(w, err)
		return
	}
	d := &nod.Decision{Answer: fit, By: "anna at desk", Via: r.Header.Get("Nod-Via"), At: h.Now}
	h.addLocked(nod.Event{Kind: nod.RequestDecided, RequestID: id, AgentID: req.Agent.ID, Decision: d})
	if fit.Lease != nil {
		o, _ := req.Option(nod.OptionLease, fit.Lease.Option)
		h.grantLocked(fit.Lease.Lease("", req, o.Rules, nod.Actor{Name: d.By, Via: d.Via}, h.Now))
	}
	for _, step := range h.AfterDecide {
		h.addLocked(nod.Event{Kind: nod.RequestReceipt, RequestID: id, Receipt: &nod.Receipt{Step: step, By: "hook", At: h.Now}})
	}
	reply(w, 200, d)
}

func (h *Hub) getEvents(w http.ResponseWriter, r *http.Request) {
	after, _ := strconv.ParseUint(r.URL.Query().Get("after"), 10, 64)
	w.Header().Set("Content-Type", "text/event-stream")
	for {
		h.mu.Lock()
		if after > uint64(len(h.Events)) {
			h.mu.Unlock()
			fmt.Fprint(w, "event: gap\ndata: {}\n\n")
			return
		}
		events, wake, hangUp := h.Events[after:], h.wake, h.HangUp
		h.mu.Unlock()
		for _, e := range events {
			fmt.Fprintf(w, "id: %d\nevent: %s\ndata: %s\n\n", e.Seq, e.Kind, e.Body())
			after = uint64(e.Seq)
		}
		w.(http.Flusher).Flush()
		if hangUp {
			return
		}
		select {
		case <-wake:
		case <-r.Context().Done():
			return
		}
	}
}

func (h *Hub) getLog(w http.ResponseWriter, r *http.Request) {
	after, _ := strconv.Atoi(r.URL.Query().Get("after"))
	limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
	entries := []v1.LogEntry{}
	page := map[string]any{}
	if after == 0 && !h.Base.IsZero() {
		page["checkpoint"] = h.Base
		after = int(h.Base.Seq)
	}
	after -= int(h.Base.Seq)
	for _, e := range h.Events[min(after, len(h.Events)):min(after+limit, len(h.Events))] {
		entries = append(entries, v1.LogEntry{Hash: e.Hash, Event: e.Body()})
	}
	page["entries"] = entries
	reply(w, 200, page)
}

func (h *Hub) getHealth(w http.ResponseWriter, _ *http.Request) {
	reply(w, 200, v1.Health{
		OK: true, Status: "ok", Version: "0.1.0",
		Identity: &v1.Identity{You: &nod.Actor{Kind: nod.ActorPerson, Name: "anna at desk", Via: "terminal"}, Rights: nod.RightsOf(nod.View, nod.Answering, nod.Admin)},
		Details: &v1.Details{
			PID: 4711, Started: h.Now.Add(-3 * time.Hour), Now: h.Now,
			Head: h.State.Seq, Hash: h.State.Hash, Data: "/home/anna/.local/share/nod", Listen: "127.0.0.1:8742",
			Pending: len(h.State.PendingOf("")), Agents: len(h.State.Agents), Viewers: 1, Claude: "/usr/local/bin/claude",
		},
	})
}

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func ReplyError(w http.ResponseWriter, err error) {
	f := v1.Failure{Request: nod.WinnerOf(err)}
	f.Error.Code, f.Error.Message = nod.CodeOf(err), nod.MessageOf(err)
	reply(w, 409, f)
}
