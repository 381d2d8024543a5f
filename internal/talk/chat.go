package talk

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"nod"
	"nod/internal/hub"
	"nod/internal/present/words"
)

// Chat is a question with its whole history, from a program that keeps its
// conversations itself.
type Chat struct {
	Via       string        // which surface asks
	By        nod.Actor     // who calls
	Assistant nod.Assistant // which assistant is asked
	System    string        // what the program wants the assistant to know
	Before    []Line        // oldest first
	Text      string        // what is asked now
	Hint      string        // how to answer it
	Fresh     bool          // a single question: no history, and no follow-up
}

// Reply is what the program gets to read.
type Reply struct {
	Text string // the answer, or what nod itself has to say
	Outcome
}

// ChatOptions are what Chats work with.
type ChatOptions struct {
	Asker   *Asker
	Now     func() time.Time // nil: time.Now
	Context time.Duration    // how long a conversation remembers, unless its assistant says otherwise; 0: it stays
	Rate    int              // questions a minute for one client; 0: any number
	// Phrases judges a person's words by the phrase rules, as the driver does. Words that
	// it does not allow are not passed to an assistant as history. nil: all are allowed.
	Phrases func(text string) (verdict, reason string)
	// While makes the context of waiting for an answer: it outlives the call, so that a
	// caller can disconnect, and ends with the server. httpd.WhileServing.
	While func(context.Context) (context.Context, context.CancelFunc)
}

// Chats answers programs that keep their conversations themselves: it finds the
// conversation that fits what they remember.
type Chats struct {
	ChatOptions
	threads threadCache
	flights flights
	limit   Rate
	yeses   Yeses
}

// NewChats makes Chats. One serves every surface of its kind.
func NewChats(o ChatOptions) *Chats {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.While == nil {
		o.While = context.WithCancel
	}
	if o.Phrases == nil {
		o.Phrases = func(string) (string, string) { return phraseAllowed, "" }
	}
	return &Chats{ChatOptions: o, limit: Rate{Most: o.Rate}}
}

// Answer waits for the answer, and passes its pieces on as they arrive; piece may be
// nil. The turn continues when the caller disconnects. A question that is repeated
// while the first is still unanswered, as programs do after a broken connection, is
// asked once.
func (c *Chats) Answer(ctx context.Context, desk hub.Desk, chat Chat, piece func(string)) (Reply, error) {
	f, first := c.flights.join(chat.same(), c.Now())
	if first {
		c.begin(ctx, f, desk, chat)
	}
	reply, took, err := f.follow(ctx, piece)
	c.flights.leave(f, took)
	return reply, err
}

// begin asks on behalf of all waiting callers, and continues without them.
func (c *Chats) begin(ctx context.Context, f *flight, desk hub.Desk, chat Chat) {
	if err := c.limit.Count(chat.client(), c.Now()); err != nil {
		f.land(Reply{}, err, c.Now())
		return
	}
	life, done := c.While(context.WithoutCancel(ctx))
	go func() {
		defer done()
		reply, err := c.exchange(life, desk, chat, f.add)
		f.land(reply, err, c.Now())
	}()
}

// exchange continues the matching conversation, or opens one.
func (c *Chats) exchange(ctx context.Context, desk hub.Desk, chat Chat, piece func(string)) (Reply, error) {
	q := Question{
		Text: chat.Text, Assistant: chat.Assistant.Name, Language: chat.Assistant.Language,
		Via: chat.Via, Client: chat.client(), Hint: chat.Hint, Context: c.Context, Fresh: true,
	}
	if chat.Assistant.Context > 0 {
		q.Context = chat.Assistant.Context
	}
	at, extra, err := c.find(ctx, desk, q, chat)
	if err != nil {
		return Reply{}, err
	}
	q.Hints = chat.opening(c.mayPassOn)
	if at.agent != "" {
		q.Session, q.Fresh, q.Hint = at.agent, false, join(meanwhile(extra, c.mayPassOn), chat.Hint)
	}
	var streamed strings.Builder
	show := func(text string) { streamed.WriteString(text); piece(text) }
	reply, err := c.put(ctx, desk, at, q, show)
	if err != nil || reply.Agent == nil {
		return reply, err
	}
	if reply.Outcome.Text == "" && reply.Trouble == "" { // nod's own text follows what was streamed so far
		if streamed.Len() > 0 {
			show("\n\n")
		}
		show(reply.Text)
	}
	c.keep(chat, reply, streamed.String())
	if chat.Fresh && reply.Request == nil && !reply.Late {
		_ = desk.Leave(ctx, reply.Agent.ID) // there is no follow-up; if this fails, the conversation times out
	}
	return reply, nil
}

