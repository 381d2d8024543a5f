package openai

import (
	"encoding/json"
	"net/http"
	"time"
)

const (
	// writeTime is how long a client may take to receive one event before it counts as dead.
	writeTime = 30 * time.Second
	// heartbeat keeps a connection open while the assistant thinks.
	heartbeat = 15 * time.Second
)

// stream sends events without names, as this wire has them. The status is sent with the
// first, so that a failure before it is a proper error.
type stream struct {
	w     http.ResponseWriter
	rc    *http.ResponseController
	begun bool
	gone  bool // the client has gone
}

func newStream(w http.ResponseWriter) *stream {
	return &stream{w: w, rc: http.NewResponseController(w)}
}

func (s *stream) send(v any) {
	if body, err := json.Marshal(v); err == nil {
		s.write("data: " + string(body) + "\n\n")
	}
}

// beat sends a comment, which clients skip.
func (s *stream) beat() { s.write(": still here\n\n") }

// end is the last event, which is no JSON.
func (s *stream) end() {
	s.write("data: [DONE]\n\n")
	if !s.gone {
		_ = s.rc.SetWriteDeadline(time.Time{})
	}
}

func (s *stream) write(text string) {
	if s.gone {
		return
	}
	if !s.begun {
		s.begun = true
		s.w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		s.w.Header().Set("X-Accel-Buffering", "no") // nginx would hold events back
		s.w.WriteHeader(http.StatusOK)
	}
	_ = s.rc.SetWriteDeadline(time.Now().Add(writeTime)) // not every writer of a test can
	_, err := s.w.Write([]byte(text))
	if err == nil {
		err = s.rc.Flush()
	}
	s.gone = err != nil
}
