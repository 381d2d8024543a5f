package ollama

import (
	"encoding/json"
	"net/http"
	"time"
)

// writeTime is how long a client may take to receive one line before it counts as dead.
const writeTime = 30 * time.Second

// lines sends one JSON object per line. The status is sent with the first, so that a
// failure before it is a proper error.
type lines struct {
	w     http.ResponseWriter
	rc    *http.ResponseController
	begun bool
	gone  bool // the client has gone
}

func newLines(w http.ResponseWriter) *lines {
	return &lines{w: w, rc: http.NewResponseController(w)}
}

func (l *lines) send(v any) {
	if l.gone {
		return
	}
	if !l.begun {
		l.begun = true
		l.w.Header().Set("Content-Type", "application/x-ndjson")
		l.w.Header().Set("X-Accel-Buffering", "no") // nginx would hold lines back
		l.w.WriteHeader(http.StatusOK)
	}
	_ = l.rc.SetWriteDeadline(time.Now().Add(writeTime)) // not every writer of a test can
	line, err := json.Marshal(v)
	if err == nil {
		_, err = l.w.Write(append(line, '\n'))
	}
	if err == nil {
		err = l.rc.Flush()
	}
	l.gone = err != nil
}

// end lets the connection be used again.
func (l *lines) end() {
	if !l.gone {
		_ = l.rc.SetWriteDeadline(time.Time{})
	}
}
