package hook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"nod/internal/agent/claude/wire"
)

// fakeHub answers hooks on a Unix socket and records what they sent.
type fakeHub struct {
	t      *testing.T
	data   string
	server *httptest.Server
	take   http.HandlerFunc // events and asks

	mu      sync.Mutex
	reports []wire.HookReport
	asks    []string
}

func newFakeHub(t *testing.T, take http.HandlerFunc) *fakeHub {
	t.Helper()
	data, err := os.MkdirTemp("", "nod-hook-") // short: a socket's path is
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(data) })
	h := &fakeHub{t: t, data: data, take: take}
	h.start()
	t.Cleanup(func() { h.server.Close() })
	return h
}

func (h *fakeHub) start() {
	h.t.Helper()
	socket := filepath.Join(h.data, "nod.sock")
	_ = os.Remove(socket)
	l, err := net.Listen("unix", socket)
	if err != nil {
		h.t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+wire.Intake, func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		h.asks = append(h.asks, r.Header.Get(wire.HeaderAsk))
		h.mu.Unlock()
		h.take(w, r)
	})
	mux.HandleFunc("POST "+wire.Intake+"/{id}", func(w http.ResponseWriter, r *http.Request) {
		var report wire.HookReport
		if err := json.NewDecoder(r.Body).Decode(&report); err != nil {
			h.t.Error(err)
		}
		h.mu.Lock()
		h.reports = append(h.reports, report)
		h.mu.Unlock()
	})
	h.server = &httptest.Server{Listener: l, Config: &http.Server{Handler: mux}}
	h.server.Start()
}

// run starts a hook in this process, with a status file if it has one.
func (h *fakeHub) run(payload string, env map[string]string) string {
	var out bytes.Buffer
	Run(Env{Stdin: strings.NewReader(payload), Stdout: &out, DataDir: h.data, Getenv: func(name string) string { return env[name] }})
	return out.String()
}

const (
	permission = `{"hook_event_name":"PermissionRequest","session_id":"s1","tool_name":"Bash","tool_input":{"command":"ls"}}`
	stop       = `{"hook_event_name":"Stop","session_id":"s1"}`
	decision   = `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}`
	interrupt  = `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","interrupt":true}}}`
)

func heartbeat(w http.ResponseWriter, line string) {
	_, _ = io.WriteString(w, line+"\n")
	_ = http.NewResponseController(w).Flush()
}

func TestTheDecisionIsWrittenAndConfirmed(t *testing.T) {
	answer := func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get(wire.HeaderProtocol); got != "2" {
			t.Errorf("the hook says it speaks protocol %q", got)
		}
		heartbeat(w, "")
		heartbeat(w, decision)
	}
	for name, c := range map[string]struct {
		take   http.HandlerFunc
		remote bool
	}{
		"on this machine":             {answer, false},
		"elsewhere":                   {answer, true},
		"a hub of the release before": {hijackAndWaitForTheMark, false},
	} {
		t.Run(name, func(t *testing.T) {
			h := newFakeHub(t, c.take)
			env := map[string]string{}
			if c.remote {
				remote := httptest.NewServer(h.server.Config.Handler)
				defer remote.Close()
				env = map[string]string{"NOD_URL": remote.URL, "NOD_TOKEN": "x"}
			}
			if out := h.run(permission, env); out != decision+"\n" {
				t.Errorf("Claude Code reads %q", out)
			}
			if len(h.reports) != 1 || h.reports[0].Event != wire.Delivered {
				t.Errorf("the hub got the reports %+v", h.reports)
			}
		})
	}
}

// hijackAndWaitForTheMark is how a hub answered hooks of protocol 1 on its own
// machine: chunks written by hand, and then one byte of the hook's.
func hijackAndWaitForTheMark(w http.ResponseWriter, _ *http.Request) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n1\r\n\n\r\n")
	_, _ = fmt.Fprintf(conn, "%x\r\n%s\n\r\n0\r\n\r\n", len(decision)+1, decision)
	_, _ = conn.Read(make([]byte, 1))
}

