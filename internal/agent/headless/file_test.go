//go:build unix

package headless

import (
	"context"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"nod"
)

// The path of a file is the one at this hub, not at the hub that received it. Without
// its file a message is not delivered.
func TestFilesOfAnotherHub(t *testing.T) {
	t.Parallel()
	var late atomic.Int32
	s := newStage(t, func(o *options) {
		o.Files = func(_ context.Context, a nod.Attachment) (nod.Attachment, error) {
			switch {
			case a.ID == "gone":
				return nod.Attachment{}, nod.Errorf(nod.Gone, "%s is not kept any more. Send it again.", a.Name)
			case a.ID == "late" && late.Add(1) < 3:
				return nod.Attachment{}, nod.Errorf(nod.Unavailable, "the database is away")
			}
			a.Path = "/here/" + a.Name
			return a, nil
		}
	})
	id := s.open(nod.Opening{})
	look := func(text string, files ...string) outcome {
		m := nod.Message{Text: text}
		for _, f := range files {
			m.Files = append(m.Files, nod.Attachment{ID: f, Name: f + ".txt", Path: "/of/another/hub"})
		}
		return s.outcome(s.sayAs(id, m))
	}
	if o := look("never", "a", "gone"); o.text != "gone.txt is not kept any more. Send it again." || o.trouble != nod.TroubleError || o.heard {
		t.Errorf("%+v", o)
	}
	if o := look("look", "a", "late"); o.text != "heard look\n\nAttached file: /here/a.txt\n\nAttached file: /here/late.txt" {
		t.Errorf("%+v", o)
	}
	s.answered(id, "without", "heard without")
}

// A file that does not come for a minute fails its message.
func TestMissingFileFailsItsMessage(t *testing.T) {
	t.Parallel()
	var later atomic.Int64
	s := newStage(t, func(o *options) {
		o.Now = func() time.Time { return time.Now().Add(time.Duration(later.Load())) }
		o.Files = func(context.Context, nod.Attachment) (nod.Attachment, error) {
			later.Add(int64(fileTime / 3))
			return nod.Attachment{}, nod.Errorf(nod.Unavailable, "the database is away")
		}
	})
	m := s.sayAs(s.open(nod.Opening{}), nod.Message{Text: "look", Files: []nod.Attachment{{ID: "a", Name: "a.txt"}}})
	if o := s.outcome(m); o.text != "the database is away" || o.trouble != nod.TroubleError || o.heard {
		t.Errorf("%+v", o)
	}
	if n := later.Load() / int64(fileTime/3); n < 2 {
		t.Errorf("it was tried %d times", n)
	}
}

// A conversation can be opened where an agent of this machine has worked, and nowhere
// else. It does not get the spare program, which runs in the assistant's own folder.
func TestConversationInAnotherFolder(t *testing.T) {
	s := newStage(t, nil)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Desk().Open(s.ctx(), nod.Opening{ID: "never-there", Folder: dir}); nod.CodeOf(err) != nod.NotFound {
		t.Errorf("a folder that nobody worked in: %v", err)
	}
	list, err := s.Desk().Assistants(s.ctx())
	if err != nil {
		t.Fatal(err)
	}
	s.Agent("in-a-terminal", nod.AgentIdle, func(a *nod.Agent) { a.Host, a.Cwd = list[0].Host, dir })
	id := s.open(nod.Opening{Folder: dir})
	if o := s.outcome(s.say(id, "who")); !strings.HasSuffix(o.text, "\ncwd="+dir) {
		t.Errorf("it works elsewhere: %+v", o)
	}
	s.agent(id, "is named after its folder", func(a *nod.Agent) bool { return a.Cwd == dir && a.Name == filepath.Base(dir) })
}
