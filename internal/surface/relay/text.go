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
// and of several hooks that run at once the last one wins. Its text of the terminal is no
// proof: it is cut, and an agent writes some of it. A hook that hands the answer to its
// agent by itself presses no key.
func (e *entry) unsure(f fields) bool {
	if f.is("has_tmux", false) && f.is("can_respond", true) {
		return false
	}
	return e.listed || f.is("has_tmux", true) || e.target != ""
}
