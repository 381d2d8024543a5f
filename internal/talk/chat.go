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

// Chat is a question with all that was said before it, from a program that keeps
// its conversations itself.
type Chat struct {
	Via       string        // which surface asks
	By        nod.Actor     // who calls
	Assistant nod.Assistant // whom they call
	System    string        // what the program wants the assistant to know
	Before    []Line        // oldest first
	Text      string        // what is asked now
	Hint      string        // how to answer it
	Fresh     bool          // nothing was before it, and nothing comes after
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
	// Phrases judges what a person said, as the driver does: what it does not allow is
	// not told to an assistant as something that was said before. nil: everything may.
	Phrases func(text string) (verdict, reason string)
	// While makes the context in which an answer is waited for when the caller has
	// left: it outlives the call and ends with the server. httpd.WhileServing.
	While func(context.Context) (context.Context, context.CancelFunc)
}

// Chats answers programs that keep their conversations themselves: it finds the
// conversation that fits what they remember.
type Chats struct {
	ChatOptions
	known   known
	flights flights
	calls   calls
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
		o.Phrases = func(string) (string, string) { return saysAllow, "" }
	}
	return &Chats{ChatOptions: o}
}

// Answer waits for the answer, and gives its pieces as they come; piece may be
// nil. When the caller leaves, the turn goes on. The same question again while
// the first still waits for its answer, as programs send it after a broken
// connection, is asked once.
func (c *Chats) Answer(ctx context.Context, desk hub.Desk, chat Chat, piece func(string)) (Reply, error) {
	f, first := c.flights.join(chat.same(), c.Now())
	if first {
		c.begin(ctx, f, desk, chat)
	}
	reply, took, err := f.follow(ctx, piece)
	c.flights.leave(f, took)
	return reply, err
}

// begin asks on behalf of everybody who waits, and whether they wait or not.
func (c *Chats) begin(ctx context.Context, f *flight, desk hub.Desk, chat Chat) {
	if err := c.calls.count(chat.client(), c.Rate, c.Now()); err != nil {
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

// exchange goes on with the conversation that fits, or opens one.
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
	q.Hints = chat.opening(c.maySay)
	if at.agent != "" {
		q.Session, q.Fresh, q.Hint = at.agent, false, join(meanwhile(extra, c.maySay), chat.Hint)
	}
	var streamed strings.Builder
	show := func(text string) { streamed.WriteString(text); piece(text) }
	reply, err := c.put(ctx, desk, at, q, show)
	if err != nil || reply.Agent == nil {
		return reply, err
	}
	if reply.Outcome.Text == "" && reply.Trouble == "" { // nod's own words come after what was written so far
		if streamed.Len() > 0 {
			show("\n\n")
		}
		show(reply.Text)
	}
	c.keep(chat, reply, streamed.String())
	if chat.Fresh && reply.Request == nil && !reply.Late {
		_ = desk.Leave(ctx, reply.Agent.ID) // nothing can come after it; if it stays, it ends by itself
	}
	return reply, nil
}

// put takes words to where they belong: they are an answer to what the conversation
// asks, or they ask for what came of that, or they are a new question.
func (c *Chats) put(ctx context.Context, desk hub.Desk, at thread, q Question, piece func(string)) (Reply, error) {
	r := c.Asker.open(at.asked) // what they were asked, whatever else is asked by now
	if r == nil || r.Agent.ID != at.agent {
		r = c.Asker.Pending(at.agent)
	}
	if r != nil {
		return c.settle(ctx, desk, r, at, q.Text, piece)
	}
	if at.open != "" && assents(q.Language, q.Text) { // somebody else has answered it
		if o, err := c.Asker.Wait(ctx, desk, at.agent, at.open, piece); err == nil || nod.CodeOf(err) != nod.NotFound {
			return c.say(o, err)
		}
	}
	return c.say(c.Asker.Ask(ctx, desk, q, piece))
}

// keep remembers what the program will remember: the answer as it was shown piece
// by piece, or as a whole; and a question that failed without an answer.
func (c *Chats) keep(chat Chat, reply Reply, streamed string) {
	t := thread{agent: reply.Agent.ID}
	if reply.Trouble != "" {
		c.known.put(chat.memory(chat.after()), t)
		return
	}
	if reply.Request != nil || reply.Late {
		t.open = reply.Message
	}
	if reply.Request != nil {
		t.asked = reply.Request.ID
	}
	c.known.put(chat.memory(chat.after(Line{Text: streamed})), t)
	c.known.put(chat.memory(chat.after(Line{Text: reply.Text})), t)
}

// after is what the program remembers afterwards.
func (c *Chat) after(answer ...Line) []line {
	return plain(slices.Concat(c.Before, []Line{{Person: true, Text: c.Text}}, answer))
}

// say puts an outcome into words.
func (c *Chats) say(o Outcome, err error) (Reply, error) {
	reply := Reply{Text: o.Text, Outcome: o}
	if err != nil {
		return reply, err
	}
	say := speaks(o.Agent)
	switch {
	case o.Request != nil:
		reply.Text = Aloud(say, o.Request)
	case o.Late:
		reply.Text = say.Say(words.BrainLate)
	case o.Trouble != "":
		reply.Text = Sorry(say, o, c.Now())
	case o.Text == "":
		reply.Text = say.Say(words.BrainSilent)
	}
	return reply, nil
}

// speaks is the printer for what nod itself says in a conversation.
func speaks(a *nod.Agent) words.Printer {
	var language string
	if a != nil && a.Talk != nil {
		language = a.Talk.Language
	}
	say, _ := words.Speaks(language)
	return say
}

// client is whose conversations these are.
func (c *Chat) client() string { return ClientOf(c.By) }

// ClientOf is a caller in a word that stays the same. A process has another number
// every time; its person has not.
func ClientOf(by nod.Actor) string {
	if by.ID == "" || strings.HasPrefix(by.ID, "pid ") {
		return by.Name
	}
	return by.ID
}

func (c *Chat) memory(lines []line) memory {
	return remember(strings.Join([]string{c.Via, c.client(), c.Assistant.Name}, "\n"), lines)
}

// same is the same for two questions if one is the other, sent again: also what the
// program wants known of it is alike, such as the room that it was asked in.
func (c *Chat) same() memory {
	lines := append(c.after(), line{Line: Line{Text: c.System}}, line{Line: Line{Text: c.Hint}})
	return c.memory(lines)
}

// saysAllow is the verdict of a judge of phrases that lets them be said.
const saysAllow = "allow"

// maySay: what somebody said reaches an assistant by the front door, where a person
// is asked about it if a rule says so, or not at all.
func (c *Chats) maySay(l Line) bool {
	verdict, _ := c.Phrases(l.Text)
	return !l.Person || verdict == saysAllow
}

const (
	longestSystem  = 6_000 // of what a program wants known, in characters
	longestEarlier = 3_500 // of what was said before
)

// opening is what a new conversation is told once.
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

// meanwhile is what was said to others since the assistant heard something last.
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
