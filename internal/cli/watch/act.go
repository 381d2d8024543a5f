package watch

import (
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
