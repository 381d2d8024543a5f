package voicebridge

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"nod"
	"nod/internal/hub"
	"nod/internal/surface/transcript"
)

// A transcript is a readable conversation: requests, what agents do in between, and
// the answers. -update rewrites the answers.
func TestTranscripts(t *testing.T) {
	transcript.Each(t, func(t *testing.T, f *transcript.File) {
		g := newRig(t, 0)
		g.typist()
		f.Play(t, g.play)
	})
}

// play does what lines beginning with ! say, then sends "METHOD PATH", headers,
// an empty line and a body.
func (g *rig) play(s transcript.Step) string {
	s.Before(g.happen)
	r := s.Request()
	rights := nod.RightsOf(nod.View, nod.Answering)
	if list, ok := r.Take("rights"); ok {
		var err error
		if rights, err = nod.ParseRights(list); err != nil {
			g.Fatal(err)
		}
	}
	return plain(g.send(r.Method, r.Path, g.token(rights), r.Body, r.Headers...))
}

// happen: "agent nod-1 idle say", "person nod-1 text", "reply nod-1 text",
// "approve nod-1 ID risk command", "choose nod-1 ID", "choose2 nod-1 ID",
// "terminal ID".
func (g *rig) happen(what string) {
	g.Helper()
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
		g.said(nod.AgentID(id), nod.TurnPerson, rest)
	case "reply":
		g.said(nod.AgentID(id), nod.TurnAgent, strings.ReplaceAll(rest, `\n`, "\n"))
	case "tool":
		tool, text, _ := strings.Cut(rest, " ")
		g.Report(hub.Said(nod.Turn{Agent: nod.AgentID(id), Role: nod.TurnTool, Tool: tool, Text: text}))
	case "approve":
		parts := strings.SplitN(rest, " ", 3)
		g.Ask(approval(parts[0], id, parts[2], parts[1]))
	case "choose":
		g.Ask(choosing(rest, id, database))
	case "choose2":
		g.Ask(choosing(rest, id, database, nod.Question{Text: "Which colours?", Multi: true, Choices: []nod.Choice{{Label: "red"}, {Label: "green"}, {Label: "blue"}}}))
	case "plan":
		g.Ask(nod.Request{ID: nod.RequestID(rest), Kind: nod.KindPlan, Agent: nod.AgentRef{ID: nod.AgentID(id)}, Tool: "ExitPlanMode", Title: "A plan",
			Display: "# Plan\n\n1. Read `main.go`\n2. Write a test", Options: []nod.Option{{ID: "default", Kind: nod.OptionMode, Label: "ask before edits"}, {ID: "acceptEdits", Kind: nod.OptionMode, Label: "edit freely"}}})
	case "terminal":
		g.Report(hub.Withdraw(nod.RequestID(id), nod.Withdrawal{Reason: nod.WithdrawnTerminal, Outcome: nod.WasAllowed}))
	default:
		g.Fatalf("what is %q?", what)
	}
}

var changing = transcript.Instead(
	`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)`, "TIME",
	`voice-[a-z2-7]{26}`, "MESSAGE",
)

// plain is an answer without what differs from run to run.
func plain(w *httptest.ResponseRecorder) string {
	text := fmt.Sprintf("%d\n%s", w.Code, transcript.Indented(w.Body.Bytes()))
	return changing(strings.TrimRight(text, "\n") + "\n")
}
