package voicebridge

import (
	"slices"
	"strings"
	"unicode/utf8"

	"nod"
	"nod/internal/present/ear"
	"nod/internal/present/words"
)

// needsAllow is the error for a bare yes to something risky.
var needsAllow = nod.Errorf(nod.Unprocessable, "this is risky: say allow or deny; a yes alone is not enough")

// spokenAnswer is what spoken words mean as an answer to a request.
func spokenAnswer(r *nod.Request, text string, say words.Printer) (nod.Answer, error) {
	switch r.Kind {
	case nod.KindApproval, nod.KindPlan:
		return spokenVerdict(r, text, say)
	}
	return spokenReplies(r, text)
}

func spokenVerdict(r *nod.Request, text string, say words.Printer) (nod.Answer, error) {
	list := choicesOf(r, say)
	if i := slices.IndexFunc(list, func(c choice) bool { return bare(c.Label) == bare(text) }); i >= 0 {
		return list[i].answer, nil
	}
	if n, ok := ear.Number(text); ok && n <= len(list) {
		if a := list[n-1].answer; a.Verdict != nod.VerdictAllow || !risky(r) {
			return a, nil
		}
		return nod.Answer{}, needsAllow
	}
	switch says(text) {
	case "allow":
		return list[0].answer, nil
	case "yes":
		if risky(r) {
			return nod.Answer{}, needsAllow
		}
		return list[0].answer, nil
	case "no":
		return nod.Answer{Verdict: nod.VerdictDeny, Message: reasonIn(text)}, nil
	}
	if r.Kind == nod.KindPlan { // words about a plan are what should change in it
		return nod.Answer{Verdict: nod.VerdictDeny, Message: text}, nil
	}
	return nod.Answer{}, nod.Errorf(nod.Unprocessable, "%q neither allows nor denies it: say allow or deny", nod.Fold(nod.OneLine(text), 80))
}

// says finds a verdict in a text. Only whole phrases allow, but any text that begins
// with a no denies, and is the reason.
func says(text string) string {
	switch bare(text) {
	case "allow", "allow it", "allow this", "approve", "approve it", "permit", "pozwól", "zezwól", "pozwalam", "zezwalam", "zatwierdź", "zatwierdzam", "許可", "許可する", "許可します", "承認", "承認する", "承認します":
		return "allow"
	case "yes", "yeah", "yep", "y", "ok", "okay", "sure", "go ahead", "do it", "proceed", "tak", "dobrze", "jasne", "ok tak", "はい", "うん", "いいよ", "お願いします":
		return "yes"
	}
	first, _, _ := strings.Cut(bare(text), " ")
	switch strings.TrimRight(first, ",.;:!") {
	case "no", "nope", "nah", "deny", "reject", "stop", "cancel", "don't", "not", "nie", "odrzuć", "odmawiam", "anuluj":
		return "no"
	}
	for _, no := range []string{"いいえ", "だめ", "駄目", "拒否", "やめて", "中止"} {
		if strings.HasPrefix(bare(text), no) {
			return "no"
		}
	}
	return ""
}

// reasonIn is the reason that is told to the agent; a bare no is none.
func reasonIn(text string) string {
	text = strings.TrimSpace(text)
	if len(strings.Fields(text)) < 2 && utf8.RuneCountInString(text) < 8 {
		return ""
	}
	return text
}

// spokenReplies: one question takes the text; several take one line each.
func spokenReplies(r *nod.Request, text string) (nod.Answer, error) {
	parts := []string{text}
	if len(r.Questions) > 1 {
		parts = strings.FieldsFunc(text, func(c rune) bool { return c == '\n' || c == ';' || c == '|' })
	}
	for i, p := range parts {
		parts[i] = strings.TrimSpace(p)
	}
	if len(parts) != len(r.Questions) {
		return nod.Answer{}, nod.Errorf(nod.Unprocessable, "there are %d questions and %d answers: give one for each, in order", len(r.Questions), len(parts))
	}
	answers := nod.Answers{}
	for i, q := range r.Questions {
		answers[q.Key()] = spokenReply(q, parts[i])
	}
	return nod.Answer{Verdict: nod.VerdictAnswer, Answers: answers}, nil
}

// spokenReply takes numbers as choices, if there are any.
func spokenReply(q nod.Question, text string) nod.Reply {
	if _, err := q.Fit(nod.Reply{Picked: []string{text}}); err == nil || len(q.Choices) == 0 {
		return nod.Reply{Text: text}
	}
	var picked []string
	for _, part := range partsOf(text, q.Multi) {
		n, ok := ear.Number(part)
		if !ok || n > len(q.Choices) {
			return nod.Reply{Text: text}
		}
		picked = append(picked, q.Choices[n-1].Label)
	}
	return nod.Reply{Picked: picked}
}

// partsOf splits "one and three" if several may be chosen.
func partsOf(text string, several bool) []string {
	if !several {
		return []string{text}
	}
	text = strings.NewReplacer(" and ", ",", " oraz ", ",", " i ", ",", "と", ",", "、", ",").Replace(text)
	return strings.Split(text, ",")
}

// pick is what a press on a button means.
type pick struct {
	Index   *int   `json:"option_index,omitempty"`
	Indices []int  `json:"option_indices,omitempty"`
	Text    string `json:"text,omitempty"`
}

// pickedAnswer is the answer that buttons stand for, one pick for each question.
func pickedAnswer(r *nod.Request, picks []pick, say words.Printer) (nod.Answer, error) {
	if list := choicesOf(r, say); list != nil {
		if len(picks) != 1 || picks[0].Index == nil || *picks[0].Index < 0 || *picks[0].Index >= len(list) {
			return nod.Answer{}, nod.Errorf(nod.Unprocessable, "this request has %d options: choose one of them, counted from 0", len(list))
		}
		return list[*picks[0].Index].answer, nil
	}
	if len(picks) != len(r.Questions) {
		return nod.Answer{}, nod.Errorf(nod.Unprocessable, "there are %d questions and %d answers: give one for each, in order", len(r.Questions), len(picks))
	}
	answers := nod.Answers{}
	for i, q := range r.Questions {
		reply, err := pickedReply(q, picks[i])
		if err != nil {
			return nod.Answer{}, err
		}
		answers[q.Key()] = reply
	}
	return nod.Answer{Verdict: nod.VerdictAnswer, Answers: answers}, nil
}

func pickedReply(q nod.Question, p pick) (nod.Reply, error) {
	if p.Index != nil {
		p.Indices = append([]int{*p.Index}, p.Indices...)
	}
	reply := nod.Reply{Text: p.Text}
	for _, i := range p.Indices {
		if i < 0 || i >= len(q.Choices) {
			return reply, nod.Errorf(nod.Unprocessable, "%q has %d options, counted from 0", q.Text, len(q.Choices))
		}
		reply.Picked = append(reply.Picked, q.Choices[i].Label)
	}
	return reply, nil
}

// labelled reports whether an option has a label, in any language: a button that was
// drawn for another question must not answer this one.
func labelled(r *nod.Request, index int, label string) bool {
	for _, lang := range []words.Lang{words.English, words.Polish, words.Japanese} {
		asked := questionsOf(r, words.In(lang))
		if len(asked) == 1 && index >= 0 && index < len(asked[0].Options) && bare(asked[0].Options[index].Label) == bare(label) {
			return true
		}
	}
	return false
}
