// Package asking turns what Claude Code asks into requests, and decisions into Claude
// Code's terms. Hooks and the control protocol ask about the same things, so the drivers
// of both use it. It knows neither the hub nor how an answer travels.
package asking

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"nod"
	"nod/internal/agent/claude/wire"
)

// Kind is what an Agent that runs Claude Code says it is.
const Kind = "claude"

// TitleLength is how much of a command fits on a line of a list.
const TitleLength = 160

// Ask turns what Claude Code asks into the request a person sees.
func Ask(id nod.RequestID, p wire.Payload) (nod.Request, error) {
	r := nod.Request{
		ID: id, Tool: p.Tool, Input: p.Input, Dialog: nod.DialogBeside,
		Agent: nod.AgentRef{ID: nod.AgentID(p.Session), Kind: Kind, Cwd: p.Cwd},
	}
	if p.AgentID != "" {
		// A subagent's dialog opens only after the hook has ended.
		r.Agent.Subagent = &nod.Subagent{ID: p.AgentID, Type: p.AgentType}
		r.Dialog = nod.DialogAfter
	}
	r.Input = compact(p.Input)
	switch {
	case p.Event == wire.Elicitation:
		return askForm(r, p)
	case p.Tool == wire.AskUserQuestion:
		return askQuestions(r)
	case p.Tool == wire.ExitPlanMode:
		return askPlan(r), nil
	}
	return askApproval(r, p), nil
}

// compact is the input in the bytes that the log will hold, so that it is the same
// before and after a restart.
func compact(input json.RawMessage) json.RawMessage {
	if len(input) == 0 {
		return json.RawMessage("{}")
	}
	b, err := json.Marshal(input)
	if err != nil {
		return input
	}
	return b
}

func askApproval(r nod.Request, p wire.Payload) nod.Request {
	r.Kind, r.CanEdit, r.OneTap = nod.KindApproval, true, true
	what := Describe(p.Tool, p.Input)
	r.Title, r.Display, r.EditField = nod.Fold(nod.OneLine(what.Line), TitleLength), what.Text, what.Field
	r.Options = rules(p.Suggestions)
	r.CanAlways = len(r.Options) > 0
	return r
}

func askPlan(r nod.Request) nod.Request {
	r.Kind, r.CanEdit, r.EditField = nod.KindPlan, true, "plan"
	var in struct{ Plan string }
	_ = exactly(r.Input, &in, "plan") // a plan without text is still a plan
	r.Display = in.Plan
	r.Title = nod.Fold(nod.OneLine(firstLine(in.Plan)), TitleLength)
	if r.Title == "" {
		r.Title = "Exit plan mode"
	}
	r.Options = []nod.Option{
		{ID: "default", Kind: nod.OptionMode, Label: "default", Detail: "asks before edits and commands"},
		{ID: "acceptEdits", Kind: nod.OptionMode, Label: "acceptEdits", Detail: "edits files without asking"},
		{ID: "auto", Kind: nod.OptionMode, Label: "auto", Detail: "decides by itself where its checks allow"},
	}
	return r
}

func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(strings.TrimLeft(line, "# ")); line != "" {
			return line
		}
	}
	return ""
}

// questionInput is the input of AskUserQuestion.
type questionInput struct {
	Questions []struct {
		Question string `json:"question"`
		Header   string `json:"header"`
		Multi    bool   `json:"multiSelect"`
		Options  []struct {
			Label       string `json:"label"`
			Description string `json:"description"`
			Preview     string `json:"preview"`
		} `json:"options"`
	} `json:"questions"`
}

