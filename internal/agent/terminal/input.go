package terminal

import (
	"path/filepath"
	"strings"
	"unicode"

	"nod"
)

// input is a message as it is typed.
type input struct {
	text    string // exactly what goes into the input box
	command bool   // Claude Code runs it itself, and may not report it
}

// compose turns a message into what Claude Code takes as exactly this text:
//
//   - a leading ! would run the rest as a shell command without a question, so a
//     blank goes in front of it;
//   - a single line that starts with a /command is one, because people do not write
//     that by accident. With more lines it is text, by a full stop in front. A path such
//     as /etc/hosts is no command;
//   - a backslash at the end would turn Enter into a new line, so a blank follows it;
//   - @ and # at the start keep their meaning;
//   - Claude Code turns a tab into four blanks, so we do.
func compose(m *nod.Message) (input, error) {
	text := strings.ReplaceAll(m.Text, "\r\n", "\n")
	for _, r := range text {
		if r != '\n' && r != '\t' && unicode.IsControl(r) {
			return input{}, nod.Errorf(nod.Unprocessable, "It holds a control character (%U), which would be a key in the terminal. Send it without.", r)
		}
	}
	text = strings.TrimSpace(strings.ReplaceAll(text, "\t", "    "))
	for _, f := range m.Files {
		text = strings.TrimSpace(text + "\n\nAttached file: " + f.Path)
	}
	in := input{text: text}
	switch {
	case strings.HasPrefix(text, "!"):
		in.text = " " + text
	case isCommand(text) && strings.Contains(text, "\n"):
		in.text = ". " + text
	case isCommand(text):
		in.command = true
	}
	if strings.HasSuffix(in.text, `\`) || endsInMention(in.text) {
		in.text += " "
	}
	return in, nil
}

// isCommand recognises /name and /plugin:name, with or without arguments.
func isCommand(text string) bool {
	name, ok := strings.CutPrefix(text, "/")
	if !ok {
		return false
	}
	if end := strings.IndexFunc(name, unicode.IsSpace); end >= 0 {
		name = name[:end]
	}
	return name != "" && strings.IndexFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(":_-", r)
	}) < 0
}

// endsInMention reports whether the text ends in @name. A list of files opens below
// it, and would take the Enter.
func endsInMention(text string) bool {
	last := text[strings.LastIndexAny(text, " \n")+1:]
	return strings.HasPrefix(last, "@")
}

// isSameText reports whether a recorded turn is this text. Claude Code trims its
// input, the log keeps only the start of a long turn, and the path of an image, alone,
// becomes the image.
func isSameText(t nod.Turn, text string) bool {
	got, want := normalize(t.Text), normalize(text)
	if t.Cut > 0 {
		return strings.HasPrefix(want, got) && len(got) > 0
	}
	return got == want || isImage(want) && strings.HasPrefix(got, "[Image #")
}

func normalize(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\t", "    ").Replace(text)
	return strings.TrimSpace(text)
}

func isImage(text string) bool {
	switch strings.ToLower(filepath.Ext(text)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp":
		return !strings.Contains(text, "\n")
	}
	return false
}
