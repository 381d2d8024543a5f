package cli

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"nod"
	"nod/internal/client"
)

var noon = time.Date(2026, 10, 5, 12, 1, 3, 0, time.UTC)

// fakeHub speaks the routes that the client uses, on a Unix socket, over a real
// State and a really sealed log.
type fakeHub struct {
	t      *testing.T
	socket string
	server *httptest.Server

	mu      sync.Mutex
	state   nod.State
	events  []nod.Event
	base    nod.Checkpoint // what stands in the place of older ones
	wake    chan struct{}
	now     time.Time
	shown   []nod.RequestID
	answers []nod.Answer
	tokens  []*client.Token

	afterDecide []nod.Step // receipts that come by themselves after a decision
	hangUp      bool       // end a stream when it has nothing more to say
	refuse      *nod.Error // every route fails like this
	beforeServe func(r *http.Request)

	granted  []client.NewLease
	said     []client.NewMessage
	mute     *nod.Error        // there is no way to any agent
	hears    nod.MessageStatus // what becomes of a message by itself; empty: nothing yet
	obedient []nod.AgentID     // who stops when told to
	obeyAt   string            // before which route they do; empty: when somebody follows the log
}

func newFakeHub(t *testing.T) *fakeHub {
	t.Helper()
	dir, err := os.MkdirTemp("", "nod") // t.TempDir is too long for a socket's path
	if err != nil {
		t.Fatal(err)
	}
	h := &fakeHub{
		t: t, socket: filepath.Join(dir, "s"), state: nod.NewState(), wake: make(chan struct{}), now: noon,
		afterDecide: []nod.Step{nod.StepDelivered, nod.StepApplied},
	}
	h.serve()
	t.Cleanup(func() {
		h.stop()
		_ = os.RemoveAll(dir)
	})
	h.add(nod.Event{Kind: nod.HubStarted, Note: "0.1.0"})
	return h
}

