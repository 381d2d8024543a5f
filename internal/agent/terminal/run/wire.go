package run

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"nod"
)

// request is one line of JSON from the hub.
type request struct {
	Type  string   `json:"type"`            // one of the types below
	ID    string   `json:"id,omitempty"`    // with text: typed once for each id
	Text  string   `json:"text,omitempty"`  //
	Key   string   `json:"key,omitempty"`   // a name from keys
	Keys  []string `json:"keys,omitempty"`  // several, in one go
	PID   int      `json:"pid,omitempty"`   // refused if another program has the keyboard
	Typed *uint64  `json:"typed,omitempty"` // refused if the person has typed since this reply
	Until int64    `json:"until,omitempty"` // refused after this time, in milliseconds since 1970
}

// The types of a request.
const (
	typeText    = "text"
	typeLine    = "line" // a text typed key by key, for fields that take no paste
	typeKey     = "key"
	typeScreen  = "screen"
	typeStatus  = "status"
	typeFollow  = "follow" // the status now, and again whenever it changes
	typeProgram = "who"
)

// reply is one line of JSON to the hub.
type reply struct {
	OK      bool     `json:"ok"`
	Error   Refusal  `json:"error,omitempty"`
	Typed   uint64   `json:"typed"`           // grows whenever the person types
	Again   bool     `json:"again,omitempty"` // with text: it was typed by an earlier request
	Screen  *Screen  `json:"screen,omitempty"`
	Status  *Status  `json:"status,omitempty"`
	Program *Program `json:"who,omitempty"`
}

// Program is the program in a terminal.
type Program struct {
	Path  string `json:"program"` // its path
	PID   int    `json:"pid"`     // of the process in the foreground; 0: unknown just now
	Start uint64 `json:"start"`   // with PID: tells a reused pid from the old process
	Host  string `json:"host"`
	Cwd   string `json:"cwd"` // where it was started
}

// Screen is what the program shows.
type Screen struct {
	Text    string `json:"text"`    // lines without blanks at their ends
	Painted string `json:"painted"` // the same, with sequences for what is faint or reversed
	Rows    int    `json:"rows"`
	Columns int    `json:"columns"`
	Row     int    `json:"row"` // of the cursor, from 0
	Column  int    `json:"column"`
}

// Refusal is why something was not typed. Only with Stuck a part of it may have been.
type Refusal string

// The refusals.
const (
	Typing    Refusal = "typing"    // the person is typing
	Typed     Refusal = "typed"     // the person has typed since
	NoPaste   Refusal = "no_paste"  // the program does not take pastes now
	Stopped   Refusal = "stopped"   // the program is suspended
	Late      Refusal = "late"      // the request was read too late, after the wrapper was suspended
	Elsewhere Refusal = "elsewhere" // another program has the keyboard
	Stuck     Refusal = "stuck"     // the program does not read; it may have got a part
	Stranger  Refusal = "stranger"  // this process may not type here
	Garbled   Refusal = "garbled"   // the request cannot be understood or typed
	Ended     Refusal = "ended"     // the program has ended
	Blind     Refusal = "blind"     // the screen could not be followed
)

func (r Refusal) Error() string {
	if m, ok := refusals[r]; ok {
		return m.text
	}
	return "`nod run` refused"
}

var refusals = map[Refusal]struct {
	code nod.Code
	text string
}{
	Typing:    {nod.Unavailable, "someone is typing in that terminal right now; nothing was typed, try again in a moment"},
	Typed:     {nod.Conflict, "someone has typed in that terminal meanwhile; the key was not pressed, look at the screen first"},
	NoPaste:   {nod.Unavailable, "the program in that terminal does not take text right now; nothing was typed, look at the terminal"},
	Stopped:   {nod.Unavailable, "the agent is suspended; nothing was typed, bring it back with `fg` in its terminal"},
	Late:      {nod.Unavailable, "the terminal was suspended for too long; nothing was typed, send it again"},
	Elsewhere: {nod.Unreachable, "another program has the keyboard of that terminal; nothing was typed"},
	Stuck:     {nod.Unavailable, "the agent does not read its keyboard; it may have got a part of the text, look at the terminal"},
	Stranger:  {nod.Forbidden, "`nod run` takes keys from the hub and from people, not from an agent's own processes or other users"},
	Garbled:   {nod.Invalid, "that cannot be typed: control characters and texts above 1 MiB are refused"},
	Ended:     {nod.Unreachable, "that terminal is gone"},
	Blind:     {nod.Unavailable, "`nod run` could not follow the screen of that terminal; look at the terminal itself"},
}

// asError gives a refusal its code and its text.
func (r Refusal) asError() error {
	if m, ok := refusals[r]; ok {
		return nod.Errorf(m.code, "%s", m.text).Because(r)
	}
	return nod.Errorf(nod.Unavailable, "%s", r.Error()).Because(r)
}

// keys are what can be pressed: enough to send, stop, switch and choose, and nothing
// that ends a program.
var keys = map[string]string{
	"enter": "\r", "escape": "\x1b", "tab": "\t", "shift-tab": "\x1b[Z", "space": " ", "backspace": "\x7f",
	"ctrl-b": "\x02", "ctrl-e": "\x05", "ctrl-s": "\x13", "ctrl-u": "\x15",
	"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
	"0": "0", "1": "1", "2": "2", "3": "3", "4": "4", "5": "5", "6": "6", "7": "7", "8": "8", "9": "9",
}

// encodeKeys encodes keys as the program expects them; arrows have a second form. An
// Escape must be last, or it would change the meaning of the next key.
func encodeKeys(names []string, application bool) (text string, ok bool) {
	for i, name := range names {
		key, ok := keys[keyName(name)]
		if !ok || key == keys["escape"] && i < len(names)-1 {
			return "", false
		}
		if application && len(key) == 3 && key[2] >= 'A' && key[2] <= 'D' {
			key = "\x1bO" + key[2:]
		}
		text += key
	}
	return text, text != "" && len(text) < longestKeys
}

const longestKeys = 1000

// keyName takes the names of tmux too: Enter, C-u, BTab.
func keyName(key string) string {
	key = strings.ToLower(key)
	if rest, ok := strings.CutPrefix(key, "c-"); ok {
		return "ctrl-" + rest
	}
	switch key {
	case "btab":
		return "shift-tab"
	case "bspace":
		return "backspace"
	}
	return key
}

// The longest message, and the longest line of a request.
const (
	maxText = 1 << 20
	maxLine = 8 << 20
)

const (
	pasteBegin = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// encodePaste makes a bracketed paste, with the line ends of the Enter key. Text that
// could end the paste is refused.
func encodePaste(text string) (string, bool) {
	if !isPlain(text, "\n\t") {
		return "", false
	}
	return pasteBegin + strings.ReplaceAll(text, "\n", "\r") + pasteEnd, true
}

// isPlain reports whether a text has no control characters except allowed ones.
func isPlain(text, allowed string) bool {
	if text == "" || len(text) > maxText || !utf8.ValidString(text) {
		return false
	}
	for _, r := range text {
		if unicode.IsControl(r) && !strings.ContainsRune(allowed, r) {
			return false
		}
	}
	return true
}
