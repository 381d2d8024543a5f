package voicebridge

import (
	"slices"
	"strings"
	"time"

	"nod"
)

// A turn's number is twice its sequence number in the log, and the answer to a request
// comes right after its question. Both follow from the request, so the stream and the
// transcript give a turn the same number.
func turnID(at nod.Seq) int64   { return int64(at) * 2 }
func answerID(at nod.Seq) int64 { return int64(at)*2 + 1 }
func placeOf(id int64) nod.Seq  { return nod.Seq(max(0, id)+1) / 2 }

// Turn is one utterance on this wire.
type Turn struct {
	ID       int64         `json:"id"`
	Actor    actor         `json:"actor"`
	Intent   intent        `json:"intent"`
	Text     string        `json:"text"`
	At       time.Time     `json:"timestamp"`
	Question string        `json:"question_text,omitempty"`
	Options  any           `json:"question_options,omitempty"`
	Source   string        `json:"question_source_type,omitempty"`
	Input    *toolInput    `json:"tool_input,omitempty"`
	Answers  int64         `json:"answered_by_turn_id,omitempty"` // on an answer: the question it answers
	Tool     string        `json:"tool,omitempty"`
	Request  nod.RequestID `json:"request_id,omitempty"`
	By       string        `json:"by,omitempty"`
	Trouble  nod.Trouble   `json:"trouble,omitempty"` // why the command came to nothing
	Cut      int           `json:"cut,omitempty"`     // bytes left out of the text

	work *work
}

// work is one command and what came of it.
type work struct {
	id       int64
	state    state
	command  string
	output   string
	started  time.Time
	prompted bool // a person's prompt began it; otherwise the agent was seen at work
}

func (w *work) instruction() string { return nod.Fold(nod.OneLine(firstLine(w.command)), 120) }
func (w *work) summary() string     { return nod.Fold(nod.OneLine(firstLine(w.output)), 240) }

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// conversation turns what the log says about one agent into turns with intents. It is
// pure: the same facts in the same order give the same turns.
type conversation struct {
	at     state
	work   *work
	asked  int64 // the question that is open
	prompt prompt
	alone  bool         // nothing came since the prompt
	loose  []prompt     // prompts for which no message was found, oldest first
	held   *nod.Message // delivered, but the agent has not reported it yet
	heldID int64
	spoken int64 // the newest thing the agent said
	count  int
}

func newConversation() *conversation { return &conversation{at: idle} }

// prompt is what an agent was told, as the agent reported it.
type prompt struct {
	text string
	to   nod.MessageID // the message it was, where the agent's driver knows
	at   time.Time
}

// is reports whether the prompt is a message: the one that it names, or the same words
// after they were sent.
func (p prompt) is(m *nod.Message) bool {
	if p.to != "" {
		return p.to == m.ID
	}
	return !p.at.Before(m.At) && sameWords(m, p.text)
}

// mostLoose is how many prompts may wait for their message; drivers report it within
// a second.
const mostLoose = 8

// again is how soon the same prompt counts as one that was reported twice, as agents
// do for slash commands.
const again = 30 * time.Second

// said takes a turn of the log.
func (c *conversation) said(t *nod.Turn) []Turn {
	switch {
	case t.Role == nod.TurnPerson && t.Who == nil:
		return c.person(t)
	case t.Role == nod.TurnAgent && t.Who == nil:
		turns := c.release()
		turn := Turn{ID: turnID(t.Seq), Actor: agent, Intent: replyIntent(t.Text), Text: t.Text, At: t.At, Cut: t.Cut}
		if turn.Intent == question {
			turn.Question, turn.Source = lastLine(t.Text), "free_text"
		}
		c.spoken = turn.ID
		return append(turns, c.take(turn))
	case t.Trouble != "":
		turn := Turn{ID: turnID(t.Seq), Actor: agent, Intent: completion, Text: t.Text, At: t.At, Trouble: t.Trouble}
		c.spoken = turn.ID
		return append(c.release(), c.take(turn))
	case t.Role == nod.TurnTool && (t.Tool == "AskUserQuestion" || t.Tool == "ExitPlanMode"):
		return nil // the request and its answer are turns already
	case strings.TrimSpace(t.Text) == "" && t.Tool == "":
		return nil
	}
	turn := Turn{ID: turnID(t.Seq), Actor: agent, Intent: progress, Text: t.Text, Tool: t.Tool, At: t.At, Cut: t.Cut}
	turns := c.release()
	if t.Role == nod.TurnSystem && (c.work == nil || c.at == complete) {
		c.count++
		turn.work = c.work
		return append(turns, turn) // a notice is no sign that work goes on
	}
	return append(turns, c.take(turn))
}

