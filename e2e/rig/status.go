package rig

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// Status is the content of a session's sessions/<pid>.json.
type Status struct {
	SessionID       string `json:"sessionId"`
	Status          string `json:"status"` // idle, busy or waiting; empty while there is no file
	WaitingFor      string `json:"waitingFor"`
	StatusUpdatedAt int64  `json:"statusUpdatedAt"`
}

// Since is when the status last changed.
func (s Status) Since() time.Time { return time.UnixMilli(s.StatusUpdatedAt) }

func (s Status) String() string {
	if s.Status == "" {
		return "none"
	}
	return fmt.Sprintf("%s %s since %s", s.Status, s.WaitingFor, s.Since().Format(time.TimeOnly))
}

func (r *Rig) statusFile(pid int) string {
	return filepath.Join(r.ConfigDir, "sessions", strconv.Itoa(pid)+".json")
}

func (r *Rig) status(pid int) Status {
	raw, err := os.ReadFile(r.statusFile(pid))
	if err != nil {
		return Status{}
	}
	var status Status
	if json.Unmarshal(raw, &status) != nil {
		return Status{} // read during a write; the next read gets it whole
	}
	return status
}

// StatusFile is the path of the session's status file.
func (s *TUI) StatusFile() string { return s.rig.statusFile(s.pid) }

// Status is the session's current status.
func (s *TUI) Status() Status { return s.rig.status(s.pid) }

// WaitStatus waits for idle, busy or waiting.
func (s *TUI) WaitStatus(t testing.TB, status string) Status {
	t.Helper()
	var last Status
	Until(t, "status "+status, func() bool { last = s.Status(); return last.Status == status }, s.evidence)
	return last
}
