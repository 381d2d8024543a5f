package relay

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"nod"
)

// choice is one numbered option of the agent's own dialog, on the wire.
type choice struct {
	Number int    `json:"number"`
	Text   string `json:"text"`
}

// option is a choice and what it means in nod.
type option struct {
	choice
	answer nod.Answer
}

// The bounds of what a dialog can offer.
const (
	mostChoices   = 64
	largestNumber = 9999
)

// parseChoices reads the options of a dialog. A malformed list is refused, because a
// guessed key could allow what a person denied. Anything but a list counts as none, as
// it does in the original.
func parseChoices(raw json.RawMessage) (list []choice, ok bool) {
	var text string
	if json.Unmarshal(raw, &text) == nil && text != "" {
		return nil, false // a string has a length too, and crashed the original
	}
	var items []fields
	var any []json.RawMessage
	if json.Unmarshal(raw, &any) != nil {
		return nil, true
	}
	if json.Unmarshal(raw, &items) != nil || len(items) > mostChoices {
		return nil, false
	}
	for _, f := range items {
		n, isNumber := f.number("number")
		if !isNumber || n != math.Trunc(n) || n < 0 || n > largestNumber {
			return nil, false
		}
		var text string
		if len(f["text"]) > 0 && json.Unmarshal(f["text"], &text) != nil {
			return nil, false
		}
		list = append(list, choice{int(n), text})
	}
	return list, true
}

// The two tools whose choices are answers and not permissions. In the original
// every answer to the first is an allow, while the last choice of the other is a
// deny like that of any tool.
const (
	question    = "Question"
	askUserTool = "AskUserQuestion"
)

func asks(tool string) bool { return tool == question || tool == askUserTool }

// unlisted are the keys of a dialog whose choices the hook did not send.
func unlisted() []choice {
	return []choice{{1, "1"}, {2, "the second choice of its own dialog"}, {3, "3"}}
}

// permissions are the choices of a permission dialog: the first allows, the last
// denies, and those in between allow and are remembered.
func permissions(list []choice) []option {
	var options []option
	for i, c := range list {
		answer := nod.Answer{Verdict: nod.VerdictAllow}
		switch {
		case i == len(list)-1:
			answer.Verdict = nod.VerdictDeny
		case i > 0:
			answer.Remember = remembered(c.Number)
		}
		options = append(options, option{c, answer})
	}
	return options
}

func remembered(number int) nod.Remember { return nod.Remember("choice-" + strconv.Itoa(number)) }

// replies are the choices of a question. Labels are made unique, because a reply is
// identified by its label.
func replies(asked string, list []choice) []option {
	var options []option
	taken := map[string]bool{}
	for _, c := range list {
		label := c.Text
		if label == "" || taken[label] {
			label = strings.TrimSpace(label + " (" + strconv.Itoa(c.Number) + ")")
		}
		for taken[label] {
			label += "'"
		}
		taken[label] = true
		answers := nod.Answers{asked: {Picked: []string{label}}}
		options = append(options, option{c, nod.Answer{Verdict: nod.VerdictAnswer, Answers: answers}})
	}
	return options
}

// byNumber finds the option of a number. The last one takes precedence over others of
// the same number, as in the original.
func byNumber(options []option, n float64) (option, bool) {
	if len(options) == 0 {
		return option{}, false
	}
	if last := options[len(options)-1]; float64(last.Number) == n {
		return last, true
	}
	for _, o := range options {
		if float64(o.Number) == n {
			return o, true
		}
	}
	return option{}, false
}

// forAll finds the option that means "and do not ask again". It is never the last one,
// which denies.
func forAll(options []option) (option, bool) {
	for _, o := range options[:max(0, len(options)-1)] {
		text := strings.ToLower(o.Text)
		for _, sign := range [...]string{"don't ask again", "don’t ask again", "always", "allow all", "during this session", "省略"} {
			if strings.Contains(text, sign) {
				return o, true
			}
		}
	}
	return option{}, false
}

// matches finds the option that a decision is equivalent to.
func matches(options []option, d *nod.Decision) (option, bool) {
	for _, o := range options {
		a := o.answer
		if a.Verdict == d.Verdict && a.Remember == d.Remember && a.Mode == d.Mode && picked(a) == picked(d.Answer) {
			return o, true
		}
	}
	return option{}, false
}

func picked(a nod.Answer) string {
	for _, reply := range a.Answers { // of one question
		return strings.Join(reply.Picked, "\n")
	}
	return ""
}

// numbers lists the keys of a dialog for the log, so that the right one is pressed even
// after a restart of nod.
func numbers(list []option) string {
	var parts []string
	for _, o := range list {
		parts = append(parts, strconv.Itoa(o.Number))
	}
	return strings.Join(parts, ",")
}

// recovered are the choices of a request that was asked before nod started.
func recovered(r *nod.Request) []option {
	keys := strings.Split(r.Call, ",")
	if len(keys) != len(r.Suggestions) {
		return nil
	}
	var options []option
	for i, key := range keys {
		n, err := strconv.Atoi(key)
		if err != nil {
			return nil
		}
		options = append(options, option{choice{n, r.Suggestions[i].Label}, r.Suggestions[i].Answer})
	}
	return options
}
