package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"nod"
	"nod/internal/client"
	"nod/internal/present/words"
)

func showRequest(c *console, ctx context.Context, id string, asJSON bool) error {
	cl, err := c.Client("terminal")
	if err != nil {
		return err
	}
	r, err := c.findRequest(ctx, cl, id)
	if err != nil {
		return err
	}
	if asJSON {
		return c.printJSON(r)
	}
	p := c.page()
	if snap, err := cl.State(ctx); err == nil { // where it is can be told, and need not be
		p = p.among(snap)
	}
	if err := c.println(strings.Join(requestDetails(p, r, id[:min(8, len(id))]), "\n")); err != nil {
		return err
	}
	if p.terminal {
		reportShown(ctx, cl, []*nod.Request{r})
	}
	return nil
}

// findRequest resolves an id or its first letters, and explains when that fails.
func (c *console) findRequest(ctx context.Context, cl *client.Client, id string) (*nod.Request, error) {
	r, err := cl.Request(ctx, id)
	switch {
	case err == nil:
		return r, nil
	case nod.CodeOf(err) == nod.NotFound:
		return nil, fail(exitGone, c.Say(words.NoSuchRequest, id))
	case nod.CodeOf(err) == nod.Invalid:
		return nil, fail(exitFailed, c.Say(words.NotUnique, id))
	}
	return nil, err
}

// requestDetails draws everything there is to know before answering, cut nowhere.
func requestDetails(p page, r *nod.Request, short string) []string {
	head := requestHead(p, r, short)
	if r.Settled() { // the last line tells how, in full
		head = headLine(p, r, short, "")
	}
	lines := append([]string{head}, requestContext(p, r)...)
	if r.Display != "" || len(r.Questions) == 0 { // questions speak for themselves
		lines = append(lines, "")
		lines = append(lines, p.block(body(r), 2)...)
	}
	if risk := riskText(p, r.Risk, p.columns-2); risk != "" {
		lines = append(lines, "", "  "+risk)
	}
	lines = append(lines, questionLines(p, r)...)
	lines = append(lines, offerLines(p, r)...)
	lines = append(lines, "", p.Say(words.ReceiptsAre))
	lines = append(lines, receiptLines(p, r)...)
	if r.Settled() {
		return append(lines, "", p.flow(settledText(p, r)))
	}
	return append(lines, nextCommands(p, r, short)...)
}

func requestContext(p page, r *nod.Request) []string {
	var lines []string
	add := func(text string) {
		for _, l := range p.block(text, 2) {
			lines = append(lines, p.paint(quiet, l))
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
	if text := answerDelay(p, r); text != "" {
		add(text)
	}
	if r.Link != "" {
		add(p.Say(words.OpenPage, nod.OneLine(r.Link)))
	}
	return lines
}

// body is what a person must read before answering: the display text, or what
// will run when there is none.
func body(r *nod.Request) string {
	switch {
	case r.Display != "":
		return r.Display
	case r.EditField != "" && mainText(r) != "":
		return mainText(r)
	case len(r.Input) > 2 && len(r.Questions) == 0: // more than {}
		var b bytes.Buffer
		if json.Indent(&b, r.Input, "", "  ") == nil {
			return b.String()
		}
		return string(r.Input)
	}
	return r.Title
}

// mainText is the part of the input that a plain edit replaces.
func mainText(r *nod.Request) string {
	var fields map[string]json.RawMessage
	var text string
	if json.Unmarshal(r.Input, &fields) == nil {
		_ = json.Unmarshal(fields[r.EditField], &text)
	}
	return text
}

// nextCommands is what to type: the whole point of looking.
func nextCommands(p page, r *nod.Request, short string) []string {
	type row = [2]string
	var rows []row
	add := func(format string, m words.Message) {
		rows = append(rows, row{fmt.Sprintf(format, nod.OneLine(short)), p.Say(m)})
	}
	if r.Kind == nod.KindQuestion || r.Kind == nod.KindElicitation {
		add("nod answer %s "+strings.TrimSpace(strings.Repeat("… ", max(1, len(r.Questions)))), words.ToAnswer)
	} else {
		if r.Kind == nod.KindPlan {
			add("nod allow %s", words.ToApprove)
		} else {
			add("nod allow %s", words.ToAllow)
		}
		if len(optionsOf(r, nod.OptionLease)) > 0 {
			add("nod allow %s --for 20m", words.ToLease)
		}
		if len(optionsOf(r, nod.OptionAlways)) > 0 {
			add("nod allow %s --always", words.ToAlways)
		}
		if len(optionsOf(r, nod.OptionMode)) > 1 {
			add("nod allow %s --mode …", words.ToMode)
		}
		if r.CanEdit {
			add("nod allow %s --edit …", words.ToEdit)
		}
	}
	add("nod deny %s -m …", words.ToDeny)
	add("nod deny %s --stop", words.ToStop)
	table := strings.TrimRight(twoColumns(rows), "\n")
	return append([]string{"", p.Say(words.TypeNext)}, strings.Split(table, "\n")...)
}
