package terminal

import (
	"path/filepath"
	"strings"
	"unicode"

	"nod"
)

// letter is a message as it is typed.
type letter struct {
	text    string // exactly what goes into the input box
	command bool   // Claude Code acts on it by itself, and may tell nobody
}

// compose makes of a message what Claude Code will take as these very words:
//
//   - a leading ! would run the rest as a shell command that nobody is asked
//     about: a blank in front makes it words again;
//   - a single line that begins with a /command is one, because nobody writes
//     that by accident; in several lines it is made words by a full stop in front.
//     A path such as /etc/hosts is no command;
//   - a backslash at the end would make the Enter a new line: a blank behind it;
//   - @ and # at the beginning mean nothing that Claude Code would not mean;
//   - Claude Code makes four blanks of a tab, so we do.
func compose(m *nod.Message) (letter, error) {
	text := strings.ReplaceAll(m.Text, "\r\n", "\n")
	for _, r := range text {
		if r != '\n' && r != '\t' && unicode.IsControl(r) {
			return letter{}, nod.Errorf(nod.Unprocessable, "It holds a control character (%U), which would be a key in the terminal. Send it without.", r)
		}
	}
	text = strings.TrimSpace(strings.ReplaceAll(text, "\t", "    "))
	for _, f := range m.Files {
		text = strings.TrimSpace(text + "\n\nAttached file: " + f.Path)
	}
	l := letter{text: text}
	switch {
	case strings.HasPrefix(text, "!"):
		l.text = " " + text
	case isCommand(text) && strings.Contains(text, "\n"):
		l.text = ". " + text
	case isCommand(text):
		l.command = true
	}
	if strings.HasSuffix(l.text, `\`) || endsInMention(l.text) {
		l.text += " "
	}
	return l, nil
}

// isCommand recognises /name and /plugin:name, alone or with words behind.
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

// endsInMention: a list of files opens below @name, and it would take the Enter.
func endsInMention(text string) bool {
	last := text[strings.LastIndexAny(text, " \n")+1:]
	return strings.HasPrefix(last, "@")
}

// sameWords reports whether a recorded turn is this text. Claude Code trims what
// it is given; the log keeps the beginning of a long turn and the length of the
// rest; and an image's path, alone, becomes an image.
func sameWords(t nod.Turn, text string) bool {
	got, want := normal(t.Text), normal(text)
	if t.Cut > 0 {
		return strings.HasPrefix(want, got) && len(got) > 0
	}
	return got == want || isImage(want) && strings.HasPrefix(got, "[Image #")
}

func normal(text string) string {
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
