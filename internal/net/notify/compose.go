package notify

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"nod"
	"nod/internal/present/risk"
	"nod/internal/present/words"
)

// How much fits for reading at a glance.
const (
	nameLength = 40
	lineLength = 160
	fullLength = 1200
	listLength = 5
)

// Voice is how one channel addresses its person.
type Voice struct {
	Say     words.Printer
	Content Content
	Proof   []string                   // levels of risk that need a passkey
	Link    func(nod.RequestID) string // page of a request; "" is the list of pending ones. nil: there is none
	Now     time.Time
}

// Note renders an item. The caller adds the buttons.
func (v Voice) Note(i Item) Note {
	n := v.blank(i.Key)
	if i.Trouble == "" { // trouble may come again
		n.ID = i.Key + " " + i.Version
	}
	switch {
	case i.Trouble != "":
		n.Kind, n.Title, n.Body = Trouble, v.Say.Say(words.NoteDead, i.Trouble), v.Say.Say(words.NoteDeadBody)
		n.Link = ""
	case i.News != nil:
		v.news(&n, i.News)
	case i.Key == AllKey:
		v.several(&n, i.Requests)
	case len(i.Requests) > 0:
		v.request(&n, i.Requests)
	}
	return n
}

func (v Voice) blank(key string) Note {
	return Note{Key: key, At: v.Now, Lang: langOf(v.Say), Link: v.link(""), Open: v.Say.Say(words.NoteOpen)}
}

func (v Voice) link(id nod.RequestID) string {
	if v.Link == nil {
		return ""
	}
	return v.Link(id)
}

// request renders one request, or the oldest of several of one agent.
func (v Voice) request(n *Note, rs []*nod.Request) {
	r := rs[0]
	n.Kind, n.Agent, n.Until, n.Link = Waiting, r.Agent, r.ExpiresAt, v.link(r.ID)
	n.Title = v.Say.Say(titleOf(r.Kind), v.who(r.Agent))
	if r.Risk != nil {
		n.Risk = r.Risk.Level
	}
	if len(rs) == 1 {
		n.Request = r.ID
	}
	parts := []string{v.text(r)}
	if r.ExpiresAt != nil {
		parts = append(parts, v.Say.Say(words.NoteLeft, v.Say.Left(r.ExpiresAt.Sub(v.Now))))
	}
	if more := len(rs) - 1; more > 0 {
		parts = append(parts, v.Say.Count(words.NoteMore, more))
	}
	n.Body = join("\n", parts...)
}

// text is the request's content, as far as this channel may see it.
func (v Voice) text(r *nod.Request) string {
	level := ""
	if r.Risk != nil {
		level = v.Say.Risk(r.Risk.Level)
	}
	switch {
	case v.Content == None:
		return ""
	case r.Risk != nil && r.Risk.Level == "secret":
		return v.Say.Say(words.PushSecret) // not on a lock screen
	case v.Content == Full:
		return join("\n", level, fullText(r))
	}
	return join(" · ", level, line(r.Title))
}

func fullText(r *nod.Request) string {
	if r.Display == "" {
		return line(r.Title)
	}
	return nod.Fold(nod.Visible(r.Display), fullLength)
}

// Answers returns the buttons that a note about this request may have. Allow needs the whole text in the note: people
// must not allow what they were not shown. Requests that are destructive, secret or unknown, need a passkey, or need
// more than a yes or no must be opened.
func (v Voice) Answers(r *nod.Request) []nod.Verdict {
	if !r.OneTap || r.Kind != nod.KindApproval || r.Risk == nil || v.Content == None || slices.Contains(v.Proof, r.Risk.Level) {
		return nil
	}
	if risk.On(risk.Notification, r) != risk.Once {
		return nil
	}
	if v.whole(r) {
		return []nod.Verdict{nod.VerdictAllow, nod.VerdictDeny}
	}
	return []nod.Verdict{nod.VerdictDeny}
}

// foldMark is the start of nod.Fold's mark for omitted text.
const foldMark = "⟨… +"

func (v Voice) whole(r *nod.Request) bool {
	shown, limit := nod.OneLine(r.Title), lineLength
	if v.Content == Full && r.Display != "" {
		shown, limit = nod.Visible(r.Display), fullLength
	}
	return nod.Fold(shown, limit) == shown && !strings.Contains(shown, foldMark)
}

func (v Voice) Button(verdict nod.Verdict) Button {
	label := words.PushDeny
	if verdict == nod.VerdictAllow {
		label = words.PushAllow
	}
	return Button{Label: v.Say.Say(label), Verdict: verdict}
}

