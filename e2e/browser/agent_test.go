package browser

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"nod"
	"nod/e2e/rig"
	"nod/internal/agent/claude/wire"
)

// fields are the input of a hook, or of a tool.
type fields = map[string]any

// agent is a Claude Code session as far as a hub can see one: its hooks.
type agent struct {
	t       testing.TB
	hub     *hub
	session string
	cwd     string
	config  string // Claude Code's folder with its status file; "": it keeps none
	calls   int
	asked   map[nod.RequestID]bool
}

// agent starts a session in a project and gives it something to do.
func (h *hub) agent(project string) *agent {
	h.t.Helper()
	a := &agent{t: h.t, hub: h, session: "session-" + project, cwd: "/home/anna/src/" + project, asked: map[nod.RequestID]bool{}}
	a.tell("SessionStart", fields{"source": "startup", "model": "claude-opus-5-5"})
	a.tell("UserPromptSubmit", fields{"prompt": "Make the tests of " + project + " pass"})
	return a
}

// hook is one run of nod-hook, with what Claude Code would write to it.
func (a *agent) hook(event string, more fields) *exec.Cmd {
	a.t.Helper()
	payload := fields{"hook_event_name": event, "session_id": a.session, "cwd": a.cwd, "permission_mode": "default"}
	maps.Copy(payload, more)
	in, err := json.Marshal(payload)
	if err != nil {
		a.t.Fatal(err)
	}
	cmd := exec.Command(hookBinary)
	cmd.Env, cmd.Stdin = a.hub.env(), bytes.NewReader(in)
	if a.config != "" && wire.Waits(event) {
		// A process of its own is Claude Code: were it this one, the hub would take the
		// test for an agent.
		cmd = exec.Command("/bin/sh", "-c", `trap 'kill -TERM $hook' TERM; CLAUDE_PID=$$ "$0" <&3 3<&- & hook=$!; wait $hook; wait $hook`, hookBinary)
		cmd.Env = append(a.hub.env(), "CLAUDE_CONFIG_DIR="+a.config)
		cmd.ExtraFiles = []*os.File{a.pipe(in)}
	}
	return cmd
}

// pipe is a file that holds a text.
func (a *agent) pipe(text []byte) *os.File {
	a.t.Helper()
	file := filepath.Join(a.config, fmt.Sprint("input-", a.calls))
	if err := os.WriteFile(file, text, 0o600); err != nil {
		a.t.Fatal(err)
	}
	f, err := os.Open(file)
	if err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(func() { _ = f.Close() })
	return f
}

// tell is a hook that does not wait. One that a busy machine makes slow gives up
// after 250 ms rather than hold up its agent, so it is told once more.
func (a *agent) tell(event string, more fields) {
	a.t.Helper()
	for range 5 {
		begun := time.Now()
		if out, err := a.hook(event, more).CombinedOutput(); err != nil {
			a.t.Fatalf("%s: %v\n%s", event, err, out)
		}
		if time.Since(begun) < 250*time.Millisecond {
			return
		}
	}
}

// asking is a hook that waits for a person.
type asking struct {
	agent *agent
	tool  string
	input fields
	call  string
	cmd   *exec.Cmd
	out   *record
	ended chan struct{}
	id    nod.RequestID
}

// ask makes a tool call that needs a permission, and returns when the hub has it.
func (a *agent) ask(tool string, input fields, suggestions ...fields) *asking {
	a.t.Helper()
	q := a.call(tool, input, suggestions...)
	q.find()
	return q
}

// call is ask without waiting for the hub: a rule or a lease may be quicker.
func (a *agent) call(tool string, input fields, suggestions ...fields) *asking {
	a.t.Helper()
	a.calls++
	id := fmt.Sprintf("toolu_%s_%d", a.session, a.calls)
	a.tell("PreToolUse", fields{"tool_name": tool, "tool_input": input, "tool_use_id": id})
	payload := fields{"tool_name": tool, "tool_input": input}
	if len(suggestions) > 0 {
		payload["permission_suggestions"] = suggestions
	}
	q := a.park("PermissionRequest", payload)
	q.tool, q.input, q.call = tool, input, id
	return q
}

// bash is the most common question.
func (a *agent) bash(command string) *asking {
	a.t.Helper()
	return a.ask("Bash", fields{"command": command}, rule("Bash", command, "localSettings"))
}

