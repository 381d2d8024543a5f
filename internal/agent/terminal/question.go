package terminal

import (
	"crypto/rand"
	"encoding/hex"
	"strings"
	"time"

	"nod"
	"nod/internal/agent/claude/screen"
)

// toolTerminal is the tool of a request that was read from a screen.
const toolTerminal = "Terminal"

const (
	dialogLife     = 24*time.Hour - time.Minute
	maxTitleLength = 160
)

// requestOf is a dialog as a question with its labels as choices. ok is false when
// there is nothing to choose, or when its checkboxes could not all be read.
func requestOf(d *screen.Dialog, now time.Time) (r nod.Request, ok bool) {
	q, least := questionOf(d), 2
	if q.Multi {
		least = 1
	}
	if d.MultiSelect && !q.Multi || len(q.Choices) < least || !distinct(q.Choices) {
		return r, false
	}
	expires := now.Add(dialogLife)
	return nod.Request{
		ID: newRequestID(), Kind: nod.KindQuestion, Tool: toolTerminal, Title: nod.Fold(nod.OneLine("In its terminal: "+d.Title), maxTitleLength),
		Display: displayOf(d), Questions: []nod.Question{q}, OneTap: !q.Multi && !isStartup(d),
		Dialog: nod.DialogBeside, ExpiresAt: &expires, Risk: riskOf(d),
	}, true
}

// displayOf is what to read. The body of a command's dialog begins with the command, which
// comes first everywhere.
func displayOf(d *screen.Dialog) string {
	if d.Kind == screen.Permission && strings.HasSuffix(d.Title, "command") {
		return d.Body
	}
	return d.Title + "\n\n" + d.Body
}

// questionOf is what a dialog asks. With checkboxes only their rows are choices, and
// free text is not taken: afterwards it could not be told from a label.
func questionOf(d *screen.Dialog) nod.Question {
	q := nod.Question{Text: promptOf(d), Multi: d.Checkable()}
	for _, row := range d.Rows {
		switch {
		case q.Multi && (!row.Checkbox || row.FreeText):
		case row.FreeText:
			q.FreeText = true
		default:
			q.Choices = append(q.Choices, nod.Choice{Label: nod.OneLine(row.Label), Description: nod.OneLine(row.Detail)})
		}
	}
	if len(d.Rows) == 0 {
		for _, k := range d.Keys {
			q.Choices = append(q.Choices, nod.Choice{Label: nod.OneLine(k.Action), Description: k.Name})
		}
	}
	return q
}

// promptOf is the sentence that the choices answer. In a startup dialog the last words
// above them are a link.
func promptOf(d *screen.Dialog) string {
	text := d.Prompt
	switch d.Kind {
	case screen.Trust:
		where, _, _ := strings.Cut(d.Body, "\n")
		text = d.Title + " " + where
	case screen.Server:
		text = d.Title
	}
	if text = nod.OneLine(text); text == "" {
		text = nod.OneLine(d.Title)
	}
	return text
}

// isStartup is a dialog before a session starts. Nothing is known yet about what it
// lets in, so it must be read before it is answered.
func isStartup(d *screen.Dialog) bool { return d.Kind == screen.Trust || d.Kind == screen.Server }

// riskOf: a hook's question is judged. This one was not, and a hook that is gone must
// not make anything easier to allow.
func riskOf(d *screen.Dialog) *nod.Risk {
	switch d.Kind {
	case screen.Question, screen.Other:
		return nil
	case screen.Trust, screen.Server:
		return &nod.Risk{Level: "unknown", Reason: "what this folder or server does is not known before it is let in"}
	}
	return &nod.Risk{Level: "destructive", Reason: "only the terminal asks: nod cannot judge what it would allow"}
}

// distinct: people could not choose between two rows with the same label.
func distinct(choices []nod.Choice) bool {
	seen := map[string]bool{}
	for _, c := range choices {
		if c.Label == "" || seen[c.Label] {
			return false
		}
		seen[c.Label] = true
	}
	return true
}

func newRequestID() nod.RequestID {
	var b [10]byte
	_, _ = rand.Read(b[:]) // never fails
	return nod.RequestID(hex.EncodeToString(b[:]))
}