func (h *fakeHub) serve() {
	l, err := net.Listen("unix", h.socket)
	if err != nil {
		h.t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/state", h.getState)
	mux.HandleFunc("GET /v1/events", h.getEvents)
	mux.HandleFunc("GET /v1/log", h.getLog)
	mux.HandleFunc("GET /v1/agents", h.getAgents)
	mux.HandleFunc("GET /v1/requests", h.getRequests)
	mux.HandleFunc("GET /v1/requests/{id}", h.getRequest)
	mux.HandleFunc("POST /v1/requests/{id}/decision", h.postDecision)
	mux.HandleFunc("POST /v1/requests/{id}/shown", h.postShown)
	mux.HandleFunc("GET /v1/tokens", h.getTokens)
	mux.HandleFunc("POST /v1/tokens", h.postToken)
	mux.HandleFunc("DELETE /v1/tokens/{id}", h.deleteToken)
	mux.HandleFunc("POST /v1/pairings", h.postPairing)
	mux.HandleFunc("GET /health", h.getHealth)
	h.leaseRoutes(mux)
	h.server = &httptest.Server{Listener: l, Config: &http.Server{Handler: h.gate(mux)}}
	h.server.Start()
}

func (h *fakeHub) stop() {
	h.server.CloseClientConnections()
	h.server.Close()
}

func (h *fakeHub) gate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h.beforeServe != nil {
			h.beforeServe(r)
		}
		if h.refuse != nil {
			fail := client.Failure{}
			fail.Error.Code, fail.Error.Message = h.refuse.Code, h.refuse.Message
			reply(w, 400, fail)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// add seals an event into the log.
func (h *fakeHub) add(e nod.Event) nod.Event {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.addLocked(e)
}

func (h *fakeHub) addLocked(e nod.Event) nod.Event {
	e.Seq, e.At = h.state.Seq+1, h.now
	if err := e.Seal(h.state.Hash); err != nil {
		h.t.Error(err)
	}
	h.state.Apply(&e)
	h.events = append(h.events, e)
	close(h.wake)
	h.wake = make(chan struct{})
	return e
}

func (h *fakeHub) agent(a *nod.Agent) {
	h.add(nod.Event{Kind: nod.AgentChanged, AgentID: a.ID, Agent: a})
}

func (h *fakeHub) raise(r *nod.Request) {
	r.Status = nod.Pending
	h.add(nod.Event{Kind: nod.RequestRaised, RequestID: r.ID, AgentID: r.Agent.ID, Request: r})
}

func (h *fakeHub) prove(id nod.RequestID, step nod.Step) {
	h.add(nod.Event{Kind: nod.RequestReceipt, RequestID: id, Receipt: &nod.Receipt{Step: step, By: "hook", At: h.now}})
}

// decide is somebody else being first.
func (h *fakeHub) decide(id nod.RequestID, v nod.Verdict, by, via string) {
	h.add(nod.Event{Kind: nod.RequestDecided, RequestID: id, Decision: &nod.Decision{Answer: nod.Answer{Verdict: v}, By: by, Via: via, At: h.now}})
}

func (h *fakeHub) withdraw(id nod.RequestID, w nod.Withdrawal) {
	w.At = h.now
	h.add(nod.Event{Kind: nod.RequestWithdrawn, RequestID: id, Withdrawal: &w})
}

func (h *fakeHub) getState(w http.ResponseWriter, _ *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	reply(w, 200, h.state.Snapshot())
}

func (h *fakeHub) getAgents(w http.ResponseWriter, _ *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	reply(w, 200, map[string]any{"agents": h.state.Snapshot().Agents})
}

func (h *fakeHub) getRequests(w http.ResponseWriter, _ *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var list []*nod.Request
	for _, r := range h.state.Requests {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b *nod.Request) int { return b.AskedAt.Compare(a.AskedAt) })
	reply(w, 200, map[string]any{"requests": list})
}

// lookup finds by prefix; more than one is nil and true.
func (h *fakeHub) lookup(id string) (found *nod.Request, several bool) {
	for key, r := range h.state.Requests {
		if strings.HasPrefix(string(key), id) {
			if found != nil {
				return nil, true
			}
			found = r
		}
	}
	return found, false
}

func (h *fakeHub) getRequest(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	found, several := h.lookup(r.PathValue("id"))
	switch {
	case several:
		replyError(w, nod.Errorf(nod.Invalid, "fits more than one"))
	case found == nil:
		replyError(w, nod.Errorf(nod.NotFound, "there is no request"))
	default:
		reply(w, 200, found)
	}
}

func (h *fakeHub) postDecision(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	id := nod.RequestID(r.PathValue("id"))
	req, ok := h.state.Requests[id]
	if !ok {
		replyError(w, nod.Errorf(nod.NotFound, "there is no request"))
		return
	}
	if req.Settled() {
		replyError(w, &nod.Error{Code: nod.Conflict, Message: "settled already", Winner: req})
		return
	}
	var a nod.Answer
	if err := json.NewDecoder(r.Body).Decode(&a); err != nil {
		replyError(w, nod.Errorf(nod.Invalid, "%v", err))
		return
	}
	h.answers = append(h.answers, a)
	fit, err := req.Fit(a)
	if err != nil {
		replyError(w, err)
		return
	}
	d := &nod.Decision{Answer: fit, By: "anna at desk", Via: r.Header.Get("Nod-Via"), At: h.now}
	h.addLocked(nod.Event{Kind: nod.RequestDecided, RequestID: id, AgentID: req.Agent.ID, Decision: d})
	if fit.Lease != nil {
		o, _ := req.Option(nod.OptionLease, fit.Lease.Option)
		h.grantLocked(fit.Lease.Lease("", req, o.Rules, nod.Actor{Name: d.By, Via: d.Via}, h.now))
	}
	for _, step := range h.afterDecide {
		h.addLocked(nod.Event{Kind: nod.RequestReceipt, RequestID: id, Receipt: &nod.Receipt{Step: step, By: "hook", At: h.now}})
	}
	reply(w, 200, d)
}

func (h *fakeHub) postShown(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.shown = append(h.shown, nod.RequestID(r.PathValue("id")))
	w.WriteHeader(204)
}

func (h *fakeHub) getEvents(w http.ResponseWriter, r *http.Request) {
	after, _ := strconv.ParseUint(r.URL.Query().Get("after"), 10, 64)
	w.Header().Set("Content-Type", "text/event-stream")
	for {
		h.mu.Lock()
		if after > uint64(len(h.events)) {
			h.mu.Unlock()
			fmt.Fprint(w, "event: gap\ndata: {}\n\n")
			return
		}
		events, wake, hangUp := h.events[after:], h.wake, h.hangUp
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

func (h *fakeHub) getLog(w http.ResponseWriter, r *http.Request) {
	after, _ := strconv.Atoi(r.URL.Query().Get("after"))
	limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
	h.mu.Lock()
	defer h.mu.Unlock()
	entries := []client.LogEntry{}
	page := map[string]any{}
	if after == 0 && !h.base.IsZero() {
		page["checkpoint"] = h.base
		after = int(h.base.Seq)
	}
	after -= int(h.base.Seq)
	for _, e := range h.events[min(after, len(h.events)):min(after+limit, len(h.events))] {
		entries = append(entries, client.LogEntry{Hash: e.Hash, Event: e.Body()})
	}
	page["entries"] = entries
	reply(w, 200, page)
}

func (h *fakeHub) getTokens(w http.ResponseWriter, _ *http.Request) {
	reply(w, 200, map[string]any{"tokens": h.tokens})
}

func (h *fakeHub) postToken(w http.ResponseWriter, r *http.Request) {
	var n client.NewToken
	_ = json.NewDecoder(r.Body).Decode(&n)
	t := &client.Token{ID: "k3f9", Name: n.Name, Rights: n.Rights, Room: n.Room, Created: h.now}
	h.tokens = append(h.tokens, t)
	told := *t
	told.Secret = "nod_k3f9_secret"
	reply(w, 200, told)
}

func (h *fakeHub) deleteToken(w http.ResponseWriter, r *http.Request) {
	if r.PathValue("id") != "k3f9" {
		replyError(w, nod.Errorf(nod.NotFound, "no such token"))
		return
	}
	w.WriteHeader(204)
}

func (h *fakeHub) postPairing(w http.ResponseWriter, _ *http.Request) {
	reply(w, 200, client.Pairing{Code: "H4K2-9QXM", Link: "https://desk.local:8742/pair#H4K2-9QXM", Expires: h.now.Add(5 * time.Minute)})
}

func (h *fakeHub) getHealth(w http.ResponseWriter, _ *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	reply(w, 200, client.Health{
		OK: true, Status: "ok", Version: "0.1.0", PID: 4711, Started: h.now.Add(-3 * time.Hour), Now: h.now,
		Head: h.state.Seq, Hash: h.state.Hash.String(), Data: "/home/anna/.local/share/nod", Listen: "127.0.0.1:8742",
		Pending: len(h.state.PendingOf("")), Agents: len(h.state.Agents), Viewers: 1, Claude: "/usr/local/bin/claude",
		You: &nod.Actor{Kind: nod.ActorPerson, Name: "anna at desk", Via: "terminal"}, Rights: nod.RightsOf(nod.View, nod.Answering, nod.Admin),
	})
}

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func replyError(w http.ResponseWriter, err error) {
	f := client.Failure{Request: nod.WinnerOf(err)}
	f.Error.Code, f.Error.Message = nod.CodeOf(err), nod.MessageOf(err)
	reply(w, 409, f)
}
