package relaypeer

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"nod"
	"nod/internal/present/risk"
	"nod/internal/present/words"
)

// What a device accepts, in bytes. It would cut the rest in the middle of a character.
const (
	mostBody    = 2047
	mostShort   = 63
	mostMessage = 511
	mostChoice  = 31
	mostBadge   = 16 // drawn of the host's name
	mostButton  = 19 // drawn of a choice, on its button
)

// The size of a message on its screen, in lines and half-width characters.
const (
	lines   = 10
	columns = 44
)

// The numbers of choices. A device keeps them in one byte and does not show them. A
// prompt of a terminal has small ones, so these identify nod's.
const (
	firstNumber  = 200
	allowNumber  = 201
	openNumber   = 202
	denyNumber   = 209
	optionNumber = 210
)

// longestWait is for requests without a deadline.
const longestWait = time.Hour

// posting is a request as a device gets it.
type posting struct {
	body    []byte
	answers map[string]nod.Answer // by key
	opens   string                // the key of "Open nod"
}

type choice struct {
	Number int    `json:"number"`
	Text   string `json:"text"`
}

type createBody struct {
	Tool        string   `json:"tool_name"`
	Header      string   `json:"header"`
	Description string   `json:"description"`
	Choices     []choice `json:"choices"`
	HasTmux     bool     `json:"has_tmux"`
	Target      string   `json:"tmux_target"` // the device cancels older requests of the same target
	Hostname    string   `json:"hostname"`
	Timeout     int      `json:"timeout"`
}

// composer formats requests for one device.
type composer struct {
	say      words.Printer
	proof    []string
	readOnly bool
}

// compose shortens a request to what the device can hold. It can be allowed there only
// if all of it is on the screen and its risk is low enough for one press.
func (c composer) compose(r *nod.Request, others int, now time.Time) (posting, error) {
	text, whole := c.text(r)
	b := createBody{
		Tool: clip(c.tool(r), mostShort), Header: clip(c.header(r, others), min(mostShort, columns)), Description: text,
		HasTmux: true, Target: target(r.ID), Hostname: badge(r.Agent), Timeout: int(longestWait.Seconds()),
	}
	if r.ExpiresAt != nil {
		b.Timeout = max(1, min(b.Timeout, int(r.ExpiresAt.Sub(now).Seconds())))
	}
	p := posting{answers: map[string]nod.Answer{}}
	if !c.readOnly {
		b.Choices = c.choices(r, whole, &p)
	}
	var err error
	if p.body, err = encode(b); err == nil && len(p.body) > mostBody {
		err = nod.Errorf(nod.TooLarge, "request %s does not fit on a relay device", r.ID)
	}
	return p, err
}

// target is a unique name of the request: the device cancels older requests of the same
// target.
func target(id nod.RequestID) string {
	name := "nod:" + string(id)
	if len(name) > mostShort || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' }) {
		sum := sha256.Sum256([]byte(id))
		name = "nod:" + hex.EncodeToString(sum[:20])
	}
	return name
}

// choices are at most two, because the device's buttons reach only the first and the
// last.
func (c composer) choices(r *nod.Request, whole bool, p *posting) []choice {
	if list := c.replies(r, whole, p); list != nil {
		return list
	}
	no := words.DeviceDeny
	if r.Kind == nod.KindQuestion || r.Kind == nod.KindElicitation {
		no = words.DeviceDecline
	}
	list := []choice{{openNumber, c.say.Say(words.DeviceOpen)}, {denyNumber, c.say.Say(no)}}
	p.answers[keyOf(denyNumber)] = nod.Answer{Verdict: nod.VerdictDeny}
	if whole && c.onePress(r) {
		list[0] = choice{allowNumber, c.say.Say(words.DeviceAllow)}
		p.answers[keyOf(allowNumber)] = nod.Answer{Verdict: nod.VerdictAllow}
	} else {
		p.opens = keyOf(openNumber)
	}
	for i := range list {
		list[i].Text = clip(list[i].Text, mostChoice)
	}
	return list
}

