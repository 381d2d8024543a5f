package ollama

import (
	"encoding/json"
	"net/http"
	"time"
)

// writeTime is how long a client may take to take in one line; after that it is dead.
const writeTime = 30 * time.Second

// lines sends one JSON object a line. The status goes out with the first, so that
// what fails before it is still a proper error.
type lines struct {
	w     http.ResponseWriter
	rc    *http.ResponseController
	begun bool
	gone  bool // nobody reads any more
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
	_ = l.rc.SetWriteDeadline(time.Now().Add(writeTime)) // not every writer can, in tests
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
