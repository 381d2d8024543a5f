package voicebridge

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

	"golang.org/x/tools/txtar"

	"nod"
	"nod/internal/hub"
)

var update = flag.Bool("update", false, "write the transcripts anew")

// A transcript is a conversation that anyone can read: requests, what agents do
// in between, and the answers. -update writes the answers anew.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			g := newRig(t, 0)
			g.typist()
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

// play does what lines beginning with ! say, then sends "METHOD PATH", headers,
// an empty line and a body.
func (g *rig) play(script string) string {
	for strings.HasPrefix(script, "!") {
		line, rest, _ := strings.Cut(script, "\n")
		g.happen(strings.TrimSpace(line[1:]))
		script = rest
	}
	head, body, _ := strings.Cut(script, "\n\n")
	lines := strings.Split(strings.TrimSpace(head), "\n")
	method, path, _ := strings.Cut(lines[0], " ")
	token := g.token(nod.RightsOf(nod.View, nod.Answering))
	var headers []string
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ": ")
		if name != "rights" {
			headers = append(headers, name, value)
			continue
		}
		rights, err := nod.ParseRights(value)
		if err != nil {
			g.t.Fatal(err)
		}
		token = g.token(rights)
	}
	return plain(g.send(method, path, token, strings.TrimSpace(body), headers...))
}

// happen: "agent nod-1 idle say", "person nod-1 text", "reply nod-1 text",
// "approve nod-1 ID risk command", "choose nod-1 ID", "choose2 nod-1 ID",
// "terminal ID".
func (g *rig) happen(what string) {
	g.t.Helper()
	verb, rest, _ := strings.Cut(what, " ")
	id, rest, _ := strings.Cut(rest, " ")
	switch verb {
	case "agent":
		at, can, _ := strings.Cut(rest, " ")
		var abilities []nod.Ability
		for word := range strings.FieldsSeq(can) {
			abilities = append(abilities, nod.Ability(word))
		}
		g.agent(nod.AgentID(id), nod.AgentState(at), abilities...)
	case "person":
		g.said(nod.AgentID(id), nod.Said, rest)
	case "reply":
		g.said(nod.AgentID(id), nod.Replied, strings.ReplaceAll(rest, `\n`, "\n"))
	case "tool":
		tool, text, _ := strings.Cut(rest, " ")
		g.report(hub.Said(nod.Turn{Agent: nod.AgentID(id), Role: nod.Acted, Tool: tool, Text: text}))
	case "approve":
		parts := strings.SplitN(rest, " ", 3)
		g.ask(approval(parts[0], id, parts[2], parts[1]))
	case "choose":
		g.ask(choosing(rest, id, database))
	case "choose2":
		g.ask(choosing(rest, id, database, nod.Question{Text: "Which colours?", Multi: true, Choices: []nod.Choice{{Label: "red"}, {Label: "green"}, {Label: "blue"}}}))
	case "plan":
		g.ask(nod.Request{ID: nod.RequestID(rest), Kind: nod.Planning, Agent: nod.AgentRef{ID: nod.AgentID(id)}, Tool: "ExitPlanMode", Title: "A plan",
			Display: "# Plan\n\n1. Read `main.go`\n2. Write a test", Options: []nod.Option{{ID: "default", Kind: nod.Mode, Label: "ask before edits"}, {ID: "acceptEdits", Kind: nod.Mode, Label: "edit freely"}}})
	case "terminal":
		g.report(hub.Withdraw(nod.RequestID(id), nod.Withdrawal{Reason: nod.AtTerminal, Outcome: nod.WasAllowed}))
	default:
		g.t.Fatalf("what is %q?", what)
	}
}

var changing = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)`), "TIME"},
	{regexp.MustCompile(`voice-[a-z2-7]{26}`), "MESSAGE"},
}

// plain is an answer without what is different every time.
func plain(w *httptest.ResponseRecorder) string {
	var b bytes.Buffer
	fmt.Fprintln(&b, w.Code)
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
	for _, c := range changing {
		text = c.pattern.ReplaceAllString(text, c.instead)
	}
	return text
}
