// Package fakeapi is the far end of the end-to-end tests: a Messages API on loopback whose model gives the replies
// that the test scripted for a prompt. The agent on the near end is always the real one.
package fakeapi

import (
	"net/http"
	"net/http/httptest"
	"sync"
)

// API is one running server. It can serve several Claude Code processes at once.
type API struct {
	server *httptest.Server

	mu       sync.Mutex
	changed  chan struct{} // closed and replaced at every record
	scripts  []*script
	turns    map[turnKey]int // failures already served at this point of a turn
	served   map[string]int  // tool_use id as scripted → how often it was sent
	requests []Request
	results  map[string]Result
}

// Start listens on a free loopback port.
func Start() *API {
	a := &API{
		changed: make(chan struct{}),
		turns:   map[turnKey]int{},
		served:  map[string]int{},
		results: map[string]Result{},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/messages", a.messages)
	mux.HandleFunc("POST /v1/messages/count_tokens", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string]any{"input_tokens": 1000})
	})
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string]any{"data": []any{}, "has_more": false})
	})
	mux.HandleFunc("/api/hello", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string]any{"message": "hello"})
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		writeFailure(w, http.StatusNotFound, "not_found_error", "not part of the fake API")
	})
	a.server = httptest.NewServer(mux)
	return a
}

// URL is the value for ANTHROPIC_BASE_URL.
func (a *API) URL() string { return a.server.URL }

// Close also ends replies that are still being delayed.
func (a *API) Close() {
	a.server.CloseClientConnections()
	a.server.Close()
}

func (a *API) messages(w http.ResponseWriter, r *http.Request) {
	req, err := readRequest(r)
	if err != nil {
		writeFailure(w, http.StatusBadRequest, "invalid_request_error", err.Error())
		return
	}
	step := a.record(req)
	if !step.ready(r.Context()) {
		return // the agent hung up (Esc) before the reply was due
	}
	for name, value := range step.headers {
		w.Header().Set(name, value)
	}
	if step.fails() {
		writeFailure(w, step.status, step.kind, step.text)
		return
	}
	reply := a.reply(req, step)
	if req.stream {
		reply.writeSSE(w)
		return
	}
	writeJSON(w, http.StatusOK, reply.message())
}
