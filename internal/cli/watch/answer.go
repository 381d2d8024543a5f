package watch

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"nod"
	"nod/internal/cli/answer"
	"nod/internal/cli/term"
	"nod/internal/present/words"
)

// actOn runs do if the card can be answered now, and otherwise says why not.
func (k keys) actOn(c *card, do func() tea.Cmd) tea.Cmd {
	if why := k.refusal(c); why != "" {
		k.notify(term.Asks, why)
		return nil
	}
	return do()
}

// allow asks for confirmation of a risky request, and first shows all of a long one.
func (k keys) allow(c *card) tea.Cmd {
	yes := nod.Answer{Verdict: nod.VerdictAllow}
	switch {
	case answer.IsQuestion(c.r) && len(c.r.Questions) == 0:
		return k.send(c, nod.Answer{Verdict: nod.VerdictAnswer})
	case answer.IsQuestion(c.r):
		k.notify(term.Asks, k.Say(words.WatchChoose))
		return nil
	case k.mode == listing && cardView{k.model, c}.folded():
		k.openDetails(c)
		k.notify(term.Asks, k.Say(words.WatchReadAll))
		return nil
	case answer.Risky(c.r):
		k.confirm(prompt{question: k.Say(words.AskRisky, k.Risk(c.r.Risk.Level)), answers: []nod.Answer{yes}})
		return nil
	}
	return k.send(c, yes)
}

func (k keys) deny(c *card) {
	k.typeLine(k.Say(words.AskDeny), "", func(text string) tea.Cmd {
		return k.send(c, nod.Answer{Verdict: nod.VerdictDeny, Message: text})
	})
}

func (k keys) edit(c *card) {
	if !c.r.CanEdit {
		k.notify(term.Asks, k.Say(words.NotEditable))
		return
	}
	text := string(c.r.Input)
	if c.r.EditField != "" {
		text = answer.MainText(c.r)
	}
	k.typeLine(k.Say(words.AskEdit), text, func(text string) tea.Cmd {
		return k.send(c, nod.Answer{Verdict: nod.VerdictAllow, Input: answer.Edit(text)})
	})
}

func (k keys) stop(c *card) {
	k.confirm(prompt{
		question: k.Say(words.AskStop, nod.OneLine(c.r.Agent.Name)),
		answers:  []nod.Answer{{Verdict: nod.VerdictDeny, Stop: true}},
	})
}

// always shows the exact rules to choose from before one is made.
func (k keys) always(c *card) {
	rules := answer.Options(c.r, nod.OptionAlways)
	if len(rules) == 0 || answer.IsQuestion(c.r) {
		k.notify(term.Asks, k.Say(words.WatchNoRule))
		return
	}
	q := prompt{question: k.Say(words.AskAlways), options: rules}
	if len(rules) > 1 {
		q.question = k.Say(words.AskAlwaysPick)
	}
	for _, o := range rules {
		q.answers = append(q.answers, nod.Answer{Verdict: nod.VerdictAllow, Remember: nod.Remember(o.ID)})
	}
	k.confirm(q)
}

// number chooses an answer to a question, or the mode of a plan.
func (k keys) number(c *card, i int) {
	modes := answer.Options(c.r, nod.OptionMode)
	switch {
	case answer.IsQuestion(c.r):
		c.choose(i)
	case c.r.Kind == nod.KindPlan && i < len(modes):
		k.confirm(prompt{
			question: k.Say(words.AskMode, nod.OneLine(modes[i].ID)),
			options:  modes[i : i+1],
			answers:  []nod.Answer{{Verdict: nod.VerdictAllow, Mode: modes[i].ID}},
		})
	}
}

// draft is an answer to one question that is not sent yet.
type draft struct {
	picked []bool
	text   string
}

func newDrafts(r *nod.Request) []draft {
	drafts := make([]draft, len(r.Questions))
	for i, q := range r.Questions {
		drafts[i].picked = make([]bool, len(q.Choices))
	}
	return drafts
}

func (d draft) empty() bool { return d.text == "" && !slices.Contains(d.picked, true) }

// choose picks a choice, or toggles it where several may be chosen.
func (c *card) choose(i int) {
	if c.question >= len(c.drafts) || i >= len(c.drafts[c.question].picked) {
		return
	}
	d := &c.drafts[c.question]
	on := !d.picked[i]
	if !c.r.Questions[c.question].Multi {
		clear(d.picked)
		d.text, on = "", true
	}
	d.picked[i] = on
	c.cursor = i
}

// unanswered is the next question that still needs an answer, or -1.
func (c *card) unanswered() int {
	for n := range c.drafts {
		i := (c.question + n) % len(c.drafts)
		if c.drafts[i].empty() && !c.r.Questions[i].Optional {
			return i
		}
	}
	return -1
}

func (c *card) turnTo(question int) {
	c.question, c.cursor = (question+len(c.drafts))%len(c.drafts), 0
}

// replies are the drafts as an answer.
func (c *card) replies() nod.Answer {
	answers := nod.Answers{}
	for i, q := range c.r.Questions {
		d := c.drafts[i]
		if d.empty() {
			continue
		}
		reply := nod.Reply{Text: d.text}
		for n, on := range d.picked {
			if on {
				reply.Picked = append(reply.Picked, q.Choices[n].Label)
			}
		}
		answers[q.Key()] = reply
	}
	return nod.Answer{Verdict: nod.VerdictAnswer, Answers: answers}
}

// advance goes to the next open question, or sends the answers.
func (k keys) advance(c *card) tea.Cmd {
	if next := c.unanswered(); next >= 0 {
		if next == c.question {
			k.notify(term.Asks, k.Say(words.WatchChoose))
		}
		c.turnTo(next)
		return nil
	}
	return k.send(c, c.replies())
}

// askText opens the input line for an answer in the person's own words.
func (k keys) askText(c *card) {
	if !answer.IsQuestion(c.r) || len(c.drafts) == 0 {
		return
	}
	at := c.question
	q := c.r.Questions[at]
	if !q.FreeText && len(q.Choices) > 0 {
		k.notify(term.Asks, k.Say(words.WatchNoText))
		return
	}
	k.typeLine(k.Say(words.AskText, nod.OneLine(q.Text)), c.drafts[at].text, func(text string) tea.Cmd {
		if !q.Multi {
			clear(c.drafts[at].picked)
		}
		c.drafts[at].text = text
		return k.advance(c)
	})
}

// send checks the answer and sends it. The card waits for the hub: nothing is
// called done before it is.
func (k keys) send(c *card, a nod.Answer) tea.Cmd {
	if why := k.refusal(c); why != "" {
		k.notify(term.Asks, why)
		return nil
	}
	if _, err := c.r.Fit(a); err != nil {
		k.notify(term.Bad, k.Say(words.WatchUnfit, nod.OneLine(nod.MessageOf(err))))
		return nil
	}
	c.sending = true
	id, decide := c.r.ID, k.hub.decide
	return func() tea.Msg { return decidedMsg{id, a, decide(id, a)} }
}