// replies are the answers to a question that has exactly two.
func (c composer) replies(r *nod.Request, whole bool, p *posting) []choice {
	if r.Kind != nod.KindQuestion || !r.OneTap || !whole || len(r.Questions) != 1 {
		return nil
	}
	q := r.Questions[0]
	if q.Multi || len(q.Choices) != 2 {
		return nil
	}
	var list []choice
	for i, o := range q.Choices {
		if o.Label == "" || len(o.Label) > mostButton || !drawable(o.Label) {
			return nil
		}
		list = append(list, choice{optionNumber + i, o.Label})
		p.answers[keyOf(optionNumber+i)] = nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{q.Key(): {Picked: []string{o.Label}}}}
	}
	return list
}

// onePress reports whether one press of a button is enough to allow it.
func (c composer) onePress(r *nod.Request) bool {
	if !r.OneTap || r.Kind != nod.KindApproval || r.Link != "" || r.Risk == nil || slices.Contains(c.proof, r.Risk.Level) {
		return false
	}
	return risk.On(risk.Screen, r) == risk.Once
}

// text is the message; whole reports that nothing is left out.
func (c composer) text(r *nod.Request) (text string, whole bool) {
	if r.Risk != nil && r.Risk.Level == "secret" {
		return c.say.Say(words.PushSecret), false // the connection to a device is not encrypted
	}
	text = r.Display
	if text == "" || r.Kind == nod.KindQuestion {
		text = r.Title
	}
	if r.Kind == nod.KindQuestion && len(r.Questions) == 1 {
		text = r.Questions[0].Text
		for _, o := range r.Questions[0].Choices {
			text += "\n- " + o.Label
		}
	}
	text = nod.Visible(strings.TrimSpace(text))
	if len(text) <= mostMessage && height(text) <= lines {
		return text, drawable(text)
	}
	text = nod.OneLine(text) // seeing its end matters more than its line breaks
	short := fit(text, mostMessage)
	for n := len(short); height(short) > lines; short = fit(short, n) {
		n = n * 9 / 10
	}
	return short, false
}

func (c composer) tool(r *nod.Request) string {
	if r.Kind == nod.KindQuestion {
		return "Question"
	}
	if r.Tool == "" {
		return string(r.Kind)
	}
	return nod.OneLine(r.Tool)
}

// header is the line above the message: the tool, the risk, and how many others wait.
func (c composer) header(r *nod.Request, others int) string {
	text := c.tool(r)
	if r.Risk != nil {
		text += ", " + c.say.Risk(r.Risk.Level)
	}
	if others > 0 {
		text = "(+" + keyOf(others) + ") " + text
	}
	return text
}

// badge is who asks, as short as it is drawn.
func badge(a nod.AgentRef) string {
	name, host := nod.OneLine(a.Name), nod.OneLine(a.Host)
	if name == "" && a.Cwd != "" {
		name = nod.OneLine(filepath.Base(a.Cwd))
	}
	if name == "" {
		name = a.Kind
	}
	if both := host + ":" + name; host != "" && len(both) <= mostBadge {
		return both
	}
	return clip(name, mostBadge)
}

// height is how many lines a text takes: the device breaks lines at any character.
func height(text string) int {
	n := 0
	for line := range strings.SplitSeq(text, "\n") {
		n++
		column := 0
		for _, r := range line {
			w := width(r)
			if column+w > columns {
				n, column = n+1, 0
			}
			column += w
		}
	}
	return n
}

func width(r rune) int {
	if r < 0x1100 {
		return 1
	}
	return 2
}

// drawable reports whether the device's font certainly has every character. Others are
// not drawn, and a person must not allow what they cannot see.
func drawable(text string) bool {
	for _, r := range text {
		switch {
		case r == '\n', r >= ' ' && r <= '~':
		case r >= 0x3001 && r <= 0x30FF, r >= 0x4E00 && r <= 0x9FFF, r >= 0xFF01 && r <= 0xFF5E:
		default:
			return false
		}
	}
	return true
}

// fit folds a text into a number of bytes and keeps its end, where the danger of a long
// command often is.
func fit(text string, most int) string {
	if len(text) <= most {
		return text
	}
	text = nod.Fold(text, max(16, most)) // a folded text can be folded again
	for n := most; n >= 16; n = n * 9 / 10 {
		if short := nod.Fold(text, n); len(short) <= most {
			return short
		}
	}
	return clip(text, most)
}

// clip cuts a text to a number of bytes, between two characters, and ends it with ….
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	n := max(0, most-len("…"))
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}

func encode(b createBody) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false) // six bytes for each < of a command would push its end out
	err := e.Encode(b)
	return bytes.TrimSpace(out.Bytes()), err
}