func TestHookIsSilentOnErrors(t *testing.T) {
	for name, take := range map[string]http.HandlerFunc{
		"the hub steps aside":   func(w http.ResponseWriter, _ *http.Request) { heartbeat(w, "") },
		"nothing to say":        func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
		"it is refused":         func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) },
		"it is too large":       func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusRequestEntityTooLarge) },
		"the hub has a problem": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
	} {
		t.Run(name, func(t *testing.T) {
			h := newFakeHub(t, take)
			if out := h.run(permission, nil); out != "" {
				t.Errorf("it wrote %q", out)
			}
			if len(h.reports) != 0 {
				t.Errorf("it said %+v", h.reports)
			}
		})
	}
	for name, payload := range map[string]string{"no JSON": "{", "nothing": "", "no event": "{}", "a list": "[1]"} {
		h := newFakeHub(t, func(http.ResponseWriter, *http.Request) { t.Errorf("%s reached the hub", name) })
		if out := h.run(payload, nil); out != "" {
			t.Errorf("%s: it wrote %q", name, out)
		}
	}
}

// The hub runs this program itself, and gets its requests directly.
func TestHookIsSilentInTheHubsOwnProgram(t *testing.T) {
	h := newFakeHub(t, func(http.ResponseWriter, *http.Request) { t.Error("the hook spoke to the hub") })
	for _, event := range []string{wire.PermissionRequest, wire.Stop} {
		payload := `{"session_id":"s1","hook_event_name":"` + event + `","tool_name":"Bash","tool_input":{"command":"ls"}}`
		if out := h.run(payload, map[string]string{wire.EnvHeadless: "1"}); out != "" {
			t.Errorf("%s: the hook wrote %q", event, out)
		}
	}
}

func TestWithoutAHub(t *testing.T) {
	h := newFakeHub(t, nil)
	h.server.Close()
	for _, payload := range []string{permission, stop} {
		if out := h.run(payload, nil); out != "" {
			t.Errorf("it wrote %q", out)
		}
	}
	remote := map[string]string{"NOD_URL": "http://127.0.0.1:1", "NOD_TOKEN": "x"}
	if out := h.run(permission, remote); out != "" {
		t.Errorf("it wrote %q", out)
	}
	if _, err := os.Stat(filepath.Join(h.data, "cache", "hub-away")); err != nil {
		t.Errorf("that the remote hub is away was not noted: %v", err)
	}
}

func TestRestartedHubIsAskedWithTheSameID(t *testing.T) {
	var h *fakeHub
	first := true
	h = newFakeHub(t, func(w http.ResponseWriter, _ *http.Request) {
		heartbeat(w, "")
		if first {
			first = false
			panic(http.ErrAbortHandler) // as when the hub is killed
		}
		heartbeat(w, decision)
	})
	if out := h.run(permission, nil); out != decision+"\n" {
		t.Errorf("Claude Code reads %q", out)
	}
	if len(h.asks) != 2 || h.asks[0] != h.asks[1] || len(h.asks[0]) < 16 {
		t.Errorf("it asked %q", h.asks)
	}
}

// sessionFile is Claude Code's own status file for a pid.
func sessionFile(t *testing.T, state string) (env map[string]string, set func(string)) {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sessions"), 0o700); err != nil {
		t.Fatal(err)
	}
	set = func(state string) {
		file := wire.StatusFile(dir, 42)
		if err := os.WriteFile(file+".new", []byte(`{"sessionId":"s1","status":"`+state+`"}`), 0o600); err != nil {
			t.Error(err)
		}
		if err := os.Rename(file+".new", file); err != nil {
			t.Error(err)
		}
	}
	set(state)
	return map[string]string{"CLAUDE_PID": "42", "CLAUDE_CONFIG_DIR": dir}, set
}

