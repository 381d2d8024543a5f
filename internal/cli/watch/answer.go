package watch

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"nod"
	"nod/internal/cli/answer"
	"nod/internal/cli/term"
	"nod/internal/present/words"
)

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
