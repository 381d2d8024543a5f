package openai

import (
	"encoding/json"
	"flag"
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

var update = flag.Bool("update", false, "write the transcripts anew")

// A transcript is an exchange that anyone can read: requests and their answers,
// one after the other, at one hub. -update writes the answers anew.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			g := newRig(t, nil)
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

// play sends "METHOD PATH", perhaps a line "rights: view", an empty line and a body.
func (g *rig) play(script string) string {
	head, body, _ := strings.Cut(script, "\n\n")
	lines := strings.Split(strings.TrimSpace(head), "\n")
	method, path, _ := strings.Cut(lines[0], " ")
	rights := talking
	for _, line := range lines[1:] {
		var err error
		if rights, err = nod.ParseRights(strings.TrimPrefix(line, "rights: ")); err != nil {
			g.t.Fatal(err)
		}
	}
	return number.ReplaceAllString(readable(g.send(method, path, g.token("chat program", rights), strings.TrimSpace(body))), "chatcmpl-ID")
}

// number is what tells one answer from another.
var number = regexp.MustCompile(`chatcmpl-[a-z2-7]{26}`)

// readable is an answer line by line, a single object with every field on its own.
func readable(w *httptest.ResponseRecorder) string {
	kind, _, _ := strings.Cut(w.Header().Get("Content-Type"), ";")
	head := fmt.Sprintf("%d %s\n", w.Code, kind)
	var value any
	if err := json.Unmarshal(w.Body.Bytes(), &value); err != nil || kind != "application/json" {
		return head + w.Body.String()
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(value); err != nil {
		return head + err.Error()
	}
	return head + b.String()
}
