package render

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"nod"
)

// Card is what a person reads before answering a request.
type Card struct {
	Parts []Part `json:"parts"`
}

// Part is one piece of a card. Title is plain text, HTML is safe.
type Part struct {
	Kind  string `json:"kind"`
	Title string `json:"title"`
	HTML  string `json:"html"`
}

// The kinds of part.
const (
	KindCommand  = "command"
	KindDiff     = "diff"
	KindFile     = "file"
	KindMarkdown = "markdown"
	KindJSON     = "json"
	KindText     = "text"
)

// Request draws exactly what the agent will do. Whatever part of the input has
// no better form is shown as JSON: nothing that will run is left out.
func Request(r *nod.Request) Card {
	switch r.Kind {
	case nod.KindQuestion, nod.KindElicitation:
		return Card{questionParts(r)}
	case nod.KindPlan:
		if p, ok := planParts(r); ok {
			return Card{p}
		}
	}
	var in input
	if json.Unmarshal(r.Input, &in.fields) != nil || in.fields == nil {
		return Card{unreadable(r)}
	}
	parts := in.parts(r.Tool)
	if len(parts) == 0 {
		return Card{append([]Part{wholeInput(r.Input)}, dialog(r)...)}
	}
	return Card{slices.Concat(parts, in.rest(), dialog(r))}
}

// dialog is what the terminal shows, where that may be something else than the input: the
// answer goes there.
func dialog(r *nod.Request) []Part {
	if !r.Unsure || r.Display == "" {
		return nil
	}
	in := input{}
	_ = json.Unmarshal(r.Input, &in.fields) // Request has read it
	command, _ := in.text("command")
	text := strings.TrimPrefix(strings.TrimPrefix(r.Display, "$ "+command), "\n")
	if text == "" {
		return nil
	}
	return []Part{textPart("terminal", text)}
}

// unreadable is a request whose input is not an object: its text or, if there is none, the
// raw input.
func unreadable(r *nod.Request) []Part {
	text := r.Display
	if text == "" {
		text = string(r.Input)
	}
	if text == "" {
		text = r.Title
	}
	return []Part{textPart("", text)}
}

func textPart(title, text string) Part {
	return Part{KindText, oneLine(title), sanitize(paragraphs(text))}
}

func oneLine(title string) string { return nod.Fold(nod.OneLine(title), 300) }

// input is a tool's input. Fields are found by their exact names: encoding/json
// on a struct would take "Command" for "command", which the agent does not run.
type input struct {
	fields map[string]json.RawMessage
	shown  []string
}

// text takes a field that is a string; it is then not shown by rest.
func (in *input) text(name string) (string, bool) {
	var s *string
	raw, ok := in.fields[name]
	if !ok || json.Unmarshal(raw, &s) != nil || s == nil {
		return "", false
	}
	in.shown = append(in.shown, name)
	return *s, true
}

func (in *input) parts(tool string) []Part {
	switch tool {
	case "Bash", "PowerShell":
		return in.command(tool)
	case "Edit":
		return in.edit()
	case "MultiEdit":
		return in.edits()
	case "Write":
		return in.write()
	case "NotebookEdit":
		return in.cell()
	case "WebFetch":
		return in.words("url", "prompt")
	case "WebSearch":
		return in.words("query")
	case "ExitPlanMode":
		if plan, ok := in.text("plan"); ok {
			return []Part{{KindMarkdown, "", Markdown(plan)}}
		}
	}
	return nil
}

func (in *input) command(tool string) []Part {
	line, ok := in.text("command")
	if !ok {
		return nil
	}
	p := Part{Kind: KindCommand, HTML: Command(line)}
	if tool == "PowerShell" {
		p.HTML = sanitize(codeBlock("code command", find("powershell"), line))
	}
	parts := []Part{p}
	if d, ok := in.text("description"); ok && d != "" {
		parts = append(parts, textPart("description", d))
	}
	return parts
}

func (in *input) edit() []Part {
	old, ok1 := in.text("old_string")
	now, ok2 := in.text("new_string")
	path, ok3 := in.text("file_path")
	if !ok1 || !ok2 || !ok3 {
		in.shown = nil
		return nil
	}
	return []Part{{KindDiff, oneLine(path), fragmentDiff(path, old, now)}}
}

func (in *input) edits() []Part {
	path, ok := in.text("file_path")
	var list []map[string]json.RawMessage
	if !ok || json.Unmarshal(in.fields["edits"], &list) != nil || len(list) == 0 {
		in.shown = nil
		return nil
	}
	var parts []Part
	for i, fields := range list {
		one := input{fields: fields}
		old, ok1 := one.text("old_string")
		now, ok2 := one.text("new_string")
		if !ok1 || !ok2 {
			in.shown = nil
			return nil
		}
		title := oneLine(path) + " (" + strconv.Itoa(i+1) + "/" + strconv.Itoa(len(list)) + ")"
		parts = append(parts, Part{KindDiff, title, fragmentDiff(path, old, now)})
		parts = append(parts, one.rest()...)
	}
	in.shown = append(in.shown, "edits")
	return parts
}

func (in *input) write() []Part {
	path, ok1 := in.text("file_path")
	content, ok2 := in.text("content")
	if !ok1 || !ok2 {
		in.shown = nil
		return nil
	}
	return []Part{{KindFile, oneLine(path), Code(path, content)}}
}

func (in *input) cell() []Part {
	path, ok1 := in.text("notebook_path")
	source, ok2 := in.text("new_source")
	if !ok1 || !ok2 {
		in.shown = nil
		return nil
	}
	lang := "python"
	if string(in.fields["cell_type"]) == `"markdown"` {
		lang = "markdown"
	}
	return []Part{{KindFile, oneLine(path), Code(lang, source)}}
}

func (in *input) words(names ...string) []Part {
	var parts []Part
	for _, name := range names {
		if s, ok := in.text(name); ok {
			parts = append(parts, textPart(name, s))
		}
	}
	return parts
}

// rest shows every field that was not shown yet, with its name.
func (in *input) rest() []Part {
	for _, name := range in.shown {
		delete(in.fields, name)
	}
	if len(in.fields) == 0 {
		return nil
	}
	var raw bytes.Buffer
	e := json.NewEncoder(&raw)
	e.SetEscapeHTML(false) // the agent's own bytes
	e.SetIndent("", "  ")
	if e.Encode(in.fields) != nil {
		raw.Reset()
	}
	title := oneLine(strings.Join(slices.Sorted(maps.Keys(in.fields)), ", "))
	return []Part{{KindJSON, title, Code("json", strings.TrimSuffix(raw.String(), "\n"))}}
}

// wholeInput keeps the agent's order of fields, and duplicates.
func wholeInput(raw json.RawMessage) Part {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return textPart("", string(raw))
	}
	return Part{KindJSON, "", Code("json", b.String())}
}
