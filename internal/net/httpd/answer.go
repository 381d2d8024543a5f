package httpd

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"

	"nod"
)

// Handle answers the error of a handler.
func Handle(log *slog.Logger, h Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kept := &keptWriter{ResponseWriter: w}
		defer rescue(kept, r, log)
		err := h(kept, r)
		switch {
		case err == nil:
		case kept.wrote: // too late for a proper answer: at least the log has it
			log.Warn("request failed after the answer had begun", about(r, "method", r.Method, "path", r.URL.Path, "err", err)...)
		default:
			fail(w, r, log, err)
		}
	})
}

// keptWriter remembers whether an answer has begun.
type keptWriter struct {
	http.ResponseWriter
	wrote  bool
	status int
}

func (w *keptWriter) WriteHeader(status int) {
	w.wrote = true
	if w.status == 0 && status >= http.StatusOK { // others only announce
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *keptWriter) Write(b []byte) (int, error) {
	w.wrote = true
	return w.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *keptWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// rescue turns a panic into an answer: one bad request must not end the hub.
func rescue(w *keptWriter, r *http.Request, log *slog.Logger) {
	p := recover()
	if p == nil || p == http.ErrAbortHandler {
		if p != nil {
			panic(p)
		}
		return
	}
	log.Error("a handler panicked", about(r, "method", r.Method, "path", r.URL.Path, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))...)
	if w.wrote {
		panic(http.ErrAbortHandler) // the client must not take half an answer for a whole one
	}
	fail(w.ResponseWriter, r, log, nod.Errorf(nod.Internal, "Something went wrong inside nod; its log has the details."))
}
