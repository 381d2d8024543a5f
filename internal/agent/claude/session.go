package claude

import (
	"bytes"
	"encoding/json"
	"slices"
	"sync"

	"nod"
	"nod/internal/agent/claude/wire"
)

// session remembers the tool calls of one Claude Code session, because a
// PermissionRequest does not say which call it is about; the PreToolUse just before it
// does.
type session struct {
	mu    sync.Mutex
	calls []toolCall // newest last, bounded
}

type toolCall struct {
	id      string
	agent   string // subagent, or empty
	tool    string
	input   []byte // canonical
	claimed bool   // a request is about it
}

// rememberedCalls is plenty: a request follows its call within a second.
const rememberedCalls = 128

func (d *Driver) session(id nod.AgentID) *session {
	d.mu.Lock()
	defer d.mu.Unlock()
	s, ok := d.sessions[id]
	if !ok {
		s = &session{}
		d.sessions[id] = s
	}
	return s
}

func (d *Driver) forget(id nod.AgentID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.sessions, id)
}

// remember notes a call that is about to be made.
func (s *session) remember(p wire.Payload) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, toolCall{id: p.Call, agent: p.AgentID, tool: p.Tool, input: canonical(p.Input)})
	if len(s.calls) > rememberedCalls {
		s.calls = slices.Delete(s.calls, 0, len(s.calls)-rememberedCalls)
	}
}

// claim finds the call that a request is about: the newest of the same agent,
// tool and input that no other request is about. Its id may be unknown ("")
// when the hub was not running a moment ago.
func (s *session) claim(p wire.Payload) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	input := canonical(p.Input)
	for i := len(s.calls) - 1; i >= 0; i-- {
		c := &s.calls[i]
		if !c.claimed && c.agent == p.AgentID && c.tool == p.Tool && bytes.Equal(c.input, input) {
			c.claimed = true
			return c.id
		}
	}
	return ""
}

// canonical makes equal inputs equal bytes, whatever their spacing and order.
func canonical(input json.RawMessage) []byte {
	d := json.NewDecoder(bytes.NewReader(input))
	d.UseNumber() // a float would make different numbers equal
	var v any
	if d.Decode(&v) != nil {
		return input
	}
	b, err := json.Marshal(v)
	if err != nil {
		return input
	}
	return b
}
