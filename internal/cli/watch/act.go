package watch

import (
	tea "charm.land/bubbletea/v2"

	"nod"
	"nod/internal/cli/answer"
	"nod/internal/cli/term"
	"nod/internal/present/words"
)

// act does what changes a card only when it may be done now, and says why not.
func (w *watch) act(c *card, do func() tea.Cmd) tea.Cmd {
	if why := w.refusal(c); why != "" {
		w.tell(term.Asks, why)
		return nil
	}
	return do()
}

// allow asks back where a slip would hurt, and shows what was not all shown.
func (w *watch) allow(c *card) tea.Cmd {
	yes := nod.Answer{Verdict: nod.VerdictAllow}
	switch {
	case c.isQuestion() && len(c.r.Questions) == 0:
		return w.send(c, nod.Answer{Verdict: nod.VerdictAnswer})
	case c.isQuestion():
		w.tell(term.Asks, w.Say(words.WatchChoose))
		return nil
	case w.mode == listing && w.folded(c):
		w.read(c)
		w.tell(term.Asks, w.Say(words.WatchReadAll))
		return nil
	case c.r.Risk != nil && (c.r.Risk.Level == "destructive" || c.r.Risk.Level == "secret"):
		w.confirm(prompt{question: w.Say(words.AskRisky, w.Risk(c.r.Risk.Level)), answers: []nod.Answer{yes}})
		return nil
	}
	return w.send(c, yes)
}

func (w *watch) deny(c *card) {
	w.typeLine(w.Say(words.AskDeny), "", func(text string) tea.Cmd {
		return w.send(c, nod.Answer{Verdict: nod.VerdictDeny, Message: text})
	})
}

func (w *watch) edit(c *card) {
	if !c.r.CanEdit {
		w.tell(term.Asks, w.Say(words.NotEditable))
		return
	}
	text := string(c.r.Input)
	if c.r.EditField != "" {
		text = answer.MainText(c.r)
	}
	w.typeLine(w.Say(words.AskEdit), text, func(text string) tea.Cmd {
		return w.send(c, nod.Answer{Verdict: nod.VerdictAllow, Input: answer.Edit(text)})
	})
}

func (w *watch) stop(c *card) {
	w.confirm(prompt{
		question: w.Say(words.AskStop, nod.OneLine(c.r.Agent.Name)),
		answers:  []nod.Answer{{Verdict: nod.VerdictDeny, Stop: true}},
	})
}

// always shows the exact rule before it becomes one.
func (w *watch) always(c *card) {
	rules := answer.Options(c.r, nod.OptionAlways)
	if len(rules) == 0 || c.isQuestion() {
		w.tell(term.Asks, w.Say(words.WatchNoRule))
		return
	}
	q := prompt{question: w.Say(words.AskAlways), options: rules}
	if len(rules) > 1 {
		q.question = w.Say(words.AskAlwaysPick)
	}
	for _, o := range rules {
		q.answers = append(q.answers, nod.Answer{Verdict: nod.VerdictAllow, Remember: nod.Remember(o.ID)})
	}
	w.confirm(q)
}

// number chooses an answer of a question, or the mode of a plan.
func (w *watch) number(c *card, i int) {
	modes := answer.Options(c.r, nod.OptionMode)
	switch {
	case c.isQuestion():
		c.choose(i)
	case c.r.Kind == nod.KindPlan && i < len(modes):
		w.confirm(prompt{
			question: w.Say(words.AskMode, nod.OneLine(modes[i].ID)),
			options:  modes[i : i+1],
			answers:  []nod.Answer{{Verdict: nod.VerdictAllow, Mode: modes[i].ID}},
		})
	}
}