func TestAnAnswerInTheTerminalReleasesTheHook(t *testing.T) {
	for state, payload := range map[string]string{
		"busy": permission,
		"idle": `{"hook_event_name":"Elicitation","session_id":"s1","message":"?"}`,
	} {
		env, set := sessionFile(t, map[string]string{"busy": "waiting", "idle": "busy"}[state])
		h := newFakeHub(t, func(w http.ResponseWriter, r *http.Request) {
			heartbeat(w, "")
			go func() { <-r.Context().Done() }()
			tick := 0
			for r.Context().Err() == nil { // long enough that the hook has seen the first state
				heartbeat(w, "")
				if tick++; tick == 1 {
					go func() { waitPolls(); set(state) }()
				}
				waitPolls()
			}
		})
		if out := h.run(payload, env); out != "" {
			t.Errorf("it wrote %q", out)
		}
		if len(h.reports) != 1 || h.reports[0] != (wire.HookReport{Event: wire.Closed, Status: state}) {
			t.Errorf("%s: the hub heard %+v", state, h.reports)
		}
	}
}

func TestALateStopIsNotWritten(t *testing.T) {
	env, set := sessionFile(t, "waiting")
	h := newFakeHub(t, func(w http.ResponseWriter, _ *http.Request) {
		heartbeat(w, "")
		waitPolls()
		waitPolls()
		set("busy") // the terminal said yes, just before
		heartbeat(w, interrupt)
	})
	if out := h.run(permission, env); out != "" {
		t.Errorf("it wrote %q", out)
	}
	if len(h.reports) != 1 || h.reports[0].Event != wire.Closed {
		t.Errorf("the hub heard %+v", h.reports)
	}
}

func TestAnEarlyStopIsWritten(t *testing.T) {
	env, _ := sessionFile(t, "busy") // the dialog has not opened yet
	h := newFakeHub(t, func(w http.ResponseWriter, _ *http.Request) { heartbeat(w, interrupt) })
	if out := h.run(permission, env); out != interrupt+"\n" {
		t.Errorf("it wrote %q", out)
	}
}

func TestSlimKeepsTheImportantFields(t *testing.T) {
	big := strings.Repeat("x", 200<<10)
	got := slim([]byte(`{"hook_event_name":"PostToolUse","session_id":"s1","tool_use_id":"t1","tool_input":{"a":1},"tool_response":"` + big + `"}`))
	if len(got) > 1000 || !bytes.Contains(got, []byte(`"tool_use_id":"t1"`)) || !bytes.Contains(got, []byte(`"tool_input":{"a":1}`)) {
		t.Errorf("%d bytes: %.200s", len(got), got)
	}
	got = slim([]byte(`{"hook_event_name":"PostToolBatch","tool_calls":[{"tool_use_id":"t1","tool_response":"` + big + `"},{"tool_use_id":"t2","tool_response":"no"}]}`))
	if len(got) > 1000 || !bytes.Contains(got, []byte(`"tool_response":"no"`)) {
		t.Errorf("%d bytes: %.200s", len(got), got)
	}
	small := []byte(`{"tool_response":"kept as it is"}`)
	if !bytes.Equal(slim(small), small) {
		t.Error("a small payload was touched")
	}
}

func TestResetsAt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "t.jsonl")
	text := strings.Repeat(`{"type":"user"}`+"\n", 10_000) + `{"resetsAt":1,"x":{"resetsAt":1794721610}}` + "\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := resetsAt(file); got != "1794721610" {
		t.Errorf("%q", got)
	}
	if got := resetsAt(file + ".none"); got != "" {
		t.Errorf("%q", got)
	}
}

func FuzzSlim(f *testing.F) {
	f.Add([]byte(`{"tool_calls":[{"tool_response":1}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		padded := append(b, bytes.Repeat([]byte(" "), slimAbove)...)
		if out := slim(padded); json.Valid(padded) && !json.Valid(out) {
			t.Fatalf("%q became %q", b, out)
		}
	})
}
