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

// recent is how much of the log is read first: what was typed just before a
// restart is near its end.
const recent = 4000

// heardMeanwhile looks in the log for messages that were typed, and then heard,
// before this hub was started.
func (d *Driver) heardMeanwhile(ctx context.Context, letters []nod.Message, head nod.Seq) map[nod.MessageID]bool {
	open := map[nod.MessageID]letter{}
	for _, m := range letters {
		if l, err := compose(&m); err == nil && m.Status == nod.Typed {
			open[m.ID] = l
		}
	}
	if len(open) == 0 {
		return nil
	}
	heard, complete := d.readBack(ctx, open, max(head, recent)-recent, head)
	if !complete {
		heard, _ = d.readBack(ctx, open, 0, head)
	}
	return heard
}

// readBack reads a piece of the log; complete is false when it does not reach
// back to where every message was typed.
func (d *Driver) readBack(ctx context.Context, open map[nod.MessageID]letter, after, head nod.Seq) (heard map[nod.MessageID]bool, complete bool) {
	heard, typed := map[nod.MessageID]bool{}, map[nod.MessageID]nod.AgentID{}
	for e, err := range d.link.Follow(ctx, after) {
		if err != nil {
			d.log.Warn("the log could not be read back", "err", err)
			break
		}
		if e.Kind == nod.MessageTyped && e.Message != nil {
			if _, ours := open[e.Message.ID]; ours {
				typed[e.Message.ID] = e.AgentID
			}
		}
		if e.Kind == nod.TurnTaken && e.Turn != nil && e.Turn.Role == nod.TurnPerson {
			for id, agent := range typed {
				if agent == e.AgentID && !heard[id] && sameWords(*e.Turn, open[id].text) {
					heard[id] = true
				}
			}
		}
		if e.Seq >= head {
			break
		}
	}
	return heard, len(typed) == len(open)
}

// tailLength is how much of a transcript is searched, from its end.
const tailLength = 1 << 20

// inTranscript looks into Claude Code's own record of the session, which has what
// a hook could not tell because no hub was there. since bounds it, because the
// same words may have been said before.
func (h *hand) inTranscript(text string, since time.Time) bool {
	session := string(h.w.id)
	if session == "" || strings.ContainsAny(session, `/\*?[`) || h.a.Process.Status == "" {
		return false
	}
	config := filepath.Dir(filepath.Dir(h.a.Process.Status))
	files, _ := filepath.Glob(filepath.Join(config, "projects", "*", session+".jsonl"))
	for _, file := range files {
		if tail, err := readTail(file); err == nil && recorded(tail, text, since) {
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
		_, err = f.Seek(max(0, end-tailLength), io.SeekStart)
		if err != nil {
			return nil, err
		}
	}
	return io.ReadAll(io.LimitReader(f, tailLength))
}

// recorded reads the lines of a transcript: what a person said, and what was put
// into the queue behind a running turn.
func recorded(tail []byte, text string, since time.Time) bool {
	lines := bufio.NewScanner(bytes.NewReader(tail))
	lines.Buffer(nil, tailLength)
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
		said := l.Message.Content
		if l.Type == "queue-operation" && l.Operation == "enqueue" {
			said = l.Content
		} else if l.Type != "user" {
			continue
		}
		var words string
		if json.Unmarshal(said, &words) == nil && normal(words) == normal(text) {
			return true
		}
	}
	return false
}
