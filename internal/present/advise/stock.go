package advise

import (
	"strconv"

	"nod/internal/present/risk"
	"nod/internal/present/words"
)

// usual is what people say in such a moment, the likeliest first.
func usual(t Topic) []string {
	switch t {
	case YesNo:
		return []string{"yes", "no", "explain", "example"}
	case Either:
		return []string{"first", "second", "decide", "explain"}
	case Choice:
		return []string{"decide", "explain"}
	case Asked:
		return []string{"decide", "options", "explain", "example"}
	case Error:
		return []string{"fix", "debug", "retry", "skip"}
	case Refused:
		return []string{"options", "explain", "skip", "help"}
	case Tests:
		return []string{"test", "addtests", "diff", "continue"}
	case Passed:
		return []string{"commit", "review", "addtests", "continue"}
	case Git:
		return []string{"commit", "diff", "test", "push"}
	case Committed:
		return []string{"push", "continue", "diff", "summary"}
	case Steps:
		return []string{"continue", "skip", "explain", "summary"}
	case Review:
		return []string{"run", "test", "review", "explain"}
	case Files:
		return []string{"continue", "diff", "test", "help"}
	case Halted:
		return []string{"resume", "summary", "explain", "help"}
	case Limit:
		return []string{"continue"}
	}
	return []string{"continue", "summary", "plan", "help"}
}

// Reply returns one of nod's own replies by name: "continue", "retry", …
func Reply(name string, say words.Printer) (Suggestion, bool) {
	for i := range words.QuickReplies {
		if q := &words.QuickReplies[i]; q.Name == name {
			text := say.Say(q.Text)
			return Suggestion{ID: name, Label: say.Say(q.Label), Detail: text, Emoji: q.Emoji, Do: Act{Kind: Say, Text: text}}, true
		}
	}
	return Suggestion{}, false
}

// replies are the buttons of a moment without a formal request.
func (s Situation) replies(r Reading) []Suggestion {
	var list []Suggestion
	for n := range r.Options {
		list = append(list, s.option(n+1, r.Letters))
	}
	for _, name := range usual(r.Topic) {
		if b, ok := Reply(name, s.Say); ok {
			list = append(list, b)
		}
	}
	if r.Grave {
		list = s.careful(list)
	}
	return list
}

func (s Situation) option(n int, letters bool) Suggestion {
	mark, emoji := strconv.Itoa(n), keycap(n)
	if letters {
		mark, emoji = string(rune('A'+n-1)), "🔘"
	}
	text := s.Say.Say(words.AdviseOption, mark)
	return Suggestion{ID: "option-" + strconv.Itoa(n), Label: mark, Detail: text, Emoji: emoji, Do: Act{Kind: Say, Text: text}}
}

// careful: a question in prose can be as serious as a request. A button that says yes to it must be held; where
// holding is impossible, it needs more than a button.
func (s Situation) careful(list []Suggestion) []Suggestion {
	var out []Suggestion
	opened := false
	for _, b := range list {
		switch {
		case !consents(b.ID):
		case s.Holds && s.On != risk.Keys: // keys do not show what it would be a yes to
			b.Hold = true
		case opened:
			continue
		default:
			b, opened = s.open(nil), true
		}
		out = append(out, b)
	}
	return out
}

// consents is everything except a question or a no.
func consents(id string) bool {
	switch id {
	case "no", "explain", "example", "options", "summary", "plan", "help", "diff", "review", "debug":
		return false
	}
	return true
}
