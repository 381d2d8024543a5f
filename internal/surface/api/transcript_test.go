package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"nod"
	"nod/internal/surface/transcript"
)

// A transcript is a file of requests, each with the rights of its sender, and the
// answers. -update rewrites the answers.
func TestTranscripts(t *testing.T) {
	transcript.Each(t, func(t *testing.T, f *transcript.File) {
		g := newRig(t)
		g.agent("agent-1")
		g.ask("3f9a0c51d2e84b76")
		g.question("91b6e2aa07c3d458")
		f.Play(t, g.play)
	})
}

// play sends "METHOD PATH", "rights: …", an empty line and a body.
func (g *rig) play(s transcript.Step) string {
	r := s.Request()
	token := ""
	if list, ok := r.Take("rights"); ok {
		rights, err := nod.ParseRights(list)
		if err != nil {
			g.Fatal(err)
		}
		token = g.token(rights)
	}
	return plain(g.send(r.Method, r.Path, token, r.Body))
}

var changing = transcript.Instead(
	`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`, "TIME",
	`[0-9a-f]{64}`, "HASH",
	`nod_[0-9a-z]{8}_[\w-]{43}`, "TOKEN",
	`"[0-9a-hjkmnp-tv-z]{8}"`, `"ID"`,
)

// plain is an answer without what is different every time.
func plain(w *httptest.ResponseRecorder) string {
	var b bytes.Buffer
	fmt.Fprintln(&b, w.Code)
	if err := json.Indent(&b, w.Body.Bytes(), "", "  "); err != nil {
		b.Write(w.Body.Bytes())
	}
	return changing(strings.TrimRight(b.String(), "\n") + "\n")
}
