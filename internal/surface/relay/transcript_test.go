package relay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/surface/transcript"
)

// A transcript is a readable list of requests, what happens in between, and the
// answers. Time stands still except where a line says otherwise.
// -update rewrites the answers.
func TestTranscripts(t *testing.T) {
	transcript.Each(t, func(t *testing.T, f *transcript.File) {
		synctest.Test(t, func(t *testing.T) { f.Play(t, newRig(t, settings(f.About())).play) })
	})
}

// settings are words in the comment of a transcript.
func settings(comment string) func(*options) {
	return func(o *options) {
		o.AnyKey = strings.Contains(comment, "any key")
		if strings.Contains(comment, "three rooms") {
			o.Rooms = 3
		}
		if strings.Contains(comment, "shares the kitchen") {
			o.Share = []string{"kitchen"}
		}
	}
}

// play does what lines beginning with ! say, then sends "METHOD PATH", headers,
// an empty line and a body. ID1 is the first id that was created. "key: NAME"
// chooses a token; "key: 'text'" is a literal key; "key: none" sends none.
func (g *rig) play(s transcript.Step) string {
	s.Before(g.happen)
	s.Text = g.insert(s.Text)
	r := s.Request()
	key, handler := g.keys["phone"], g.own
	if name, ok := r.Take("key"); ok {
		switch {
		case name == "none":
			key = ""
		case name[0] == '\'':
			key = strings.Trim(name, "'")
		default:
			key = g.keys[name]
		}
	}
	if _, ok := r.Take("at"); ok {
		handler = g.shared
	}
	w := g.sendTo(handler, r.Method, r.Path, key, r.Body, r.Headers...)
	g.settle()
	return g.plain(w)
}

func (g *rig) insert(text string) string {
	for i, id := range slices.Backward(g.ids) { // ID12 before ID1
		text = strings.ReplaceAll(text, fmt.Sprintf("ID%d", i+1), id)
	}
	return text
}

// happen: "token NAME RIGHTS ROOM", "later 10s", "prompt KEY BODY",
// "allow ID", "always ID OPTION", "deny ID", "pick ID LABEL", "nod ID KIND …".
func (g *rig) happen(what string) {
	g.Helper()
	verb, rest, _ := strings.Cut(g.insert(what), " ")
	id, more, _ := strings.Cut(rest, " ")
	switch verb {
	case "token":
		rights, room, _ := strings.Cut(more, " ")
		g.key(id, rights, room)
	case "later":
		d, err := time.ParseDuration(id)
		if err != nil {
			g.Fatal(err)
		}
		time.Sleep(d) // of the bubble's clock
		g.settle()
	case "prompt":
		key := id
		if known, ok := g.keys[id]; ok {
			key = known
		}
		time.Sleep(time.Millisecond) // so that the newest is known
		g.create(key, more)
		g.settle()
	case "allow":
		g.decide(id, nod.Answer{Verdict: nod.VerdictAllow})
	case "always":
		g.decide(id, nod.Answer{Verdict: nod.VerdictAllow, Remember: nod.Remember(more)})
	case "deny":
		g.decide(id, nod.Answer{Verdict: nod.VerdictDeny})
	case "pick":
		g.decide(id, nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{g.request(id).Questions[0].Key(): {Picked: []string{more}}}})
	case "nod":
		g.ask(nods(id, more))
	default:
		g.Fatalf("what is %q?", what)
	}
}

// nods are requests that did not come over this wire.
func nods(id, kind string) nod.Request {
	word, text, _ := strings.Cut(kind, " ")
	r := nod.Request{ID: nod.RequestID(id), Kind: nod.KindApproval, Tool: "Bash", Title: "Bash: " + text, Display: text, OneTap: true}
	r.Input, _ = json.Marshal(map[string]string{"command": text})
	ask := nod.Question{Text: text, FreeText: true, Choices: []nod.Choice{{Label: "SQLite"}, {Label: "PostgreSQL"}}}
	switch word {
	case "always":
		r.Options, r.CanAlways = []nod.Option{{ID: "rule-1", Kind: nod.OptionAlways, Label: "Bash(git:*)"}}, true
	case "question":
		r.Kind, r.Tool, r.Questions = nod.KindQuestion, "AskUserQuestion", []nod.Question{ask}
	case "two":
		r.Kind, r.Tool, r.OneTap, r.Questions = nod.KindQuestion, "AskUserQuestion", false, []nod.Question{ask, {Text: "And then?", Multi: true, Choices: ask.Choices}}
	case "plan":
		r.Kind, r.Tool, r.OneTap = nod.KindPlan, "ExitPlanMode", false
		r.Options = []nod.Option{{ID: "default", Kind: nod.OptionMode, Label: "default"}}
	}
	return r
}

// plain is an answer without what differs every time.
func (g *rig) plain(w *httptest.ResponseRecorder) string {
	var b bytes.Buffer
	fmt.Fprintln(&b, w.Code)
	for _, name := range []string{"Allow", "Content-Type", "Content-Disposition", "Location"} {
		if v := w.Header().Get(name); v != "" && !strings.HasPrefix(v, "application/json; charset=utf-8") {
			fmt.Fprintf(&b, "%s: %s\n", name, v)
		}
	}
	var created struct{ ID string }
	if json.Unmarshal(w.Body.Bytes(), &created) == nil && len(created.ID) == 8 {
		g.note(created.ID)
	}
	b.WriteString(strings.ReplaceAll(w.Body.String(), "},{\"id\"", "},\n{\"id\""))
	text := strings.TrimRight(b.String(), "\n") + "\n"
	for i, id := range g.ids {
		text = strings.ReplaceAll(text, id, fmt.Sprintf("ID%d", i+1))
	}
	return text
}

// note numbers an id that was created by a line of the transcript.
func (g *rig) note(id string) {
	for _, known := range g.ids {
		if known == id {
			return
		}
	}
	g.Hub.Look(func(st *nod.State) {
		if r, ok := st.Requests[nod.RequestID(id)]; ok && r.Agent.Kind == kind {
			g.ids = append(g.ids, id)
		}
	})
}
