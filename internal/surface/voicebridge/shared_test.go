package voicebridge

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/hub/attachment"
)

// away is a database that cannot be reached.
type away struct{}

func (away) PutFile(context.Context, nod.Attachment, io.Reader) error { return away{}.err() }
func (away) FetchFile(context.Context, string, io.Writer) (nod.Attachment, time.Duration, error) {
	return nod.Attachment{}, 0, away{}.err()
}
func (away) SweepFiles(context.Context, time.Duration, int64) error { return away{}.err() }
func (away) err() error                                             { return nod.Errorf(nod.Unavailable, "the database is away") }

// A name that may be a file of another hub is not typed as if it were a path.
func TestFileLookupFailureIsNotTypedAsPath(t *testing.T) {
	g := newRig(t, 0)
	g.agent("nod-1", nod.AgentIdle, nod.CanSay)
	g.typist()
	g.serve(options{Needs: Needs{Files: attachment.FileStore{Dir: t.TempDir(), Now: time.Now, Shared: away{}}}})
	for body, want := range map[string]int{
		`{"agent_id":"nod-1","text":"look","file_path":"abcdefghijklmnopqrstuvwxyz"}`: 503,
		`{"agent_id":"nod-1","text":"look","file_path":"/data/a.png"}`:                200,
	} {
		if status, got := g.reply("POST", "/api/voice/command", body); status != want {
			t.Errorf("%s: %d %v", body, status, got)
		}
	}
	_, got := g.reply("GET", "/api/voice/agents/nod-1/transcript", "")
	if turns := got["turns"].([]any); len(turns) != 1 || strings.Contains(turns[0].(map[string]any)["text"].(string), "abc") {
		t.Errorf("turns: %v", turns)
	}
}
