package voicepe

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"nod"
	"nod/internal/hub/adapter"
	"nod/internal/net/httpd"
	"nod/internal/net/mqttd"
	"nod/internal/present/puck"
	"nod/internal/present/words"
)

// publisher sends messages for the puck, and log lines about those that came in.
type publisher struct {
	Config
	adapter.Deps
	bus    mqttd.Bus
	errors limiter // of error messages that go out
	logs   limiter // of log lines about what came in
}

// send publishes a message below the prefix.
func (p *publisher) send(ctx context.Context, topic string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return p.bus.Publish(ctx, mqttd.Message{Topic: p.Prefix + topic, Payload: text, QoS: 1})
}

// say publishes a response, on the older topics too where they are used.
func (p *publisher) say(ctx context.Context, r response) error {
	err := p.send(ctx, topicResponse, r)
	if p.Homelab && err == nil {
		err = p.sayOlder(ctx, r)
	}
	if err != nil && ctx.Err() == nil && p.logs.allow(p.Now()) {
		p.Log.Warn("a message for the voice puck was not sent", "type", r.Type, "err", err)
	}
	return err
}

// withdraw says that something needs no answer any more.
func (p *publisher) withdraw(ctx context.Context, w *showing) {
	_ = p.say(ctx, response{Type: typeWithdrawn, RequestID: w.key(), Conversation: string(w.request.Agent.ID), Agent: w.request.Agent.Name})
}

// fail publishes an error: code and detail for a log, and a sentence to say.
func (p *publisher) fail(ctx context.Context, say words.Printer, about response, code, detail string) {
	if !p.errors.allow(p.Now()) {
		return
	}
	about.Type, about.Code, about.Message = typeError, code, detail
	if about.Text == "" {
		about.Text = puck.Speech{Key: puck.SayError, Code: code, Detail: detail}.In(say)
	}
	_ = p.say(ctx, about)
}

// failed publishes an error of nod's own: its status and its words for a log, and a sentence that fits it.
func (p *publisher) failed(ctx context.Context, say words.Printer, about response, err error) {
	about.Text = cause(say, err)
	p.fail(ctx, say, about, puck.HTTPError, strconv.Itoa(httpd.StatusOf(err))+": "+strings.TrimRight(nod.MessageOf(err), "."))
}

// cause is the sentence for an error of nod's own.
func cause(say words.Printer, err error) string {
	switch {
	case errors.Is(err, errUntrusted):
		return say.Say(words.PuckUntrusted)
	case errors.Is(err, nod.Forbidden), errors.Is(err, nod.Unauthorized):
		return say.Say(words.PuckRefused)
	case errors.Is(err, nod.Conflict):
		return say.Say(words.PuckOpen)
	case errors.Is(err, nod.NotFound), errors.Is(err, nod.Gone):
		return say.Say(words.VoiceMissing)
	case errors.Is(err, nod.Unavailable):
		return say.Say(words.VoiceNotNow) + " " + say.Say(words.VoiceTryAgain)
	case errors.Is(err, nod.Internal):
		return say.Say(words.VoiceOurFault) + " " + say.Say(words.VoiceItsLog)
	}
	return say.Say(words.VoiceUnclear)
}

// refuse says why an answer does not count. The request stays pending.
func (p *publisher) refuse(ctx context.Context, say words.Printer, w *showing, err error) {
	about := response{RequestID: w.key(), Conversation: string(w.request.Agent.ID)}
	var wrong *malformed
	switch {
	case errors.As(err, &wrong):
		about.Text = p.unread(say, p.Prefix+topicAnswer, wrong.field)
		p.fail(ctx, say, about, puck.ParseError, wrong.field)
	case errors.Is(err, errOnScreen), nod.CodeOf(err) == nod.ProofNeeded:
		about.Text = say.Say(words.PuckOnScreen)
		p.fail(ctx, say, about, codeOnScreen, about.Text)
	default:
		p.failed(ctx, say, about, err)
	}
}

// whole is the field of an error about a message as a whole.
const whole = "message"

// unread is the sentence for a message that cannot be understood.
func (p *publisher) unread(say words.Printer, topic, field string) string {
	topic = strings.ReplaceAll(topic, "/", " ")
	if field == whole {
		return say.Say(words.PuckNotJSON, topic)
	}
	return say.Say(words.PuckMisread, topic, field)
}

// misread answers a message that cannot be understood.
func (p *publisher) misread(ctx context.Context, say words.Printer, m mqttd.Message, about response, err error) {
	field := whole
	var wrong *malformed
	if errors.As(err, &wrong) {
		field = wrong.field
	}
	p.note("a message of the voice puck cannot be understood", m, "err", err)
	about.Text = p.unread(say, m.Topic, field)
	p.fail(ctx, say, about, puck.ParseError, field)
}

// note logs a line about a message, at a limited rate.
func (p *publisher) note(text string, m mqttd.Message, more ...any) {
	if p.logs.allow(p.Now()) {
		p.Log.Warn(text, append([]any{"topic", m.Topic, "from", m.By.Name}, more...)...)
	}
}