// elicit is an MCP server's form.
func (a *agent) elicit(server, message string, schema fields) *asking {
	a.t.Helper()
	q := a.park("Elicitation", fields{"mcp_server_name": server, "message": message, "mode": "form", "requested_schema": schema})
	q.find()
	return q
}

func (a *agent) park(event string, payload fields) *asking {
	a.t.Helper()
	q := &asking{agent: a, cmd: a.hook(event, payload), out: &record{}, ended: make(chan struct{})}
	q.cmd.Stdout = q.out
	if err := q.cmd.Start(); err != nil {
		a.t.Fatal(err)
	}
	go func() { _ = q.cmd.Wait(); close(q.ended) }()
	a.t.Cleanup(func() { _ = q.cmd.Process.Kill(); <-q.ended })
	return q
}

// rule is a suggestion of Claude Code: what "always" would mean.
func rule(tool, content, destination string) fields {
	return fields{"type": "addRules", "behavior": "allow", "destination": destination,
		"rules": []fields{{"toolName": tool, "ruleContent": content}}}
}

func (q *asking) find() {
	q.agent.t.Helper()
	rig.Until(q.agent.t, "a request of "+q.agent.session, func() bool {
		for _, r := range q.agent.hub.waiting() {
			if string(r.Agent.ID) == q.agent.session && !q.agent.asked[r.ID] {
				q.id = r.ID
				q.agent.asked[r.ID] = true
				return true
			}
		}
		return false
	}, func() string { return "the hook printed " + q.out.String() })
}

// hookAnswer is what Claude Code reads of a hook.
type hookAnswer struct {
	Event    string `json:"hookEventName"`
	Decision struct {
		Behavior    string   `json:"behavior"`
		Input       fields   `json:"updatedInput"`
		Permissions []fields `json:"updatedPermissions"`
		Message     string   `json:"message"`
		Interrupt   bool     `json:"interrupt"`
	} `json:"decision"`
	Action  string `json:"action"`
	Content fields `json:"content"`
}

// answer is what the hook printed when it ended.
func (q *asking) answer() hookAnswer {
	q.agent.t.Helper()
	text := q.printed()
	var out struct {
		Specific hookAnswer `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		q.agent.t.Fatalf("the hook printed %q: %v", text, err)
	}
	return out.Specific
}

// printed waits for the end of the hook.
func (q *asking) printed() string {
	q.agent.t.Helper()
	rig.Until(q.agent.t, "the end of a hook", q.over, func() string { return describe(q.agent.hub.waiting()) })
	return q.out.String()
}

func (q *asking) over() bool {
	select {
	case <-q.ended:
		return true
	default:
		return false
	}
}

// allowed is the answer of a hook that must say allow.
func (q *asking) allowed() hookAnswer {
	q.agent.t.Helper()
	got := q.answer()
	if got.Decision.Behavior != "allow" {
		q.agent.t.Fatalf("the hook printed %s", q.out)
	}
	return got
}

// runs is what Claude Code does after a yes: the tool runs, and its hook reports it.
func (q *asking) runs() {
	q.agent.t.Helper()
	input := q.input
	if got := q.allowed().Decision.Input; got != nil {
		input = got
	}
	q.agent.tell("PostToolUse", fields{"tool_name": q.tool, "tool_input": input, "tool_use_id": q.call, "tool_response": "ok"})
}

// refused is what it does after a no with words.
func (q *asking) refused() {
	q.agent.t.Helper()
	q.agent.tell("PostToolBatch", fields{"tool_calls": []fields{{"tool_name": q.tool, "tool_input": q.input, "tool_use_id": q.call, "tool_response": q.answer().Decision.Message}}})
}

// status is what the session's own status file says from now on.
func (q *asking) status(state string) {
	q.agent.t.Helper()
	file := wire.StatusFile(q.agent.config, q.cmd.Process.Pid)
	text := fmt.Sprintf(`{"sessionId":%q,"status":%q}`, q.agent.session, state)
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file+".new", []byte(text), 0o600), os.Rename(file+".new", file)); err != nil {
		q.agent.t.Fatal(err)
	}
}

// interrupt is what Esc in Claude Code's own dialog does to the hook.
func (q *asking) interrupt() {
	q.agent.t.Helper()
	if err := q.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		q.agent.t.Fatal(err)
	}
}

func describe(v any) string {
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err.Error()
	}
	return string(b)
}
