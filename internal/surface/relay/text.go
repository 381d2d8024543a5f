package relay

import (
	"encoding/json"
	"strings"

	"nod"
)

// detail is the text that people read, the same on every surface: what will run, then what
// the terminal shows. Without a command it is the original's text.
func (e *entry) detail(f fields) string {
	input := f.object("tool_input")
	text := paneText(f)
	if command := input.text("command"); command != "" && text != command && !strings.HasPrefix(text, command+"\n") {
		text = strings.TrimSuffix("$ "+command+"\n"+text, "\n")
	}
	for _, other := range []string{input.text("file_path"), f.text("message"), e.tool + " の実行を許可しますか？"} {
		if text == "" {
			text = other
		}
	}
	if e.question != "" {
		text += "\n" + e.question
	}
	if !e.answerable {
		text += notAnswerable
	}
	return text
}

// title is one line with the whole command: its second line must not hide.
func title(tool, command, detail string) string {
	if command == "" {
		command, _, _ = strings.Cut(detail, "\n")
	}
	return nod.Fold(nod.OneLine(tool+": "+command), titleLength)
}

// exactInput is what the agent will run, so that rules and risks apply as they do to
// any other agent.
func exactInput(tool string, input fields) json.RawMessage {
	if command := input.word("command"); tool == "Bash" && command != "" {
		return encode(map[string]string{"command": command})
	}
	return encode(input)
}

// commandOf is the command of a request, if it has one.
func commandOf(input json.RawMessage) string {
	f := fields{}
	_ = json.Unmarshal(input, &f) // an input that is no object has none
	return f.text("command")
}

// knownTip is the tip of today's dialogs in full. A narrow terminal breaks it into lines.
const knownTip = `Tip: auto mode handles these prompts for you — choose "switch to auto mode" below`

// paneText is what the hook read in the terminal, without tips.
func paneText(f fields) string {
	var kept []string
	tip := nod.IsTip(f.text("header"))
	for line := range strings.SplitSeq(f.text("description"), "\n") {
		if tip = nod.IsTip(line) || tip && strings.Contains(knownTip, strings.TrimSpace(line)); !tip {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

// dialogTitle is the first line of the dialog. A tip is none.
func dialogTitle(f fields) string {
	if header := f.text("header"); !nod.IsTip(header) {
		return header
	}
	return ""
}

// unsure reports that the answer may go into another dialog than the one of tool_input.
// The original's hook gets tool_input from its agent and the choices from the terminal,
// and of several hooks that run at once the last one wins. Only if the terminal shows
// exactly that command they belong together. A hook that hands the answer to its agent by
// itself presses no key.
func (e *entry) unsure(f fields) bool {
	if f.is("has_tmux", false) && f.is("can_respond", true) {
		return false
	}
	paned := e.listed || f.is("has_tmux", true) || e.target != ""
	return paned && !(shows(f) && agree(e.options, f.object("tool_input").word("command")))
}

// shows reports whether the terminal shows exactly the command of tool_input, and nothing
// that could be a part of another one. Codex's hook sends no text of the terminal: what
// looks like it is tool_input again.
func shows(f fields) bool {
	input := f.object("tool_input")
	command, about := input.word("command"), input.word("description")
	if command == "" || strings.Contains(command, "\n") || f.text("client") == "codex" {
		return false
	}
	text := f.text("description")
	if text != paneText(f) || nod.IsTip(f.text("header")) {
		return false // dialogs with tips have the command where the hook does not look
	}
	return text == command || about != "" && text == command+"\n"+about
}

// agree reports whether no choice names another command: the agent's program writes "and
// don't ask again for: git status:*" into the dialog of git status.
func agree(options []option, command string) bool {
	for _, o := range options {
		_, named, ok := strings.Cut(strings.ReplaceAll(o.Text, "’", "'"), "ask again for: ")
		if named = strings.TrimRight(named, ":* "); ok && command != named && !strings.HasPrefix(command, named+" ") {
			return false
		}
	}
	return true
}
