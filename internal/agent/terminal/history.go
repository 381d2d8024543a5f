package terminal

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"nod"
)

// recentEvents is how much of the log is read first: what was typed just before a
// restart is near its end.
const recentEvents = 4000

// confirmedInLog finds messages that were typed, and then reported by the agent, before
// this hub started.
func (e *environment) confirmedInLog(ctx context.Context, messages []nod.Message, head nod.Seq) map[nod.MessageID]bool {
	open := map[nod.MessageID]input{}
	for _, m := range messages {
		if in, err := compose(&m); err == nil && m.Status == nod.Typed {
			open[m.ID] = in
		}
	}
	if len(open) == 0 {
		return nil
	}
	confirmed, complete := e.readBack(ctx, open, max(head, recentEvents)-recentEvents, head)
	if !complete {
		confirmed, _ = e.readBack(ctx, open, 0, head)
	}
	return confirmed
}

// readBack reads a part of the log. complete is false when some message was typed
// before that part.
func (e *environment) readBack(ctx context.Context, open map[nod.MessageID]input, after, head nod.Seq) (confirmed map[nod.MessageID]bool, complete bool) {
	confirmed, typed := map[nod.MessageID]bool{}, map[nod.MessageID]nod.AgentID{}
	for event, err := range e.link.Follow(ctx, after) {
		if err != nil {
			e.Log.Warn("the log could not be read back", "err", err)
			break
		}
		if event.Kind == nod.MessageTyped && event.Message != nil {
			if _, ours := open[event.Message.ID]; ours {
				typed[event.Message.ID] = event.AgentID
			}
		}
		if event.Kind == nod.TurnTaken && event.Turn != nil && event.Turn.Role == nod.TurnPerson {
			for id, agent := range typed {
				if agent == event.AgentID && isSameText(*event.Turn, open[id].text) {
					confirmed[id] = true
				}
			}
		}
		if event.Seq >= head {
			break
		}
	}
	return confirmed, len(typed) == len(open)
}

// transcriptTail is how much of a transcript is searched, from its end.
const transcriptTail = 1 << 20

// inTranscript looks for a prompt in Claude Code's own record of the session, which
// also has what a hook could not report because no hub was there. The same text may
// have been sent before, so only entries after since count.
func inTranscript(a *nod.Agent, text string, since time.Time) bool {
	session := string(a.ID)
	if session == "" || strings.ContainsAny(session, `/\*?[`) || a.Process.Status == "" {
		return false
	}
	config := filepath.Dir(filepath.Dir(a.Process.Status))
	files, _ := filepath.Glob(filepath.Join(config, "projects", "*", session+".jsonl"))
	for _, file := range files {
		if tail, err := readTail(file); err == nil && transcriptContains(tail, text, since) {
			return true
		}
	}
	return false
}

func readTail(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if end, err := f.Seek(0, io.SeekEnd); err == nil {
		_, err = f.Seek(max(0, end-transcriptTail), io.SeekStart)
		if err != nil {
			return nil, err
		}
	}
	return io.ReadAll(io.LimitReader(f, transcriptTail))
}

// transcriptContains reads prompts, and those that were queued behind a running turn.
func transcriptContains(tail []byte, text string, since time.Time) bool {
	lines := bufio.NewScanner(bytes.NewReader(tail))
	lines.Buffer(nil, transcriptTail)
	for lines.Scan() {
		var l struct {
			Type      string          `json:"type"`
			Operation string          `json:"operation"`
			At        time.Time       `json:"timestamp"`
			Content   json.RawMessage `json:"content"`
			Message   struct {
				Content json.RawMessage `json:"content"`
			} `json:"message"`
		}
		if json.Unmarshal(lines.Bytes(), &l) != nil || l.At.Before(since.Add(-time.Second)) {
			continue
		}
		prompt := l.Message.Content
		if l.Type == "queue-operation" && l.Operation == "enqueue" {
			prompt = l.Content
		} else if l.Type != "user" {
			continue
		}
		var content string
		if json.Unmarshal(prompt, &content) == nil && normalize(content) == normalize(text) {
			return true
		}
	}
	return false
}
