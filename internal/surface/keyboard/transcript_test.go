package keyboard

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/hub/hubtest"
	"nod/internal/surface/keyboard/fakekeyboard"
	"nod/internal/surface/transcript"
)

// A transcript is a readable conversation: what happens, what a hook or a daemon
// calls, the answer, and what the keys show then. -update rewrites the answers.
func TestTranscripts(t *testing.T) {
	transcript.Each(t, func(t *testing.T, f *transcript.File) {
		bubble(t, func(g *rig) {
			p := &player{rig: g, tokens: map[string]string{}}
			f.Play(g.TB, p.play)
		})
	})
}

type player struct {
	*rig
	board   *fakekeyboard.Board
	picture string            // the newest that was made
	tokens  map[string]string // by name
}

// play does what lines beginning with ! say, then sends "METHOD PATH", headers,
// an empty line and a body. "key: NAME" shows a token of that name.
func (p *player) play(s transcript.Step) string {
	s.Before(p.happen)
	s.Text = strings.ReplaceAll(s.Text, "ICON", p.picture)
	r := s.Request()
	key, _ := r.Take("key")
	w := p.send(p.own, r.Method, r.Path, p.tokens[key], r.Body, r.Headers...)
	var b bytes.Buffer
	fmt.Fprintln(&b, w.Code)
	for _, name := range []string{"Content-Type", "Content-Length", "Cache-Control", "Access-Control-Allow-Origin"} {
		if v := w.Header().Get(name); v != "" && v != "application/json" && (name != "Content-Length" || w.Header().Get("Content-Type") != "application/json") {
			fmt.Fprintf(&b, "%s: %s\n", name, v)
		}
	}
	if w.Body.Len() < 1000 {
		fmt.Fprintln(&b, w.Body)
	}
	if p.board != nil {
		var keys []string
		for _, s := range p.board.Screens() {
			keys = append(keys, s.Words())
		}
		fmt.Fprintf(&b, "keys: %s (%s)\n", strings.Join(keys, " | "), p.board.State())
	}
	return p.plain(b.String())
}

var iconName = regexp.MustCompile(`icon-[0-9a-f]{8}`)

// plain is an answer without what differs from run to run.
func (p *player) plain(s string) string {
	if made := iconName.FindString(s); made != "" {
		p.picture = made + ".rgb"
	}
	s = strings.ReplaceAll(s, p.surface.saved.session(), "SESSION")
	return iconName.ReplaceAllString(s, "icon-HASH")
}

// happen: "keyboard", "press N", "later 10s", "agent ID STATE PID", "ask AGENT ID
// COMMAND", "token NAME RIGHTS", "restart", "lost".
func (p *player) happen(what string) {
	p.Helper()
	words := strings.Fields(what)
	switch words[0] {
	case "keyboard":
		p.board = p.admitted("192.168.1.7")
	case "press":
		key, _ := strconv.Atoi(words[1])
		p.press(p.board, key)
	case "later":
		d, err := time.ParseDuration(words[1])
		if err != nil {
			p.Fatal(err)
		}
		later(d)
	case "agent":
		p.agent(nod.AgentID(words[1]), nod.AgentState(words[2]), func(a *nod.Agent) {
			a.Process = &nod.Process{PID: 4711, Local: true}
			if len(words) > 3 {
				a.Can = nil
			}
		})
	case "ask":
		p.ask(nod.AgentID(words[1]), words[2], strings.Join(words[3:], " "))
	case "token":
		rights, err := nod.ParseRights(words[2])
		if err != nil {
			p.Fatal(err)
		}
		p.tokens[words[1]] = p.web.Token(words[1], rights)
	case "restart":
		p.begin()
		if err := p.board.Connect(p.Context()); err != nil {
			p.Fatal(err)
		}
		later(time.Second)
	case "lost":
		p.board.Drop()
		later(time.Second)
	default:
		p.Fatalf("what is %q?", what)
	}
}

// Presses whose answer could not be written are kept.
func TestUndeliveredPressesAreHandedOverAgain(t *testing.T) {
	bubble(t, func(g *rig) {
		boss := g.web.Token("boss", hubtest.All)
		for _, text := range []string{"one", "two"} {
			g.send(g.own, "POST", "/test/button", boss, `{"key":1,"text":"`+text+`"}`)
		}
		r, err := http.NewRequestWithContext(g.Context(), "GET", "/inputs", nil)
		if err != nil {
			g.Fatal(err)
		}
		r.RemoteAddr = "127.0.0.1:1"
		g.own.ServeHTTP(broken{}, r)
		g.send(g.own, "POST", "/test/button", boss, `{"key":1,"text":"three"}`)
		got := g.send(g.own, "GET", "/inputs", "", "").Body.String()
		if strings.Count(got, `"text"`) != 3 || strings.Index(got, "one") > strings.Index(got, "two") || strings.Index(got, "two") > strings.Index(got, "three") {
			g.Error(got)
		}
	})
}

// broken is a connection whose other end has gone.
type broken struct{}

func (broken) Header() http.Header       { return http.Header{} }
func (broken) WriteHeader(int)           {}
func (broken) Write([]byte) (int, error) { return 0, os.ErrClosed }
