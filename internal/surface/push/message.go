package push

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"time"

	"nod"
	wire "nod/internal/net/push"
	"nod/internal/present/risk"
	"nod/internal/present/words"
)

// How long a push service keeps a message for a device that is offline.
const (
	requestLife = 7 * 24 * time.Hour // unless the request itself ends sooner
	settledLife = 10 * time.Minute   // browsers must show a notification for it: soon, or not at all
	newsLife    = time.Hour
	testLife    = time.Minute
)

// maxPayload is within the limit of every push service.
const maxPayload = 3000

// Characters that fit on a lock screen.
const (
	nameLength = 40
	lineLength = 160
)

// Payload is what a service worker gets: what it needs to show one notification and to
// answer it, and no more.
type Payload struct {
	Type   string      `json:"type"` // request, settled, agent or test
	ID     string      `json:"id,omitempty"`
	Title  string      `json:"title,omitempty"`
	Body   string      `json:"body,omitempty"`
	Agent  nod.AgentID `json:"agent,omitempty"`
	OneTap bool        `json:"one_tap,omitempty"`
	Allow  string      `json:"allow,omitempty"` // with OneTap: what the buttons say
	Deny   string      `json:"deny,omitempty"`
	Seq    nod.Seq     `json:"seq,omitempty"`

	Buttons []Button `json:"buttons,omitempty"` // what else can be pressed
}

func (j job) message(p words.Printer, rights nod.Rights, now time.Time) (wire.Message, error) {
	switch {
	case j.request != nil:
		life := requestLife
		if end := j.request.ExpiresAt; end != nil {
			life = min(life, max(0, end.Sub(now)))
		}
		return seal(requestPayload(j.request, p, rights), requestTopic(j.request.ID), wire.High, life)
	case j.settled != "":
		// The same topic replaces the question: a phone that was offline gets neither.
		return seal(Payload{Type: "settled", ID: string(j.settled), Title: p.Say(words.PushSettled)}, requestTopic(j.settled), wire.Normal, settledLife)
	}
	a := j.news.agent
	body := a.Problem
	if body == "" {
		body = a.Prompt
	}
	return seal(Payload{
		Type: "agent", ID: "agent:" + string(a.ID), Agent: a.ID, Seq: j.news.seq,
		Title: p.Say(j.news.what, nameOf(a.Ref())), Body: line(body), Buttons: remedies(a, p, rights),
	}, wire.Topic("agent:"+string(a.ID)), wire.Normal, newsLife)
}

func requestTopic(id nod.RequestID) string { return wire.Topic("request:" + string(id)) }

func requestPayload(r *nod.Request, p words.Printer, rights nod.Rights) Payload {
	title := words.PushApproval
	switch r.Kind {
	case nod.KindQuestion:
		title = words.PushQuestion
	case nod.KindPlan:
		title = words.PushPlan
	case nod.KindElicitation:
		title = words.PushForm
	}
	out := Payload{Type: "request", ID: string(r.ID), Agent: r.Agent.ID, Seq: r.Seq, Title: p.Say(title, nameOf(r.Agent)), Body: line(r.Title)}
	switch {
	case r.Risk == nil:
	case r.Risk.Level == "secret":
		out.Body = p.Say(words.PushSecret) // not on a lock screen
	default:
		out.Body = p.Risk(r.Risk.Level) + " · " + out.Body
	}
	if oneTap(r, rights) {
		out.OneTap, out.Allow, out.Deny = true, p.Say(words.PushAllow), p.Say(words.PushDeny)
	}
	out.Buttons = choices(r, p, rights)
	return out
}

// oneTap reports whether a button on a lock screen may answer: the request allows it,
// its risk is known and low, a plain yes or no answers it, and the device has the right
// to answer.
func oneTap(r *nod.Request, rights nod.Rights) bool {
	return r.OneTap && r.Kind == nod.KindApproval && rights.Has(nod.Answering) && risk.On(risk.Notification, r) == risk.Once
}

func nameOf(a nod.AgentRef) string {
	name := a.Name
	if name == "" && a.Cwd != "" {
		name = filepath.Base(a.Cwd)
	}
	if name == "" {
		name = a.Kind
	}
	return nod.Fold(nod.OneLine(name), nameLength)
}

// line is foreign text on one line, with hidden characters made visible.
func line(text string) string { return nod.Fold(nod.OneLine(text), lineLength) }

// seal makes a message of a payload. One that is too long loses its body and buttons,
// never its id.
func seal(p Payload, topic string, urgency wire.Urgency, life time.Duration) (wire.Message, error) {
	text, err := encode(p)
	if err == nil && len(text) > maxPayload {
		p.Body, p.Buttons = "", nil // what cannot be read must not be answered
		text, err = encode(p)
	}
	if err == nil && len(text) > maxPayload {
		err = errors.New("its id is too long for a notification")
	}
	return wire.Message{Payload: text, Topic: topic, Urgency: urgency, TTL: life}, err
}

func encode(p Payload) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // otherwise each < of a command takes six bytes, and its end is cut
	err := e.Encode(p)
	return bytes.TrimSpace(b.Bytes()), err
}
