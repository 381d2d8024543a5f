package advise

import (
	"strconv"

	"nod"
	"nod/internal/present/words"
)

// question offers the choices of one question. Several questions, or several choices at once, need more than a
// button.
func (s Situation) question(r *nod.Request, most int) []Suggestion {
	skip := s.refuse(r, "skip", words.AdviseDecline, nod.Answer{Verdict: nod.VerdictDeny})
	skip.Emoji = "⏭️"
	if r.Link != "" || len(r.Questions) != 1 || r.Questions[0].Multi || !r.OneTap && !s.Reads {
		return []Suggestion{s.open(r), skip}
	}
	list := append(s.choices(r), s.own(r)...)
	if len(list) == 0 {
		return []Suggestion{s.open(r), skip}
	}
	if len(list) == most {
		return list // they fit without paging; skipping is possible elsewhere
	}
	return append(list, skip)
}

func (s Situation) choices(r *nod.Request) []Suggestion {
	q := r.Questions[0]
	var list []Suggestion
	for i, c := range q.Choices {
		a := nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{q.Key(): {Picked: []string{c.Label}}}}
		if !fits(r, a) {
			continue
		}
		b := Suggestion{ID: "choice-" + strconv.Itoa(i+1), Label: fit(c.Label), Detail: detail(c.Label), Emoji: keycap(i + 1)}
		if c.Description != "" {
			b.Detail += " · " + detail(c.Description)
		}
		if q.Type == "boolean" {
			b.Label, b.Emoji = s.truth(c.Label, b)
		}
		b.Do = Act{Kind: Decide, Request: r.ID, Answer: &a}
		list = append(list, b)
	}
	distinct(list)
	return list
}

func (s Situation) truth(label string, b Suggestion) (string, string) {
	switch label {
	case "true":
		return s.Say.Say(words.AdviseYes), "✅"
	case "false":
		return s.Say.Say(words.AdviseNo), "❌"
	}
	return b.Label, b.Emoji
}

// own are the short replies that the request itself suggests. Their labels come from the agent and may say anything,
// so the label is the answer; and none of them allows: there is a button for that.
func (s Situation) own(r *nod.Request) []Suggestion {
	var list []Suggestion
	for i, g := range r.Suggestions {
		text := g.Answer.Message
		switch {
		case g.Answer.Verdict == nod.VerdictDeny && r.Kind == nod.KindApproval:
		case g.Answer.Verdict == nod.VerdictAnswer && len(r.Questions) == 1:
			reply := g.Answer.Answers[r.Questions[0].Key()]
			if text = reply.Text; len(reply.Picked) > 0 || reply.Notes != "" {
				continue // the choices are there already
			}
		default:
			continue
		}
		a := g.Answer
		if fit(text) == "" || !fits(r, a) {
			continue
		}
		list = append(list, Suggestion{
			ID: "own-" + strconv.Itoa(i+1), Label: fit(text), Detail: detail(text), Emoji: "💬",
			Do: Act{Kind: Decide, Request: r.ID, Answer: &a},
		})
	}
	return list
}

// distinct puts numbers before labels that look the same, or show nothing.
func distinct(list []Suggestion) {
	seen := map[string]int{}
	for _, b := range list {
		seen[b.Label]++
	}
	for i, b := range list {
		if seen[b.Label] > 1 || b.Label == "" {
			list[i].Label = fit(b.ID[len("choice-"):] + " " + b.Detail)
		}
	}
}

var keycaps = [...]string{"1️⃣", "2️⃣", "3️⃣", "4️⃣", "5️⃣", "6️⃣", "7️⃣", "8️⃣", "9️⃣"}

func keycap(n int) string {
	if n < 1 || n > len(keycaps) {
		return "🔘"
	}
	return keycaps[n-1]
}
