package voicebridge

import (
	"net/http"
	"slices"
	"strings"
	"sync"

	"nod"
	"nod/internal/net/httpd"
	"nod/internal/present/risk"
	"nod/internal/present/words"
)

// Response answers what an agent asks: by words, by a button, or several
// questions at once.
type Response struct {
	Mode    string        `json:"mode,omitempty"` // text, select, other, multi_select
	Text    string        `json:"text,omitempty"`
	Index   *int          `json:"option_index,omitempty"`
	Label   string        `json:"option_label,omitempty"`
	Answers []pick        `json:"answers,omitempty"`
	Request nod.RequestID `json:"request_id,omitempty"`
	Turn    int64         `json:"turn_id,omitempty"`
	Confirm bool          `json:"confirm,omitempty"` // it was said again, because nod asked to
	wants
}

// fit refuses what makes no sense, whatever the agent asks.
func (p *Response) fit() error {
	if p.Mode == "" {
		p.Mode = "text"
	}
	p.Text = strings.TrimSpace(p.Text)
	bad := func(word, format string, args ...any) error {
		return &problem{error: nod.Errorf(nod.Invalid, format, args...), status: http.StatusBadRequest, word: word}
	}
	switch p.Mode {
	case "text", "other":
		if p.Text == "" {
			return bad("missing_text", "there are no words in text")
		}
	case "select":
		if p.Index == nil || *p.Index < 0 {
			return bad("invalid_option_index", "option_index is a number from 0")
		}
	case "multi_select":
		if len(p.Answers) == 0 {
			return bad("invalid_answers", "answers is a list, with one answer for each question")
		}
	default:
		return bad("invalid_mode", "unknown mode %q: text, select, other or multi_select", nod.Fold(nod.OneLine(p.Mode), 40))
	}
	return nil
}

func (c *call) answer() error {
	var p Response
	if err := c.decode(&p, &p.wants); err != nil {
		return err
	}
	if err := p.fit(); err != nil {
		if bad, ok := err.(*problem); ok {
			bad.voice = Voice{Status: c.say.Say(words.VoiceUnclear)}
		}
		return err
	}
	one, err := c.agentOfPath()
	if err != nil {
		return err
	}
	open := one.now.open(one.agent.ID)
	if len(open) == 0 {
		return one.answerFreely(&p)
	}
	r, err := one.requestFor(open, p.Request, p.Turn)
	if err != nil {
		return err
	}
	a, err := p.answer(r, c.say)
	if err != nil {
		return one.refuseAnswer(r, err)
	}
	return one.decide(r, a, map[string]any{"status": "ok", "mode": p.Mode})
}

// answer is what a response means for a request.
func (p *Response) answer(r *nod.Request, say words.Printer) (nod.Answer, error) {
	switch p.Mode {
	case "select":
		if p.Label != "" && !labelled(r, *p.Index, p.Label) {
			return nod.Answer{}, nod.Errorf(nod.Unprocessable, "option %d is not called %q here: it may belong to an older question", *p.Index, nod.Fold(nod.OneLine(p.Label), 60))
		}
		return pickedAnswer(r, []pick{{Index: p.Index}}, say)
	case "multi_select":
		return pickedAnswer(r, p.Answers, say)
	case "other":
		if len(r.Questions) == 1 { // words, even when they look like a choice
			return nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{r.Questions[0].Key(): {Text: p.Text}}}, nil
		}
	}
	return spokenAnswer(r, p.Text, say)
}

// answerFreely answers an agent whose last words were a question. There is no request,
// so the answer is its next prompt.
func (c *agentCall) answerFreely(p *Response) error {
	to := c.agent
	at, err := c.now.stateOf(to)
	if err != nil {
		return err
	}
	if at != awaitingInput || to.State != nod.AgentIdle || p.Mode != "text" && p.Mode != "other" {
		return c.notWaiting()
	}
	if err := c.sayable(to, p.Text, p.Confirm); err != nil {
		return err
	}
	m, err := c.message(Command{Text: p.Text})
	if err != nil {
		return err
	}
	return c.deliver(m, http.StatusOK, map[string]any{"status": "ok", "mode": p.Mode})
}

func (c *agentCall) notWaiting() error {
	c.heard.forget(c.listener(), c.agent.ID)
	err := nod.Errorf(nod.Conflict, "%s does not wait for an answer", c.agent.Name)
	return &problem{error: err, status: http.StatusConflict, word: "wrong_state", voice: Voice{Status: c.say.Say(words.VoiceNoQuestion, c.name)}}
}

