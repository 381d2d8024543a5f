package watch

import (
	"charm.land/lipgloss/v2"

	"nod"
	"nod/internal/cli/answer"
	"nod/internal/present/words"
)

// cardKeys are the keys that do something with the chosen card.
func (v view) cardKeys(c *card) []string {
	var keys []string
	add := func(does bool, key string, m words.Message) {
		if does {
			keys = append(keys, key+" "+v.Say(m))
		}
	}
	if answer.IsQuestion(c.r) {
		v.questionKeys(c, add)
	} else {
		add(true, "a", words.KeyAllow)
		add(len(answer.Options(c.r, nod.OptionLease)) > 0, "L", words.KeyLease)
		add(len(answer.Options(c.r, nod.OptionAlways)) > 0, "A", words.KeyAlways)
		add(len(answer.Options(c.r, nod.OptionMode)) > 0, "1–9", words.KeyMode)
		add(true, "d", words.KeyDeny)
		add(c.r.CanEdit, "e", words.KeyEdit)
		add(v.mode != reading, "enter", words.KeyDetails)
	}
	add(true, "s", words.KeyStop)
	return flowKeys(keys, v.width)
}

func (v view) questionKeys(c *card, add func(bool, string, words.Message)) {
	var q nod.Question
	answered := false
	if len(c.drafts) > 0 {
		q, answered = c.r.Questions[c.question], !c.drafts[c.question].empty()
	}
	add(len(q.Choices) > 0, "1–9", words.KeyChoose)
	add(q.Text != "" && (q.FreeText || len(q.Choices) == 0), "t", words.KeyText)
	add(v.mode == reading && q.Multi, "space", words.KeyToggle)
	add(v.mode == reading || answered, "enter", words.KeySend)
	add(v.mode != reading && !answered, "enter", words.KeyDetails)
	add(len(c.drafts) == 0, "a", words.KeyAllow)
	add(true, "d", words.KeyDeny)
}

// flowKeys puts as many keys on a line as fit, and breaks only between them.
func flowKeys(keys []string, cells int) []string {
	var lines []string
	for _, k := range keys {
		last := len(lines) - 1
		if last >= 0 && lipgloss.Width(lines[last]+" · "+k) <= cells {
			lines[last] += " · " + k
			continue
		}
		lines = append(lines, k)
	}
	return lines
}
