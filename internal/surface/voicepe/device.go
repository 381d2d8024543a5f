package voicepe

import (
	"context"
	"fmt"
	"slices"

	"nod"
	"nod/internal/net/mqttd"
	"nod/internal/present/puck"
	"nod/internal/present/puck/attend"
)

// device is the puck's light and voice where nod runs it. They are published for Home
// Assistant, which has the real ones.
type device struct {
	out   *publisher
	words describer
}

// led is a light on the wire, with every LED for devices that can set each.
type led struct {
	Mode      puck.Mode  `json:"mode"`
	Color     puck.Color `json:"color,omitempty"`
	Completed int        `json:"completed,omitempty"`
	Current   int        `json:"current,omitempty"`
	Options   int        `json:"options,omitempty"`
	Selected  int        `json:"selected,omitempty"`
	Percent   int        `json:"percent,omitempty"`
	Ring      []string   `json:"ring"`
}

// voice is something to say, on the wire. Ask is the answer that is awaited: yes_no,
// option or free.
type voice struct {
	Key      puck.Say       `json:"key"`
	Text     string         `json:"text,omitempty"`
	Language string         `json:"language,omitempty"`
	Ask      attend.AskKind `json:"ask,omitempty"`
	Request  string         `json:"requestId,omitempty"`
	Options  []string       `json:"options,omitempty"`
}

// beep is a key of its own: a sound, and no words.
const beep puck.Say = "beep"

func (d device) Show(ctx context.Context, l puck.Light) error {
	out := led{
		Mode: l.Mode, Color: l.Color, Completed: l.Completed, Current: l.Current, Options: l.Options, Selected: l.Selected, Percent: l.Percent,
	}
	for _, c := range l.Ring(0) {
		out.Ring = append(out.Ring, fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B))
	}
	return d.out.send(ctx, topicLED, out)
}

func (d device) Say(ctx context.Context, w puck.Speech, ask attend.Ask) error {
	say, language := d.words.printer("", w.Text)
	text := w.In(say)
	// A dashboard that follows the conversation gets it too.
	switch w.Key {
	case puck.SayAnswer:
		_ = d.out.say(ctx, response{Type: typeResponse, Text: text, Language: language})
	case puck.SayError:
		_ = d.out.say(ctx, response{Type: typeError, Code: w.Code, Message: w.Detail, Text: text, Language: language})
	}
	return d.out.send(ctx, topicVoice, voice{Key: w.Key, Text: text, Language: language, Ask: ask.Kind, Request: ask.Request, Options: ask.Options})
}

func (d device) Beep(ctx context.Context) error { return d.out.send(ctx, topicVoice, voice{Key: beep}) }

// personEvents are those that may come over the wire. The others come from the
// agent and from timers.
func personEvents() []puck.Event {
	return []puck.Event{
		puck.DialCW, puck.DialCCW, puck.Button, puck.LongPress, puck.Tap2, puck.Tap3, puck.Tap4, puck.Tap5,
		puck.VoiceYes, puck.VoiceNo, puck.VoiceOption, puck.VoiceCancel, puck.VoiceStop,
	}
}

// heard is the event for spoken words.
const heard = "voice"

// input handles what a person did to the puck.
func (s *Surface) input(ctx context.Context, m mqttd.Message) {
	say, _ := s.words.printer("", "")
	in, text, err := parseInput(m.Payload)
	if err != nil {
		s.out.misread(ctx, say, m, response{}, err)
		return
	}
	by, err := s.actor(m)
	if err == nil {
		err = s.Hub.Desk(by).Allowed(ctx, nod.Answering, "use the voice puck")
	}
	if err != nil {
		s.out.note(nod.MessageOf(err), m)
		s.out.failed(ctx, say, response{}, err)
		return
	}
	if text != "" {
		err = s.puck.Heard(ctx, text)
	} else {
		err = s.puck.Input(ctx, in)
	}
	if err != nil && ctx.Err() == nil {
		s.Log.Warn("what was done at the voice puck came to nothing", "event", in.Event, "err", err)
	}
}

func parseInput(payload []byte) (in puck.Input, text string, err error) {
	p, err := open(payload)
	if err != nil {
		return in, "", err
	}
	event, err := p.text(mostID, "event")
	if err == nil {
		in.Request, err = p.text(mostID, "requestId")
	}
	if err == nil {
		text, err = p.text(mostText, "text")
	}
	in.Event = puck.Event(event)
	switch {
	case err != nil:
		return in, "", err
	case event == heard && text == "":
		return in, "", &malformed{"text", "missing"}
	case event == heard:
		return in, text, nil
	case event == "":
		return in, "", &malformed{"event", "missing"}
	case !slices.Contains(personEvents(), in.Event):
		return in, "", &malformed{"event", "unknown"}
	case in.Event == puck.VoiceOption:
		var r reply
		if _, ok := p["selectedOption"]; !ok {
			p["selectedOption"] = p["option"]
		}
		if err := p.option(&r); err != nil || r.Option == 0 {
			return in, "", &malformed{"option", "not an option"}
		}
		in.Option = r.Option
	}
	return in, "", nil
}