func askQuestions(r nod.Request) (nod.Request, error) {
	var in questionInput
	err := exactly(r.Input, &in, "questions", "question", "header", "multiSelect", "options", "label", "description", "preview")
	if err != nil || len(in.Questions) == 0 {
		return r, nod.Errorf(nod.Unprocessable, "a question without questions: only the terminal can answer it").Because(err)
	}
	r.Kind = nod.KindQuestion
	for _, q := range in.Questions {
		question := nod.Question{Text: q.Question, Header: q.Header, Multi: q.Multi, FreeText: true}
		for _, o := range q.Options {
			question.Choices = append(question.Choices, nod.Choice{Label: o.Label, Description: o.Description, Preview: o.Preview})
		}
		r.Questions = append(r.Questions, question)
	}
	r.Title = nod.Fold(nod.OneLine(r.Questions[0].Text), TitleLength)
	if len(r.Questions) > 1 {
		r.Title += fmt.Sprintf(" (+%d)", len(r.Questions)-1)
	}
	r.OneTap = len(r.Questions) == 1 && !r.Questions[0].Multi
	return r, nil
}

// Shown is how a tool call reads.
type Shown struct {
	Line  string // on one line
	Text  string // in full
	Field string // the input's main text, which a plain edit replaces
}

// toolInput is what is known of the inputs of tools.
type toolInput struct {
	Command  string          `json:"command"`
	About    json.RawMessage `json:"description"`
	Path     string          `json:"file_path"`
	Notebook string          `json:"notebook_path"`
	Content  string          `json:"content"`
	Old      string          `json:"old_string"`
	New      string          `json:"new_string"`
	URL      string          `json:"url"`
	Query    string          `json:"query"`
	Pattern  string          `json:"pattern"`
}

// about is what the model says about its command, below it and as a comment on one line,
// so that it cannot look like a part of it. It does not run. A single word ("run") says
// nothing.
func (in *toolInput) about() (text string, shown []string) {
	if json.Unmarshal(in.About, &text) != nil {
		return "", nil
	}
	shown = []string{"description"}
	if text = strings.Join(strings.Fields(text), " "); !strings.Contains(text, " ") {
		return "", shown
	}
	return "\n\n# " + nod.OneLine(text), shown
}

// Describe selects what a person must read of a tool's input. Unknown tools are shown
// with all of their input: nothing is left out.
func Describe(tool string, input json.RawMessage) Shown {
	var in toolInput
	if err := exactly(input, &in, "command", "description", "file_path", "notebook_path", "content", "old_string", "new_string", "url", "query", "pattern"); err != nil {
		return Shown{Line: string(input), Text: string(input)}
	}
	switch {
	case (tool == "Bash" || tool == "PowerShell") && in.Command != "":
		about, shown := in.about()
		return Shown{in.Command, in.Command + about + extras(input, append(shown, "command")...), "command"}
	case tool == "Write" && in.Path != "":
		return Shown{in.Path, in.Path + "\n\n" + in.Content + extras(input, "file_path", "content"), "content"}
	case tool == "Edit" && in.Path != "":
		return Shown{in.Path, in.Path + "\n\n" + edit(in.Old, in.New) + extras(input, "file_path", "old_string", "new_string"), "new_string"}
	}
	line := in.Path
	for _, s := range []string{in.Notebook, in.URL, in.Query, in.Pattern, in.Command} {
		if line == "" {
			line = s
		}
	}
	all := indent(input)
	if line == "" {
		line = string(input)
	}
	return Shown{Line: line, Text: all}
}

// edit draws a replacement as removed and added lines.
func edit(before, after string) string {
	var b strings.Builder
	for line := range strings.Lines(before) {
		b.WriteString("- " + strings.TrimSuffix(line, "\n") + "\n")
	}
	for line := range strings.Lines(after) {
		b.WriteString("+ " + strings.TrimSuffix(line, "\n") + "\n")
	}
	return b.String()
}

// extras lists the input's other fields, so that nothing that will run is
// missing from what is shown.
func extras(input json.RawMessage, shownFields ...string) string {
	fields := map[string]json.RawMessage{}
	if json.Unmarshal(input, &fields) != nil {
		return ""
	}
	var rest []string
	for name, value := range fields {
		if !slices.Contains(shownFields, name) {
			rest = append(rest, name+": "+string(value))
		}
	}
	if len(rest) == 0 {
		return ""
	}
	slices.Sort(rest)
	return "\n\n" + strings.Join(rest, "\n")
}

func indent(input json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, input, "", "  ") != nil {
		return string(input)
	}
	return b.String()
}
