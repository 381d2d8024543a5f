package brain

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub/hubtest"
	"nod/internal/net/auth"
	"nod/internal/surface/transcript"
)

// A transcript is a readable conversation: what is sent, and what comes back. -update
// rewrites the answers.
func TestTranscripts(t *testing.T) {
	transcript.Each(t, func(t *testing.T, f *transcript.File) {
		synctest.Test(t, func(t *testing.T) {
			g := newRig(t, assistant, func(o *Config) { o.Rate = 1000 })
			last := ""
			f.Play(t, func(s transcript.Step) string {
				w := g.play(s, last)
				session := "SESSION"
				var a answer
				if json.Unmarshal(w.Body.Bytes(), &a) == nil && a.Session != "" && string(a.Session) != last {
					session, last = "NEW-SESSION", string(a.Session)
				}
				return plain(w, last, session)
			})
		})
	})
}

// play lets time pass ("!wait 6m"), answers elsewhere ("!deny"), then
// sends "PATH", headers, an empty line and a body. SESSION is the last one, and an
// answer with another one has NEW-SESSION.
func (g *rig) play(s transcript.Step, last string) *httptest.ResponseRecorder {
	s.Before(func(what string) {
		switch verb, arg, _ := strings.Cut(what, " "); verb {
		case "wait":
			d, err := time.ParseDuration(arg)
			if err != nil {
				g.Fatal(err)
			}
			time.Sleep(d)
		default:
			g.elsewhere(nod.Verdict(verb))
		}
	})
	synctest.Wait() // the turn before may still be ending
	r := s.Request()
	device, named := r.Take("device")
	if !named {
		device = "speaker"
	}
	body := strings.ReplaceAll(r.Body, "SESSION", last)
	if n, ok := strings.CutPrefix(body, "LONG "); ok {
		var size int
		_, _ = fmt.Sscan(n, &size)
		body = `{"query":"` + strings.Repeat("a", size) + `"}`
	}
	return g.send(r.Path, g.token(device, auth.Paired), body, r.Headers...)
}

// elsewhere answers on another surface.
func (g *rig) elsewhere(verdict nod.Verdict) {
	g.Helper()
	var id nod.RequestID
	g.Hub.Look(func(s *nod.State) { id = s.PendingOf("")[0].ID })
	by := nod.Actor{Kind: nod.ActorPerson, Name: "ola", Via: "web", Rights: hubtest.All}
	if _, err := g.Hub.Desk(by).Decide(g.Context(), id, nod.Answer{Verdict: verdict}); err != nil {
		g.Fatal(err)
	}
	synctest.Wait()
}

var changing = transcript.Instead(
	`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)`, "TIME",
	`brain-([0-9a-f]{10}-)?[a-z2-7]{26}`, "ANOTHER",
)

// plain is an answer without what differs every time.
func plain(w *httptest.ResponseRecorder, last, name string) string {
	var b strings.Builder
	fmt.Fprintln(&b, w.Code)
	if after := w.Header().Get("Retry-After"); after != "" {
		fmt.Fprintln(&b, "Retry-After:", after)
	}
	b.WriteString(transcript.Indented(w.Body.Bytes()))
	text := strings.TrimRight(b.String(), "\n") + "\n"
	if last != "" {
		text = strings.ReplaceAll(text, last, name)
	}
	return changing(text)
}
