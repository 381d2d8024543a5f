package link

import (
	"context"
	"io"
	"strings"
	"testing"

	"nod"
)

// A link gets the files of messages to its own agents, and no other files.
func TestFileIsServedOnlyToTheHostOfItsAgent(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	d.agent("agent-laptop", "laptop")
	d.agent("agent-attic", "attic")
	d.agent("agent-here", "")
	for i, agent := range []nod.AgentID{"agent-laptop", "agent-attic", "agent-here"} {
		id := string(rune('a' + i))
		d.files[id] = "content of " + id
		d.say(nod.Message{ID: nod.MessageID("message-" + id), Agent: agent, Text: "look", Files: []nod.Attachment{{ID: id, Name: "x"}, {ID: "gone-" + id, Name: "y"}}})
	}
	d.files["secret"] = "sent to nobody"
	for _, c := range []struct {
		path, host string
		want       int
	}{
		{"message-a/a", "laptop", 200},
		{"message-a/gone-a", "laptop", 410},
		{"message-a/b", "laptop", 410}, // of another message
		{"message-a/secret", "laptop", 410},
		{"message-b/b", "laptop", 410}, // for another host
		{"message-c/c", "laptop", 410}, // for an agent of the hub, which calls its machine the same
		{"message-b/b", "attic", 200},
		{"message-x/a", "laptop", 410},
		{"message-a/a", "", 401},
		{"message-a/a", "device", 403},
	} {
		status, text := d.ask("GET", "/v1/link/files/"+c.path, c.host, "")
		if status != c.want {
			t.Errorf("%s for %q: %d %s, want %d", c.path, c.host, status, text, c.want)
		}
		if id := c.path[strings.LastIndex(c.path, "/")+1:]; (text == "content of "+id) != (c.want == 200) {
			t.Errorf("%s for %q got %q", c.path, c.host, text)
		}
	}
}

// A file that the hub cannot get just now is not gone: the link asks again.
func TestUnavailableFileIsNotGone(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	d.agent("agent-laptop", "laptop")
	d.say(nod.Message{ID: "message-a", Agent: "agent-laptop", Text: "look", Files: []nod.Attachment{{ID: "a", Name: "x"}}})
	d.OpenFile = func(context.Context, string) (io.ReadCloser, int64, error) {
		return nil, 0, nod.Errorf(nod.Unavailable, "the database is away")
	}
	if status, text := d.ask("GET", "/v1/link/files/message-a/a", "laptop", ""); status != 503 || !strings.Contains(text, string(nod.Unavailable)) {
		t.Errorf("%d %s", status, text)
	}
}
