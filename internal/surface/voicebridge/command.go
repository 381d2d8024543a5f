package voicebridge

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"strings"

	"nod"
	"nod/internal/net/httpd"
	"nod/internal/present/words"
)

// Command is what a person says. The client may choose the message's id, so that
// sending it again after a broken connection says nothing twice.
type Command struct {
	Text     string        `json:"text"`
	Agent    agentKey      `json:"agent_id,omitempty"`
	File     string        `json:"file_path,omitempty"` // a path for the agent, or the id of an attachment
	Request  nod.RequestID `json:"request_id,omitempty"`
	Turn     int64         `json:"turn_id,omitempty"` // the question that is answered
	WhenBusy nod.WhenBusy  `json:"when_busy,omitempty"`
	Message  nod.MessageID `json:"message_id,omitempty"`
	Confirm  bool          `json:"confirm,omitempty"` // it was said again, because nod asked to
	wants
}

func (c *call) sendCommand() error {
	var o Command
	if err := c.decode(&o, &o.wants); err != nil {
		return err
	}
	o.Text, o.File = strings.TrimSpace(o.Text), strings.TrimSpace(o.File)
	if o.Text == "" && o.File == "" {
		err := nod.Errorf(nod.Invalid, "there are no words to say: send text or file_path")
		return &problem{error: err, status: http.StatusBadRequest, word: "missing_text", voice: Voice{Status: c.say.Say(words.VoiceNoWords)}}
	}
	s, err := c.scene()
	if err != nil {
		return err
	}
	var to *nod.Agent
	if o.Agent != "" {
		to, err = s.find(string(o.Agent))
	} else {
		to, err = s.target()
	}
	if err != nil {
		return err
	}
	one := c.with(s, to)
	if open := s.open(to.ID); len(open) > 0 && o.File == "" {
		return one.answerAloud(open, o)
	}
	if err := c.sayable(to, o.Text, o.Confirm); err != nil {
		return err
	}
	m, err := one.message(o)
	if err != nil {
		return err
	}
	return one.deliver(m, http.StatusOK, nil)
}

// message is what goes to the agent. A path goes before the text, on one line.
func (c *agentCall) message(order Command) (nod.Message, error) {
	m := nod.Message{ID: order.Message, Agent: c.agent.ID, Text: order.Text, WhenBusy: order.WhenBusy}
	if m.ID == "" {
		m.ID = nod.MessageID(newID())
	}
	if c.agent.Talk != nil {
		m.Hint = c.hint(c.agent.Talk)
	}
	if order.File == "" {
		return m, nil
	}
	file, err := c.Files.Find(c.r.Context(), order.File)
	switch {
	case err == nil:
		m.Files = []nod.Attachment{file}
		return m, nil
	case nod.CodeOf(err) != nod.NotFound: // it may be one, but that cannot be checked
		return m, err
	}
	if nod.OneLine(order.File) != order.File {
		return m, nod.Errorf(nod.Invalid, "file_path holds characters that no path should have")
	}
	m.Text = strings.TrimSpace(order.File + " " + order.Text)
	if strings.LastIndexByte(order.File, '/') == 0 && order.Text != "" {
		m.Text = order.Text + " " + order.File // "/data look at this" would be a slash command
	}
	return m, nil
}

// answerAloud takes the text as an answer to what the agent asks.
func (c *agentCall) answerAloud(open []*nod.Request, order Command) error {
	r, err := c.requestFor(open, order.Request, order.Turn)
	if err != nil {
		return err
	}
	a, err := spokenAnswer(r, order.Text, c.say)
	if err != nil {
		return c.refuseAnswer(r, err)
	}
	return c.decide(r, a, map[string]any{"has_picker": len(questionsOf(r, c.say)[0].Options) > 0})
}

func newID() string { return "voice-" + strings.ToLower(rand.Text()) }

// deliver sends a message, and waits a while for the agent to confirm it.
func (c *agentCall) deliver(m nod.Message, status int, body map[string]any) error {
	to, name := c.agent, c.name
	said, err := c.desk().Say(c.r.Context(), m)
	if nod.CodeOf(err) == nod.Unreachable && err != nil {
		return &problem{error: err, status: http.StatusServiceUnavailable, word: "no_way_to_agent", voice: Voice{Status: c.say.Say(words.VoiceNoWay, name), Next: c.say.Say(words.VoiceItsOwn)}}
	}
	if err != nil {
		return err
	}
	busy := to.State == nod.AgentWorking || to.State == nod.AgentWaiting
	if said, err = c.confirmed(said, c.now.Seq, busy); err != nil {
		return err
	}
	body = c.naming(to, body)
	body["message_id"], body["message_status"] = said.ID, said.Status
	body["confirmed"] = said.Status == nod.Delivered
	v := Voice{Status: c.say.Say(words.VoiceOnItsWay, name)}
	body["new_state"] = commanded
	switch {
	case said.Status == nod.Failed:
		v = Voice{Status: c.say.Say(words.VoiceNotSent, name), Results: []string{c.brief(said.Problem, 200)}, Next: c.say.Say(words.VoiceLookAtIt)}
		return &problem{error: nod.Errorf(nod.Unavailable, "%s", said.Problem), status: http.StatusBadGateway, word: "send_failed", voice: v, more: c.naming(to, map[string]any{"message_id": said.ID})}
	case said.Status == nod.Delivered:
		v.Status = c.say.Say(words.VoiceSent, name)
		body["new_state"] = processing
	case busy:
		v.Status = c.say.Say(words.VoiceNext, name)
		body["new_state"] = processing
	}
	if busy && said.WhenBusy == nod.Interrupt {
		body["interrupted"] = true
	}
	if c.much >= normal && m.Text != "" {
		v.Results = []string{c.say.Say(words.VoiceYouSaid, c.brief(m.Text, 200))}
	}
	return c.answerWith(status, v, body)
}

// confirmed follows the log until the message has arrived or failed. A busy agent has
// it in its queue and hears it later; that is not waited for.
func (c *call) confirmed(m *nod.Message, after nod.Seq, busy bool) (*nod.Message, error) {
	there := func() bool { return !m.Underway() || busy && (m.Status == nod.Typed || m.WhenBusy == nod.Wait) }
	if there() {
		return m, nil
	}
	serving, done := httpd.WhileServing(c.r.Context())
	defer done()
	ctx, cancel := context.WithTimeout(serving, c.Wait)
	defer cancel()
	for e, err := range c.desk().Follow(ctx, after) {
		if err != nil {
			if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
				break
			}
			return m, err
		}
		if e.Message == nil || e.Message.ID != m.ID {
			continue
		}
		if m = e.Message; there() {
			break
		}
	}
	return m, nil
}