// person takes a prompt once, whether it was typed in the terminal, came from a device
// or was reported twice by the agent.
func (c *conversation) person(t *nod.Turn) []Turn {
	if internalPrompt(t.Text) {
		return nil
	}
	told := prompt{strings.TrimSpace(t.Text), t.To, t.At}
	if c.alone && told.text == c.prompt.text && told.to == c.prompt.to && told.at.Sub(c.prompt.at) < again {
		return nil
	}
	var turns []Turn
	if c.held != nil && told.is(c.held) {
		c.held = nil
	} else {
		turns = c.release()
		c.loose = append(c.loose, told)
		c.loose = c.loose[max(0, len(c.loose)-mostLoose):]
	}
	return append(turns, c.prompting(Turn{ID: turnID(t.Seq), Actor: user, Text: t.Text, At: t.At, Cut: t.Cut}, t.To))
}

func (c *conversation) prompting(turn Turn, to nod.MessageID) Turn {
	c.prompt = prompt{strings.TrimSpace(turn.Text), to, turn.At}
	turn.Intent = userIntent(c.at, turn.Text)
	if turn.Intent == answer {
		turn.Answers = c.asked
	}
	turn = c.take(turn)
	c.alone = true
	return turn
}

// delivered holds a message until the agent's own event reports it. If none comes, the
// message itself becomes the turn.
func (c *conversation) delivered(m *nod.Message, at nod.Seq) []Turn {
	if i := slices.IndexFunc(c.loose, func(p prompt) bool { return p.is(m) }); i >= 0 {
		c.loose = slices.Delete(c.loose, i, i+1)
		return nil // told already
	}
	turns := c.release()
	c.held, c.heldID = m, turnID(at)
	return turns
}

// release makes a turn of a message that the agent did not report itself, such as a
// slash command.
func (c *conversation) release() []Turn {
	if c.held == nil {
		return nil
	}
	m := c.held
	c.held = nil
	return []Turn{c.prompting(Turn{ID: c.heldID, Actor: user, Text: m.Text, At: m.At, By: m.By}, "")}
}

// sameWords reports whether a prompt is a message's text. A driver that types it may
// change white space, put a full stop before a slash, and name files before or after.
func sameWords(m *nod.Message, prompt string) bool {
	a, b := strings.Join(strings.Fields(m.Text), " "), strings.Join(strings.Fields(prompt), " ")
	if strings.HasPrefix(a, "/") {
		b = strings.TrimPrefix(b, ". ")
	}
	return a == b || len(m.Files) > 0 && (strings.HasPrefix(b, a) || strings.HasSuffix(b, a))
}

// asks takes a request.
func (c *conversation) asks(turn Turn) []Turn {
	turns := c.release()
	turn = c.take(turn)
	c.asked = turn.ID
	return append(turns, turn)
}

// answered takes what settled a request. An empty turn means that no person answered
// and the agent goes on.
func (c *conversation) answered(turn Turn) []Turn {
	turns := c.release()
	c.alone = false
	if turn.ID == 0 {
		if c.at == awaitingInput {
			c.at = processing
			c.work.state = processing
		}
		return turns
	}
	return append(turns, c.take(turn))
}

// take records a turn and then changes the state if there is such a transition. A turn
// is never lost for lack of one.
func (c *conversation) take(t Turn) Turn {
	fresh := c.work == nil || c.at == complete
	if t.Actor == user && t.Intent == command && c.at != commanded && c.at != idle && c.work != nil && c.work.prompted {
		fresh = true // a new command ends the one before
	}
	if fresh {
		c.at = idle
		c.work = &work{id: t.ID, state: idle, started: t.At}
	}
	if t.Actor == user && t.Intent == command {
		c.work.prompted = true
		c.work.command = strings.TrimSpace(c.work.command + "\n" + t.Text)
	}
	if t.Actor == agent && (t.Intent == completion || t.Intent == endOfCommand || t.Source == "free_text") {
		c.work.output = t.Text
	}
	if to, ok := next(c.at, t.Actor, t.Intent); ok {
		c.at = to
	}
	if t.Intent == question {
		c.asked = t.ID
	}
	c.work.state, t.work = c.at, c.work
	c.alone = false
	c.count++
	return t
}
