package rig

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Stdio is Claude Code as SDKs start it: warm, one JSON object per line each way.
type Stdio struct {
	rig   *Rig
	pid   int
	stdin io.WriteCloser
	done  chan struct{}

	mu       sync.Mutex
	messages []Message
	taken    int // messages that Wait has already seen
	stderr   bytes.Buffer
}

// Message is one line that Claude Code wrote.
type Message struct {
	Type      string `json:"type"`
	Subtype   string `json:"subtype"`
	RequestID string `json:"request_id"`
	Request   struct {
		Subtype   string          `json:"subtype"`
		ToolName  string          `json:"tool_name"`
		ToolUseID string          `json:"tool_use_id"`
		Input     json.RawMessage `json:"input"`
	} `json:"request"`
	Response struct {
		Subtype   string          `json:"subtype"`
		RequestID string          `json:"request_id"`
		Error     string          `json:"error"`
		Response  json.RawMessage `json:"response"`
	} `json:"response"`
	Raw json.RawMessage `json:"-"`
}

// StartStdio starts a session over pipes and returns when it has answered `initialize`. Permission
// prompts come as can_use_tool requests.
func (r *Rig) StartStdio(t testing.TB, args ...string) *Stdio {
	t.Helper()
	cmd := r.command(slices.Concat([]string{"--output-format", "stream-json", "--verbose",
		"--input-format", "stream-json", "--permission-prompt-tool=stdio"}, args)...)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, lines := io.Pipe()
	s := &Stdio{rig: r, stdin: stdin, done: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = lines, lockedWriter{s}
	start(t, cmd, s.done)
	s.pid = cmd.Process.Pid
	go s.read(stdout)
	go func() { <-s.done; lines.Close() }()
	s.Control(t, "initialize", nil)
	return s
}

// lockedWriter lets a failing wait read stderr while Claude Code still writes to it.
type lockedWriter struct{ s *Stdio }

func (w lockedWriter) Write(p []byte) (int, error) {
	w.s.mu.Lock()
	defer w.s.mu.Unlock()
	return w.s.stderr.Write(p)
}

func (s *Stdio) read(stdout io.Reader) {
	lines := bufio.NewReader(stdout)
	for {
		line, err := lines.ReadBytes('\n')
		var m Message
		if json.Unmarshal(line, &m) == nil {
			m.Raw = line
			s.mu.Lock()
			s.messages = append(s.messages, m)
			s.mu.Unlock()
		}
		if err != nil {
			return
		}
	}
}

// PID is the process id of Claude Code itself.
func (s *Stdio) PID() int { return s.pid }

// Status is the session's status file.
func (s *Stdio) Status() Status { return s.rig.status(s.pid) }

// Send writes one line.
func (s *Stdio) Send(t testing.TB, v any) {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.stdin.Write(append(raw, '\n')); err != nil {
		t.Fatalf("write to Claude Code: %v\n%s", err, s.evidence())
	}
}

// Prompt sends a user message.
func (s *Stdio) Prompt(t testing.TB, text string) {
	t.Helper()
	s.Send(t, map[string]any{
		"type": "user", "message": map[string]any{"role": "user", "content": text},
		"parent_tool_use_id": nil, "session_id": "", "origin": map[string]any{"kind": "human"},
	})
}

// Control sends a control request, e.g. "interrupt", and returns the reply.
func (s *Stdio) Control(t testing.TB, subtype string, fields map[string]any) Message {
	t.Helper()
	id := rand.Text()
	request := map[string]any{"subtype": subtype}
	for name, value := range fields {
		request[name] = value
	}
	s.Send(t, map[string]any{"type": "control_request", "request_id": id, "request": request})
	reply := s.Wait(t, "the reply to "+subtype, func(m Message) bool {
		return m.Type == "control_response" && m.Response.RequestID == id
	})
	if reply.Response.Subtype != "success" {
		t.Fatalf("%s was refused: %s", subtype, reply.Response.Error)
	}
	return reply
}

// Reply answers a request from Claude Code, e.g. can_use_tool with {"behavior":"allow","updatedInput":{…}}.
func (s *Stdio) Reply(t testing.TB, to Message, response any) {
	t.Helper()
	s.Send(t, map[string]any{"type": "control_response", "response": map[string]any{
		"subtype": "success", "request_id": to.RequestID, "response": response,
	}})
}

// WaitAsk waits for the next can_use_tool.
func (s *Stdio) WaitAsk(t testing.TB) Message {
	t.Helper()
	return s.Wait(t, "can_use_tool", func(m Message) bool {
		return m.Type == "control_request" && m.Request.Subtype == "can_use_tool"
	})
}

// WaitResult waits for the end of the turn.
func (s *Stdio) WaitResult(t testing.TB) Message {
	t.Helper()
	return s.Wait(t, "result", func(m Message) bool { return m.Type == "result" })
}

// Wait takes messages in order until one is wanted; skipped ones are not seen again.
func (s *Stdio) Wait(t testing.TB, what string, wanted func(Message) bool) Message {
	t.Helper()
	var found Message
	Until(t, what, func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		for s.taken < len(s.messages) {
			m := s.messages[s.taken]
			s.taken++
			if wanted(m) {
				found = m
				return true
			}
		}
		return false
	}, s.evidence)
	return found
}

// All is every message so far, including those that a wait has skipped.
func (s *Stdio) All() []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.messages)
}

// Kill ends the session and waits until it is gone.
func (s *Stdio) Kill() {
	end(s.pid)
	<-s.done
}

func (s *Stdio) evidence() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var seen strings.Builder
	for _, m := range s.messages[max(0, len(s.messages)-8):] {
		seen.Write(m.Raw[:min(len(m.Raw), 400)])
		seen.WriteByte('\n')
	}
	return "last messages:\n" + seen.String() + "stderr:\n" + s.stderr.String()
}
