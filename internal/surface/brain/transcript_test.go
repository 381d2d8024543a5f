package brain

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/tools/txtar"

	"nod"
	"nod/internal/auth"
)

var update = flag.Bool("update", false, "write the transcripts anew")

// A transcript is a conversation that anyone can read: what is sent, and what
// comes back. -update writes the answers anew.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			synctest.Test(t, func(t *testing.T) { transcribe(t, archive) })
			if *update {
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func transcribe(t *testing.T, archive *txtar.Archive) {
	g := newRig(t, assistant, func(o *Options) { o.Rate = 1000 })
	last := ""
	for i := 0; i+1 < len(archive.Files); i += 2 {
		ask, want := archive.Files[i], &archive.Files[i+1]
		w := g.play(string(ask.Data), last)
		before, session := last, "SESSION"
		var a answer
		if json.Unmarshal(w.Body.Bytes(), &a) == nil && a.Session != "" {
			session, last = "SESSION", string(a.Session)
			if last != before {
				session = "NEW-SESSION"
			}
		}
		got := plain(w, last, session)
		if *update {
			want.Data = []byte(got)
		} else if got != string(want.Data) {
			t.Errorf("%s:\n%s\nwant:\n%s", ask.Name, got, want.Data)
		}
	}
}

// play lets time pass ("!wait 6m"), answers elsewhere ("!deny"), then
// sends "PATH", headers, an empty line and a body. SESSION is the last one, and an
// answer with another one has NEW-SESSION.
func (g *rig) play(script, last string) *httptest.ResponseRecorder {
	for strings.HasPrefix(script, "!") {
		line, rest, _ := strings.Cut(script, "\n")
		verb, arg, _ := strings.Cut(strings.TrimSpace(line[1:]), " ")
		switch verb {
		case "wait":
			d, err := time.ParseDuration(arg)
			if err != nil {
				g.t.Fatal(err)
			}
			time.Sleep(d)
		default:
			g.elsewhere(nod.Verdict(verb))
		}
		script = rest
	}
	head, body, _ := strings.Cut(script, "\n\n")
	lines := strings.Split(strings.TrimSpace(head), "\n")
	var headers []string
	token := g.token("speaker", auth.Paired)
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ": ")
		if name == "device" {
			token = g.token(value, auth.Paired)
			continue
		}
		headers = append(headers, name, value)
	}
	body = strings.ReplaceAll(strings.TrimSpace(body), "SESSION", last)
	if n, ok := strings.CutPrefix(body, "LONG "); ok {
		var size int
		_, _ = fmt.Sscan(n, &size)
		body = `{"query":"` + strings.Repeat("a", size) + `"}`
	}
	return g.send(lines[0], token, body, headers...)
}

// elsewhere answers as somebody at another door.
func (g *rig) elsewhere(verdict nod.Verdict) {
	g.t.Helper()
	var id nod.RequestID
	g.hub.Look(func(s *nod.State) { id = s.PendingOf("")[0].ID })
	by := nod.Actor{Kind: nod.Person, Name: "ola", Via: "web", Rights: all}
	if _, err := g.hub.Desk(by).Decide(g.t.Context(), id, nod.Answer{Verdict: verdict}); err != nil {
		g.t.Fatal(err)
	}
	synctest.Wait()
}

var changing = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)`), "TIME"},
	{regexp.MustCompile(`brain-([0-9a-f]{10}-)?[a-z2-7]{26}`), "ANOTHER"},
}

// plain is an answer without what is different every time.
func plain(w *httptest.ResponseRecorder, last, name string) string {
	var b bytes.Buffer
	fmt.Fprintln(&b, w.Code)
	if after := w.Header().Get("Retry-After"); after != "" {
		fmt.Fprintln(&b, "Retry-After:", after)
	}
	var value any
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := json.Unmarshal(w.Body.Bytes(), &value); err != nil {
		b.Write(w.Body.Bytes())
	} else if err := encoder.Encode(value); err != nil {
		b.WriteString(err.Error())
	}
	text := strings.TrimRight(b.String(), "\n") + "\n"
	if last != "" {
		text = strings.ReplaceAll(text, last, name)
	}
	for _, c := range changing {
		text = c.pattern.ReplaceAllString(text, c.instead)
	}
	return text
}
