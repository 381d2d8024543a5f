// Package hook is the process that Claude Code starts for every event. It is
// built to be small and quick: it hands the event to the hub and is gone, or
// waits for a person and then writes the decision. Whatever goes wrong, it says
// nothing and exits with 0, so that Claude Code behaves as if nod were not there.
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

// How long a hook that does not wait may take in all. The hub on this machine
// answers in a fraction of a millisecond; beyond this it hangs, and the agent's
// work is worth more than the record of it.
const (
	localPatience  = 250 * time.Millisecond
	remotePatience = time.Second
)

// maxInput is more than the hub takes, so that the hub can say so.
const maxInput = 17 << 20

// Env is what a hook is given.
type Env struct {
	Stdin   io.Reader
	Stdout  io.Writer
	Getenv  func(string) string
	DataDir string
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
	var head struct {
		Event      string `json:"hook_event_name"`
		Session    string `json:"session_id"`
		Agent      string `json:"agent_id"`
		Error      string `json:"error"`
		Transcript string `json:"transcript_path"`
	}
	if json.Unmarshal(payload, &head) != nil || head.Event == "" {
		return
	}
	door, err := findDoor(env)
	if err != nil {
		return
	}
	if wire.Waits(head.Event) {
		w := &wait{door: door, payload: payload, stdout: env.Stdout, status: statusFile(env.Getenv), session: head.Session}
		switch {
		case head.Agent != "" || env.Getenv("CLAUDE_CODE_ENTRYPOINT") == wire.HeadlessEntry:
			w.dialog = noDialog
		case head.Event == wire.Elicitation:
			w.dialog = dialogAfter
		}
		w.run()
		return
	}
	if head.Event == wire.StopFailure && head.Error == "rate_limit" {
		door.headers[wire.HeaderResets] = resetsAt(head.Transcript)
	}
	ctx, cancel := context.WithTimeout(context.Background(), door.patience)
	defer cancel()
	if order := door.tell(ctx, slim(payload)); len(order) > 0 {
		_, _ = env.Stdout.Write(order)
	}
}

// slimAbove is the size from which an event's bulk is left out: a tool's output
// can be megabytes, and the hub keeps none of it.
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
