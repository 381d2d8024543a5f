package relay

import (
	"context"
	"net/http"
	"strings"
	"time"

	"nod"
	"nod/internal/hub"
)

const (
	kind        = "relay" // of agents that are known only by their requests
	unnamed     = "Prompt Relay"
	titleLength = 160
	nameLength  = 60
	longestWait = 30 * 24 * time.Hour
)

// notAnswerable is the original's warning that no tmux is there to press a key in.
const notAnswerable = "\n⚠ tmux未経由のためWatch応答不可"

// created is the answer to a hook.
type created struct {
	ID        string `json:"id"`
	Tool      string `json:"tool_name"`
	Message   string `json:"message"`
	ExpiresAt int64  `json:"expires_at"`
}

// create turns the prompt of a hook into a request.
func (c *call) create() {
	if !c.may(nod.Raise, "raise a request") {
		return
	}
	list, ok := parseChoices(c.body["choices"])
	if !ok {
		c.fail(http.StatusBadRequest, "choices must be a list of {number, text}")
		return
	}
	e := &entry{own: true, room: c.who.room, by: c.who.ID}
	e.read(c.body, list)
	r := e.request(c.body, c.Now(), c.Timeout)
	r.ID = c.registry.announce(e)
	asked, err := c.ask(c.who.ctx, e, r)
	if err != nil {
		c.registry.asked(e, nil)
		c.refuse(err)
		return
	}
	c.registry.asked(e, asked)
	c.json(http.StatusOK, created{e.id, e.tool, asked.Display, asked.ExpiresAt.UnixMilli()})
}

// ask raises the request. It supersedes what the same source asked before.
func (s *Surface) ask(ctx context.Context, e *entry, r nod.Request) (*nod.Request, error) {
	over := nod.Withdrawal{Reason: nod.WithdrawnSuperseded}
	facts := []hub.Fact{present(r.Agent, nod.AgentWorking)}
	if e.target != "" {
		facts = []hub.Fact{hub.WithdrawAll(r.Agent.ID, over), facts[0]}
	}
	if err := s.link.Note(ctx, facts...); err != nil {
		return nil, err
	}
	asked, err := s.link.Ask(ctx, r)
	if err != nil || e.target == "" {
		return asked, err
	}
	var late []hub.Fact // asked by the same source at the same moment
	s.Hub.Look(func(st *nod.State) {
		for _, other := range st.PendingOf(r.Agent.ID) {
			if other.Seq < asked.Seq {
				late = append(late, hub.Withdraw(other.ID, over))
			}
		}
	})
	if len(late) > 0 {
		return asked, s.link.Report(ctx, late...)
	}
	return asked, nil
}

// present reports a source as an agent.
func present(ref nod.AgentRef, at nod.AgentState) hub.Fact {
	return hub.Agent(ref.ID, func(a *nod.Agent, now time.Time) {
		a.Kind, a.Name, a.Host = kind, ref.Name, ref.Host
		a.Enter(at, now)
	})
}

// source is the agent that a hook speaks for: its pane, or its machine.
func source(room roomID, target, hostname string) nod.AgentRef {
	what := "host\x00" + hostname
	if target != "" {
		what = "pane\x00" + target
	}
	name := hostname
	if name == "" {
		name = unnamed
	}
	host, _, _ := strings.Cut(hostname, ":")
	return nod.AgentRef{
		ID: nod.AgentID("relay-" + room.tag() + "-" + short(string(room)+"\x00"+what, 12)), Kind: kind,
		Name: nod.Fold(nod.OneLine(name), nameLength), Host: nod.Fold(nod.OneLine(host), nameLength),
	}
}

// read keeps what clients are sent later.
func (e *entry) read(f fields, list []choice) {
	e.target, e.header, e.question = f.word("tmux_target"), dialogTitle(f), f.text("prompt_question")
	if e.tool = f.text("tool_name"); e.tool == "" {
		e.tool = "Unknown"
	}
	if host := f.word("hostname"); host != "" {
		e.hostname = &host
	}
	e.answerable = !f.is("has_tmux", false) || f.is("can_respond", true)
	e.listed = len(list) > 0
	if !e.listed {
		list = unlisted()
	}
	if asks(e.tool) {
		e.options = replies(e.asked(), list)
	} else {
		e.options = permissions(list)
	}
}

// asked is the text of a question.
func (e *entry) asked() string {
	if e.question != "" {
		return e.question
	}
	return e.tool
}

// request is the prompt as a request of nod.
func (e *entry) request(f fields, now time.Time, timeout time.Duration) nod.Request {
	expires := now.Add(wait(f, timeout))
	r := nod.Request{
		Kind: nod.KindApproval, Tool: e.tool, Display: e.detail(f), Dialog: nod.DialogBeside,
		Unsure: e.unsure(f), ExpiresAt: &expires, Call: numbers(e.options),
	}
	r.OneTap = e.answerable && !r.Unsure
	hostname := ""
	if e.hostname != nil {
		hostname = *e.hostname
	}
	r.Agent = source(e.room, e.target, hostname)
	r.Title = title(e.tool, f.object("tool_input").text("command"), r.Display)
	if input := f.object("tool_input"); len(input) > 0 {
		r.Input = exactInput(e.tool, input)
	}
	for _, o := range e.options {
		label := o.Text
		if o.answer.Verdict == nod.VerdictAnswer {
			label = picked(o.answer)
		}
		r.Suggestions = append(r.Suggestions, nod.Suggestion{Label: label, Answer: o.answer})
		if o.answer.Remember != "" {
			r.Options = append(r.Options, nod.Option{ID: string(o.answer.Remember), Kind: nod.OptionAlways, Label: label})
		}
	}
	r.CanAlways = len(r.Options) > 0
	if asks(e.tool) {
		q := nod.Question{Text: e.asked(), Header: e.header}
		for _, s := range r.Suggestions {
			q.Choices = append(q.Choices, nod.Choice{Label: s.Label})
		}
		r.Kind, r.Questions, r.Title = nod.KindQuestion, []nod.Question{q}, nod.Fold(nod.OneLine(e.asked()), titleLength)
		r.Unsure, r.OneTap = false, e.answerable // its text and its choices are of one dialog
	}
	return r
}

// wait is how long a request may wait for an answer.
func wait(f fields, usual time.Duration) time.Duration {
	seconds, ok := f.number("timeout")
	if !ok || seconds <= 0 {
		return usual
	}
	if seconds > longestWait.Seconds() {
		return longestWait
	}
	return time.Duration(seconds * float64(time.Second))
}
