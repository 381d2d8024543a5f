package wire

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
)

// Status is the live status of a session, which Claude Code keeps in a small
// file of its own. The file is undocumented: a hint, never the only proof. It shows what
// no hook does: a Yes in the terminal while the tool still runs, an Esc, a dialog that
// only the terminal shows.
type Status struct {
	Session string `json:"sessionId"`
	Name    string `json:"name"`
	Version string `json:"version"`
	State   string `json:"status"`     // idle, busy, waiting
	For     string `json:"waitingFor"` // permission prompt, input needed, dialog open
}

// The states in a status file.
const (
	StatusIdle    = "idle"
	StatusBusy    = "busy"
	StatusWaiting = "waiting"
)

// statusShell is the state of an idle session while one of its commands runs in the
// background: like any idle one it waits for a prompt.
const statusShell = "shell"

// StatusFile is where a session with this process id keeps its status.
func StatusFile(configDir string, pid int) string {
	return filepath.Join(configDir, "sessions", strconv.Itoa(pid)+".json")
}

// ReadStatus reads a status file; ok is false when there is none, or when it
// cannot be read just now, as while it is being replaced.
func ReadStatus(file string) (s Status, ok bool) {
	b, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(b, &s) != nil {
		return Status{}, false
	}
	if s.State == statusShell {
		s.State = StatusIdle
	}
	return s, s.State != ""
}
