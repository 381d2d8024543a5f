package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"nod"
)

// A transcript is a conversation that anyone can read: requests with the rights
// of whoever sends them, and the answers. -update writes the answers anew.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			g := newRig(t)
			g.agent("agent-1")
			g.ask("3f9a0c51d2e84b76")
			g.question("91b6e2aa07c3d458")
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for i := 0; i+1 < len(archive.Files); i += 2 {
				ask, want := archive.Files[i], &archive.Files[i+1]
				got := g.play(string(ask.Data))
				if *update {
					want.Data = []byte(got)
				} else if got != string(want.Data) {
					t.Errorf("%s:\n%s\nwant:\n%s", ask.Name, got, want.Data)
				}
			}
			if *update {
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// play sends "METHOD PATH", "rights: …", an empty line and a body.
func (g *rig) play(script string) string {
	head, body, _ := strings.Cut(script, "\n\n")
	first, rest, _ := strings.Cut(head, "\n")
	method, path, _ := strings.Cut(strings.TrimSpace(first), " ")
	token := ""
	if list, ok := strings.CutPrefix(strings.TrimSpace(rest), "rights: "); ok {
		rights, err := nod.ParseRights(list)
		if err != nil {
			g.t.Fatal(err)
		}
		token = g.token(rights)
	}
	return plain(g.send(method, path, token, strings.TrimSpace(body)))
}

var changing = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`), "TIME"},
	{regexp.MustCompile(`[0-9a-f]{64}`), "HASH"},
	{regexp.MustCompile(`nod_[0-9a-z]{8}_[\w-]{43}`), "TOKEN"},
	{regexp.MustCompile(`"[0-9a-hjkmnp-tv-z]{8}"`), `"ID"`},
}

// plain is an answer without what is different every time.
func plain(w *httptest.ResponseRecorder) string {
	var b bytes.Buffer
	fmt.Fprintln(&b, w.Code)
	if err := json.Indent(&b, w.Body.Bytes(), "", "  "); err != nil {
		b.Write(w.Body.Bytes())
	}
	text := strings.TrimRight(b.String(), "\n") + "\n"
	for _, c := range changing {
		text = c.pattern.ReplaceAllString(text, c.instead)
	}
	return text
}