// put decides what the text is: an answer to the pending request, a query for the
// outcome of a request that was answered elsewhere, or a new question.
func (c *Chats) put(ctx context.Context, desk hub.Desk, at thread, q Question, piece func(string)) (Reply, error) {
	r := c.Asker.open(at.asked) // the request they were shown, even if there is a newer one
	if r == nil || r.Agent.ID != at.agent {
		r = c.Asker.Pending(at.agent)
	}
	if r != nil {
		return c.settle(ctx, desk, r, at, q.Text, piece)
	}
	if at.open != "" && assents(q.Language, q.Text) { // it was answered on another device
		if o, err := c.Asker.Wait(ctx, desk, at.agent, at.open, piece); err == nil || nod.CodeOf(err) != nod.NotFound {
			return c.toReply(o, err)
		}
	}
	return c.toReply(c.Asker.Ask(ctx, desk, q, piece))
}

// keep caches the history that the program will send next time: with the answer as
// it was streamed, and as a whole; or with a question that failed without an answer.
func (c *Chats) keep(chat Chat, reply Reply, streamed string) {
	t := thread{agent: reply.Agent.ID}
	if reply.Trouble != "" {
		c.threads.put(chat.hash(chat.after()), t)
		return
	}
	if reply.Request != nil || reply.Late {
		t.open = reply.Message
	}
	if reply.Request != nil {
		t.asked = reply.Request.ID
	}
	c.threads.put(chat.hash(chat.after(Line{Text: streamed})), t)
	c.threads.put(chat.hash(chat.after(Line{Text: reply.Text})), t)
}

// after is the program's history after this question.
func (c *Chat) after(answer ...Line) []line {
	return normalized(slices.Concat(c.Before, []Line{{Person: true, Text: c.Text}}, answer))
}

// toReply puts an outcome into words.
func (c *Chats) toReply(o Outcome, err error) (Reply, error) {
	reply := Reply{Text: o.Text, Outcome: o}
	if err != nil {
		return reply, err
	}
	say := printerFor(o.Agent)
	switch {
	case o.Request != nil:
		reply.Text = Aloud(say, o.Request)
	case o.Late:
		reply.Text = say.Say(words.BrainLate)
	case o.Trouble != "":
		reply.Text = TroubleText(say, o, c.Now())
	case o.Text == "":
		reply.Text = say.Say(words.BrainSilent)
	}
	return reply, nil
}

// printerFor is the printer for what nod itself says in a conversation.
func printerFor(a *nod.Agent) words.Printer {
	var language string
	if a != nil && a.Talk != nil {
		language = a.Talk.Language
	}
	say, _ := words.Speaks(language)
	return say
}

// client is whose conversations these are.
func (c *Chat) client() string { return ClientOf(c.By) }

// ClientOf is a stable identifier of a caller. A process has a new pid every time,
// so it is identified by its person.
func ClientOf(by nod.Actor) string {
	if by.ID == "" || strings.HasPrefix(by.ID, "pid ") {
		return by.Name
	}
	return by.ID
}

func (c *Chat) hash(lines []line) historyHash {
	return hashHistory(strings.Join([]string{c.Via, c.client(), c.Assistant.Name}, "\n"), lines)
}

// same is equal for a question and its repetition. It includes the program's
// instructions, such as the room that the question was asked in.
func (c *Chat) same() historyHash {
	lines := append(c.after(), line{Line: Line{Text: c.System}}, line{Line: Line{Text: c.Hint}})
	return c.hash(lines)
}

// phraseAllowed is the verdict of the phrase rules for text that may be sent.
const phraseAllowed = "allow"

// mayPassOn reports whether a line of the history may be shown to an assistant. Text
// that a phrase rule holds back must be sent as a message, where a person is asked
// about it.
func (c *Chats) mayPassOn(l Line) bool {
	verdict, _ := c.Phrases(l.Text)
	return !l.Person || verdict == phraseAllowed
}

const (
	longestSystem  = 6_000 // of a program's instructions, in characters
	longestEarlier = 3_500 // of the history
)

// opening is the text for the start of a new conversation.
func (c *Chat) opening(may func(Line) bool) string {
	system := strings.TrimSpace(c.System)
	if utf8.RuneCountInString(system) > longestSystem {
		system = string([]rune(system)[:longestSystem]) + "\n(The rest is left out: it was too long.)"
	}
	before := earlier(c.Before, longestEarlier, may)
	if before != "" {
		before = "This conversation was begun before you joined it. So far:\n" + before
	}
	return join(system, before)
}

// meanwhile is the part of the history that other assistants handled since this one
// was asked last.
func meanwhile(extra []Line, may func(Line) bool) string {
	if len(extra) == 0 {
		return ""
	}
	return "Said in this conversation, but not to you:\n" + earlier(extra, longestEarlier, may)
}

func join(one, other string) string {
	if one == "" || other == "" {
		return one + other
	}
	return one + "\n\n" + other
}
