package puck

import (
	"fmt"
	"strings"
)

// markdown renders the table for people to read.
func markdown() string {
	var b strings.Builder
	b.WriteString(preface)
	b.WriteString("\n| timer | runs for | then |\n|---|---|---|\n")
	for _, t := range Timers() {
		fmt.Fprintf(&b, "| %s | %s | `%s` |\n", t.Timer, t.For, t.Event)
	}
	b.WriteString("\n| guard | holds when |\n|---|---|\n")
	meaning := guards()
	for _, g := range []Guard{IfAnswered, IfNoOptions, IfGoesOn, IfContext, IfTalking, IfOnScreen, IfTwice, IfSeveral, IfOption} {
		fmt.Fprintf(&b, "| %s | %s |\n", g, meaning[g])
	}
	from := State("")
	for _, row := range Table() {
		if row.From != from {
			from = row.From
			fmt.Fprintf(&b, "\n## %s\n\n| event | if | then | effects |\n|---|---|---|---|\n", from)
		}
		to := string(row.To)
		if row.To == row.From {
			to = "stays"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", row.On, row.When, to, effects(row.Do))
	}
	return b.String()
}

const preface = `# The voice puck, state by state

Generated from the table in ` + "`internal/present/puck`" + `: do not edit it here, run ` + "`go test ./internal/present/puck -update`" + `.

The first row that fits is taken. What a person does about another request than the one that is shown is a beep, and the
withdrawal of another request is nothing. Starting a timer that runs starts it anew.

*answer* goes to the agent. ` + "`rejected (timeout)`" + ` means that this puck gave up: the request stays open for every other
door, unless whoever owns the hub wants silence to be a no.
`

// effects renders effects on one line.
func effects(list []Do) string {
	if len(list) == 0 {
		return "–"
	}
	parts := make([]string, len(list))
	for i, d := range list {
		parts[i] = effect(d)
	}
	return strings.Join(parts, "; ")
}

// effect is one of them in words.
func effect(d Do) string {
	switch {
	case d.Set != "":
		return "note " + string(d.Set)
	case d.Light != "":
		return "light " + string(d.Light)
	case d.Say == SayOnboarding:
		return "say onboarding, once"
	case d.Say != "":
		return "say " + string(d.Say)
	case d.Beep:
		return "beep"
	case d.Start != "":
		return "start " + string(d.Start)
	case d.Stop != "":
		return "stop " + string(d.Stop)
	case d.Interrupt:
		return "interrupt"
	case d.Reason != "":
		return "answer " + d.Answer + " (" + d.Reason + ")"
	}
	return "answer " + d.Answer
}

// guards are all guards, and what they mean.
func guards() map[Guard]string {
	return map[Guard]string{
		IfAnswered: "this request was answered here already", IfNoOptions: "there is nothing to choose",
		IfGoesOn: "the answer has a turn number", IfContext: "the conversation can be gone on with",
		IfTalking: "a spoken request has no answer yet", IfOnScreen: "it can only be allowed on a screen", IfTwice: "it takes a second yes",
		IfSeveral: "it is one of several approvals", IfOption: "there is an option of that number",
	}
}