// several renders many requests as one note.
func (v Voice) several(n *Note, rs []*nod.Request) {
	n.Kind, n.Title = Several, v.Say.Count(words.WaitForYou, len(rs))
	var lines []string
	for _, r := range rs[:min(len(rs), listLength)] {
		if text := v.text(r); text != "" {
			text, _, _ = strings.Cut(text, "\n")
			lines = append(lines, "• "+v.who(r.Agent)+": "+text)
		}
	}
	if more := len(rs) - listLength; more > 0 && len(lines) > 0 {
		lines = append(lines, v.Say.Count(words.NoteMore, more))
	}
	n.Body = strings.Join(lines, "\n")
}

func (v Voice) news(n *Note, news *News) {
	n.Kind, n.Agent, n.At = news.Kind, news.Agent, news.At
	title := map[Kind]words.Message{
		Done: words.PushFinished, Failed: words.PushFailed, Ended: words.PushEnded,
		Limited: words.PushLimited, Resumed: words.NoteResumed,
	}[news.Kind]
	n.Title = v.Say.Say(title, v.who(news.Agent))
	if v.Content != None {
		n.Body = line(news.Line)
	}
	if news.Kind == Limited && news.Until != nil {
		n.Body = join("\n", n.Body, v.Say.Say(words.NoteGoesOn, v.Say.Left(news.Until.Sub(v.Now))))
	}
}

// Settled ends a note whose requests need no answer any more.
func (v Voice) Settled(key string, rs []*nod.Request) Note {
	n := v.blank(key)
	n.Kind, n.Silent, n.Title = Settled, true, v.Say.Say(words.PushSettled)
	if len(rs) != 1 {
		return n
	}
	r := rs[0]
	n.Agent, n.Request, n.Link, n.Title = r.Agent, r.ID, v.link(r.ID), v.ending(r)
	if text, _, _ := strings.Cut(v.text(r), "\n"); text != "" {
		n.Body = v.who(r.Agent) + ": " + text
	}
	return n
}

// Works ends a note about a failing channel.
func (v Voice) Works(key, channel string) Note {
	n := v.blank(key)
	n.Kind, n.Silent, n.Title, n.Link = Settled, true, v.Say.Say(words.NoteAlive, channel), ""
	return n
}

// Trial is a test note.
func (v Voice) Trial() Note {
	n := v.blank("test")
	n.Kind, n.Title, n.Body = Test, v.Say.Say(words.PushTestTitle), v.Say.Say(words.NoteTest)
	return n
}

// ending says who settled a request, and how.
func (v Voice) ending(r *nod.Request) string {
	switch {
	case r.Decision != nil:
		m := words.NoteAnswered
		switch r.Decision.Verdict {
		case nod.VerdictAllow:
			m = words.NoteAllowed
		case nod.VerdictDeny:
			m = words.NoteDenied
		}
		return v.Say.Say(m, line(r.Decision.By), line(r.Decision.Via))
	case r.Status == nod.Expired:
		return v.Say.Say(words.NoteExpired)
	case r.Withdrawal != nil && r.Withdrawal.Reason == nod.WithdrawnTerminal:
		return v.Say.Say(words.NoteTerminal)
	case r.Withdrawal != nil && (r.Withdrawal.Reason == nod.WithdrawnHandedBack || r.Withdrawal.Reason == nod.WithdrawnLost):
		return v.Say.Say(words.NoteHanded)
	case r.Withdrawal != nil:
		return v.Say.Say(words.NoteWithdrawn)
	}
	return v.Say.Say(words.PushSettled)
}

// Ending is the same for a person who pressed a button too late.
func (v Voice) Ending(r *nod.Request) string { return v.ending(r) }

func titleOf(k nod.RequestKind) words.Message {
	switch k {
	case nod.KindQuestion:
		return words.PushQuestion
	case nod.KindPlan:
		return words.PushPlan
	case nod.KindElicitation:
		return words.PushForm
	}
	return words.PushApproval
}

// who is an agent's name, and where it runs.
func (v Voice) who(a nod.AgentRef) string {
	name := a.Name
	if name == "" && a.Cwd != "" {
		name = filepath.Base(a.Cwd)
	}
	if name == "" {
		name = a.Kind
	}
	name = nod.Fold(nod.OneLine(name), nameLength)
	if a.Host == "" {
		return name
	}
	return v.Say.Say(words.OnHost, name, nod.Fold(nod.OneLine(a.Host), nameLength))
}

// line is one line of untrusted text with nothing hidden in it.
func line(text string) string { return nod.Fold(nod.OneLine(text), lineLength) }

// join skips empty parts.
func join(with string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), with)
}

func langOf(p words.Printer) string {
	switch p.Lang() {
	case words.Polish:
		return "pl"
	case words.Japanese:
		return "ja"
	}
	return "en"
}
