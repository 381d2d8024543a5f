package uplink_test

import (
	"os"
	"strings"
	"testing"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/attachment"
)

// send stores a file at the hub elsewhere, as an upload does.
func (p *pair) send(name, text string) nod.Attachment {
	p.Helper()
	a, err := p.keep.far.Keep(p.Context(), name, strings.NewReader(text))
	if err != nil {
		p.Fatal(err)
	}
	return a
}

func (p *pair) say(id nod.MessageID, text string, files ...nod.Attachment) {
	p.Helper()
	if _, err := p.far.Desk(person("anna")).Say(p.Context(), nod.Message{ID: id, Agent: "agent-1", Text: text, Files: files}); err != nil {
		p.Fatal(err)
	}
}

func known(id nod.AgentID) func(*nod.State) bool {
	return func(s *nod.State) bool { return s.Agents[id] != nil }
}

func underway(id nod.MessageID) func(*nod.State) bool {
	return func(s *nod.State) bool { return s.Messages[id] != nil }
}

func lost(id nod.MessageID) func(*nod.State) bool {
	return func(s *nod.State) bool { return s.Messages[id].Status == nod.Failed }
}

func problem(h *hub.Hub, id nod.MessageID) (text string) {
	h.Look(func(s *nod.State) { text = s.Messages[id].Problem })
	return text
}

// Files are on the agent's machine before it gets the message, and later messages come
// after it.
func TestFilesReachTheAgentsMachine(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.agent("agent-1")
	p.until(p.far, "the agent", known("agent-1"))
	long := strings.Repeat("x", 3<<20)
	p.say("message-1", "look at these", p.send("Größe 1.txt", "small"), p.send("big.log", long))
	p.say("message-2", "and then?")
	p.until(p.Hub, "both messages", func(s *nod.State) bool { return s.Messages["message-2"] != nil })
	p.Hub.Look(func(s *nod.State) {
		m := s.Messages["message-1"]
		if m == nil || len(m.Files) != 2 || m.By != "anna" || m.At.After(s.Messages["message-2"].At) {
			t.Fatalf("here: %+v", m)
		}
		for i, want := range []struct{ name, text string }{{"Größe_1.txt", "small"}, {"big.log", long}} {
			f := m.Files[i]
			got, err := os.ReadFile(f.Path)
			if err != nil || string(got) != want.text || f.Name != want.name || !strings.HasPrefix(f.Path, p.keep.near.Dir) {
				t.Errorf("file %d: %s at %s, %d bytes, %v", i, f.Name, f.Path, len(got), err)
			}
		}
	})
	if err := p.Hub.Link("test").Report(t.Context(), hub.Heard("message-1")); err != nil {
		t.Fatal(err)
	}
	p.until(p.far, "that it was heard", func(s *nod.State) bool { return s.Messages["message-1"].Status == nod.Delivered })
}

func TestFileThatCannotBeFetched(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, want string
		file       func(*pair) nod.Attachment
	}{
		{"it is gone", "does not have it any more", func(p *pair) nod.Attachment {
			a := p.send("a.png", "x")
			if err := os.Remove(a.Path); err != nil {
				p.Fatal(err)
			}
			return a
		}},
		{"it grew", "larger than 20 MB", func(p *pair) nod.Attachment {
			a := p.send("a.png", "x")
			if err := os.Truncate(a.Path, attachment.MostBytes+1); err != nil {
				p.Fatal(err)
			}
			return a
		}},
		{"the hub is old", "too old to send files", func(p *pair) nod.Attachment {
			p.old.Store(true)
			return p.send("a.png", "x")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newPair(t)
			p.agent("agent-1")
			p.until(p.far, "the agent", known("agent-1"))
			p.say("message-1", "look", c.file(p))
			p.until(p.far, "the failure", lost("message-1"))
			if got := problem(p.far, "message-1"); !strings.Contains(got, c.want) || !strings.Contains(got, "a.png") {
				t.Errorf("it says %q", got)
			}
			p.Hub.Look(func(s *nod.State) {
				if s.Messages["message-1"] != nil {
					t.Error("the agent hears half of it")
				}
			})
		})
	}
}

// The link ends while files are being fetched: they arrive once when it is back.
func TestFilesSurviveARestart(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.agent("agent-1")
	p.until(p.far, "the agent", known("agent-1"))
	begun, hold := make(chan struct{}), make(chan struct{})
	p.slow.Store(&gate{begun, hold})
	p.say("message-1", "look", p.send("a.txt", "x"))
	<-begun
	p.Stop()
	p.slow.Store(nil)
	close(hold)
	p.start()
	p.until(p.Hub, "the words", underway("message-1"))
	p.say("message-2", "again", p.send("a.txt", "x"))
	p.until(p.Hub, "the next", underway("message-2"))
	n := 0
	head, _ := p.Hub.Head()
	for e := range p.Hub.Link("test").Follow(t.Context(), 0) {
		if e.Kind == nod.MessageSaid && e.Message.ID == "message-1" {
			n++
		}
		if e.Seq == head {
			break
		}
	}
	if n != 1 {
		t.Errorf("said %d times", n)
	}
}

// An order to stop does not wait for a photo, and the message with it is dropped.
func TestStopOvertakesFiles(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.agent("agent-1")
	p.until(p.far, "the agent", known("agent-1"))
	begun, hold := make(chan struct{}), make(chan struct{})
	p.slow.Store(&gate{begun, hold})
	p.say("message-1", "look", p.send("a.txt", "x"))
	<-begun
	if _, err := p.far.Desk(person("anna")).Interrupt(t.Context(), "agent-1"); err != nil {
		t.Fatal(err)
	}
	p.until(p.Hub, "the order to stop", func(s *nod.State) bool { return s.Agents["agent-1"].Stopping != nil })
	p.slow.Store(nil)
	close(hold)
	p.say("message-2", "go on", p.send("b.txt", "x"))
	p.until(p.Hub, "what was said afterwards", underway("message-2"))
	p.Hub.Look(func(s *nod.State) {
		if s.Messages["message-1"] != nil {
			t.Error("words from before the stop are heard after it")
		}
	})
}
