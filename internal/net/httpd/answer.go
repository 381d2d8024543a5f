package httpd

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"

	"nod"
)

// Handle turns the error of a handler into a response.
func Handle(log *slog.Logger, h Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kept := &statusWriter{ResponseWriter: w}
		defer recoverPanic(kept, r, log)
		err := h(kept, r)
		switch {
		case err == nil:
		case kept.wrote: // too late for an error response, but the log has it
			log.Warn("request failed after the answer had begun", logAttrs(r, "method", r.Method, "path", r.URL.Path, "err", err)...)
		default:
			writeError(w, r, log, err)
		}
	})
}

// statusWriter records whether a response has begun, and its status.
type statusWriter struct {
	http.ResponseWriter
	wrote  bool
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	w.wrote = true
	if w.status == 0 && status >= http.StatusOK { // 1xx statuses are interim
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *statusWriter) Write(b []byte) (int, error) {
	w.wrote = true
	return w.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// recoverPanic turns a panic into a response: one bad request must not end the hub.
func recoverPanic(w *statusWriter, r *http.Request, log *slog.Logger) {
	p := recover()
	if p == nil || p == http.ErrAbortHandler {
		if p != nil {
			panic(p)
		}
		return
	}
	log.Error("a handler panicked", logAttrs(r, "method", r.Method, "path", r.URL.Path, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))...)
	if w.wrote {
		panic(http.ErrAbortHandler) // the client must notice that the response is incomplete
	}
	writeError(w.ResponseWriter, r, log, nod.Errorf(nod.Internal, "Something went wrong inside nod; its log has the details."))
}
