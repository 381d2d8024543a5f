// Package hook is the program that Claude Code starts at every event. It sends
// the event to the hub and ends, or waits for a person and then writes their
// decision. Whatever goes wrong, it writes nothing and exits with 0, so that
// Claude Code behaves as if nod were not there.
//
// It is linked into two programs: nod-hook, which is nothing else, starts in half
// the time and waits in a quarter of the memory; and `nod hook`, for settings
// files that still name it and for machines that have only nod.
package hook

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"nod/internal/agent/claude/wire"
)

// How long an event without an answer may take. The hub on this machine
// answers in a fraction of a millisecond; if it takes longer than this it hangs,
// and the agent's work is worth more than the record of it.
const (
	localTimeout  = 250 * time.Millisecond
	remoteTimeout = time.Second
)

// maxInput is more than the hub takes, so that the hub can refuse it.
const maxInput = 17 << 20

// Env is what a hook is given.
type Env struct {
	Stdin   io.Reader
	Stdout  io.Writer
	Getenv  func(string) string
	DataDir string
}

// event is what the hook itself reads of its input.
type event struct {
	Name       string `json:"hook_event_name"`
	Session    string `json:"session_id"`
	Subagent   string `json:"agent_id"`
	Error      string `json:"error"`
	Transcript string `json:"transcript_path"`
}

// Run handles one event.
func Run(env Env) {
	if env.Getenv(wire.EnvHeadless) != "" {
		return
	}
	payload, err := io.ReadAll(io.LimitReader(env.Stdin, maxInput))
	if err != nil {
		return
	}
	var e event
	if json.Unmarshal(payload, &e) != nil || e.Name == "" {
		return
	}
	hub, err := findHub(env)
	if err != nil {
		return
	}
	if wire.Waits(e.Name) {
		newWait(env, hub, e, payload).run()
		return
	}
	if e.Name == wire.StopFailure && e.Error == "rate_limit" {
		hub.headers[wire.HeaderResets] = resetsAt(e.Transcript)
	}
	ctx, cancel := context.WithTimeout(context.Background(), hub.timeout)
	defer cancel()
	if order := hub.send(ctx, slim(payload)); len(order) > 0 {
		_, _ = env.Stdout.Write(order)
	}
}

// slimAbove is the size from which an event loses its bulk: a tool's output can
// be megabytes, and the hub keeps none of it.
const slimAbove = 64 << 10

func slim(payload []byte) []byte {
	if len(payload) <= slimAbove {
		return payload
	}
	fields := map[string]json.RawMessage{}
	if json.Unmarshal(payload, &fields) != nil {
		return payload
	}
	if len(fields["tool_response"]) > 4<<10 {
		delete(fields, "tool_response")
	}
	var calls []map[string]json.RawMessage
	if json.Unmarshal(fields["tool_calls"], &calls) == nil {
		for _, c := range calls {
			if len(c["tool_response"]) > 4<<10 {
				delete(c, "tool_response")
			}
		}
		fields["tool_calls"], _ = json.Marshal(calls)
	}
	small, err := json.Marshal(fields)
	if err != nil {
		return payload
	}
	return small
}

// statusFile is where the session that started this hook keeps its status.
func statusFile(getenv func(string) string) string {
	pid, err := strconv.Atoi(getenv("CLAUDE_PID"))
	if err != nil {
		return ""
	}
	dir := getenv("CLAUDE_CONFIG_DIR")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(home, ".claude")
	}
	return wire.StatusFile(dir, pid)
}