// requestFor finds the request that an answer is for. An answer to one question must
// never become the answer to the next: a client that named the question, or heard it
// from us, answers that one or none.
func (c *agentCall) requestFor(open []*nod.Request, id nod.RequestID, turn int64) (*nod.Request, error) {
	if id == "" && turn == 0 {
		id = c.heard.last(c.listener(), c.agent.ID)
	}
	if id == "" && turn == 0 && risk.On(risk.Voice, open[0]) != risk.Never {
		return open[0], nil // else it is read out first: a button may have been drawn for another one
	}
	i := slices.IndexFunc(open, func(r *nod.Request) bool { return r.ID == id || turn != 0 && turnID(r.Seq) == turn })
	if i >= 0 {
		return open[i], nil
	}
	v := c.asked(open[0], c.name)
	v.Results = append([]string{v.Status}, v.Results...)
	v.Status = c.say.Say(words.VoiceNewOne, c.name)
	c.heard.note(c.listener(), c.agent.ID, open[0].ID)
	err := nod.Errorf(nod.Conflict, "that question is settled, and %s asks something else now", c.agent.Name)
	return nil, &problem{error: err, status: http.StatusConflict, word: "question_changed", voice: v}
}

// refuseAnswer repeats the question when an answer does not fit it.
func (c *agentCall) refuseAnswer(r *nod.Request, err error) error {
	c.heard.note(c.listener(), c.agent.ID, r.ID)
	v := c.asked(r, c.name)
	v.Status = c.say.Say(words.VoiceMisfit)
	return &problem{error: err, status: http.StatusUnprocessableEntity, word: "answer_does_not_fit", voice: v}
}

func (c *agentCall) decide(r *nod.Request, a nod.Answer, body map[string]any) error {
	settled, err := c.desk().Decide(c.r.Context(), r.ID, a)
	if nod.CodeOf(err) == nod.Unprocessable && err != nil {
		return c.refuseAnswer(r, err)
	}
	if err != nil {
		return err
	}
	c.heard.forget(c.listener(), c.agent.ID)
	v := Voice{Status: c.say.Say(words.VoiceAnswered, c.name)}
	switch settled.Decision.Verdict {
	case nod.VerdictAllow:
		v.Status = c.say.Say(words.VoiceAllowed, c.name)
	case nod.VerdictDeny:
		v.Status = c.say.Say(words.VoiceDenied, c.name)
	}
	body["new_state"] = processing
	if rest := c.now.open(c.agent.ID); len(rest) > 1 {
		body["new_state"] = awaitingInput
		v.Next = c.say.Say(words.VoiceAnswerIt, c.name)
	}
	if text := decisionText(settled, c.say); c.much >= normal && text != "" {
		v.Results = []string{c.brief(text, 200)}
	}
	body["request_id"], body["turn_id"] = r.ID, answerID(r.Seq)
	return c.answerWith(http.StatusOK, v, c.naming(c.agent, body))
}

func (c *agentCall) availability() error {
	a := c.agent
	can := a.Alive() && a.Able(nod.CanSay)
	v := Voice{Status: c.say.Say(words.VoiceNoWay, c.name), Next: c.say.Say(words.VoiceItsOwn)}
	if at, err := c.now.stateOf(a); err != nil {
		return err
	} else if can {
		v = Voice{Status: c.doing(c.name, a, at)}
	}
	return c.answerWith(http.StatusOK, v, c.naming(a, map[string]any{"status": "ok", "commander_available": can}))
}

// listener identifies who hears: a device, or a person on a surface.
func (c *call) listener() string {
	by := httpd.ActorOf(c.r.Context())
	return by.ID + "\x00" + by.Name + "\x00" + by.Via
}

// heard remembers the last question that was read to each listener. It is short-lived
// memory, not a fact.
type heard struct {
	mu   sync.Mutex
	told map[heardKey]nod.RequestID
}

type heardKey struct {
	who   string
	agent nod.AgentID
}

// mostHeard bounds the memory. A listener that is forgotten is only less protected.
const mostHeard = 1000

func (h *heard) note(who string, about nod.AgentID, id nod.RequestID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.told == nil || len(h.told) >= mostHeard {
		h.told = map[heardKey]nod.RequestID{}
	}
	h.told[heardKey{who, about}] = id
}

func (h *heard) last(who string, about nod.AgentID) nod.RequestID {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.told[heardKey{who, about}]
}

func (h *heard) forget(who string, about nod.AgentID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.told, heardKey{who, about})
}
