package show

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"nod"
	"nod/internal/cli/answer"
	"nod/internal/cli/term"
	"nod/internal/present/words"
)

// RequestDetails draws everything about a request; nothing is cut.
func RequestDetails(p Page, r *nod.Request, short string) []string {
	head := RequestHead(p, r, short)
	if r.Settled() { // the last line says how
		head = HeadLine(p, r, short, "")
	}
	lines := append([]string{head}, RequestContext(p, r)...)
	if r.Display != "" || len(r.Questions) == 0 { // questions are shown below
		lines = append(lines, "")
		lines = append(lines, p.Block(Body(r), 2)...)
	}
	if risk := RiskText(p, r.Risk, p.Columns-2); risk != "" {
		lines = append(lines, "", "  "+risk)
	}
	lines = append(lines, QuestionLines(p, r)...)
	lines = append(lines, offerLines(p, r)...)
	lines = append(lines, "", p.Say(words.ReceiptsAre))
	lines = append(lines, ReceiptLines(p, r)...)
	if r.Settled() {
		return append(lines, "", p.Wrap(SettledText(p, r)))
	}
	return append(lines, NextCommands(p, r, short)...)
}

func RequestContext(p Page, r *nod.Request) []string {
	var lines []string
	add := func(text string) {
		for _, l := range p.Block(text, 2) {
			lines = append(lines, p.Paint(term.Quiet, l))
		}
	}
	if r.Agent.Cwd != "" {
		add(p.Say(words.InFolder, nod.OneLine(r.Agent.Cwd)))
	}
	if s := r.Agent.Subagent; s != nil {
		add(p.Say(words.ForSub, nod.OneLine(s.Type)))
	}
	if r.Dialog == nod.DialogBeside && !r.Settled() {
		add(p.Say(words.DialogOpen, nod.OneLine(r.Agent.Host)))
	}
	if text := AnswerDelay(p, r); text != "" {
		add(text)
	}
	if r.Link != "" {
		add(p.Say(words.OpenPage, nod.OneLine(r.Link)))
	}
	return lines
}

// Body is what a person must read before answering: the display text, or else what
// will run.
func Body(r *nod.Request) string {
	switch {
	case r.Display != "":
		return r.Display
	case r.EditField != "" && answer.MainText(r) != "":
		return answer.MainText(r)
	case len(r.Input) > 2 && len(r.Questions) == 0: // more than {}
		var b bytes.Buffer
		if json.Indent(&b, r.Input, "", "  ") == nil {
			return b.String()
		}
		return string(r.Input)
	}
	return r.Title
}

// NextCommands is what the person can type now.
func NextCommands(p Page, r *nod.Request, short string) []string {
	type row = [2]string
	var rows []row
	add := func(format string, m words.Message) {
		rows = append(rows, row{fmt.Sprintf(format, nod.OneLine(short)), p.Say(m)})
	}
	if answer.IsQuestion(r) {
		add("nod answer %s "+strings.TrimSpace(strings.Repeat("… ", max(1, len(r.Questions)))), words.ToAnswer)
	} else {
		if r.Kind == nod.KindPlan {
			add("nod allow %s", words.ToApprove)
		} else {
			add("nod allow %s", words.ToAllow)
		}
		if len(answer.Options(r, nod.OptionLease)) > 0 {
			add("nod allow %s --for 20m", words.ToLease)
		}
		if len(answer.Options(r, nod.OptionAlways)) > 0 {
			add("nod allow %s --always", words.ToAlways)
		}
		if len(answer.Options(r, nod.OptionMode)) > 1 {
			add("nod allow %s --mode …", words.ToMode)
		}
		if r.CanEdit {
			add("nod allow %s --edit …", words.ToEdit)
		}
	}
	add("nod deny %s -m …", words.ToDeny)
	add("nod deny %s --stop", words.ToStop)
	table := strings.TrimRight(term.TwoColumns(rows), "\n")
	return append([]string{"", p.Say(words.TypeNext)}, strings.Split(table, "\n")...)
}
