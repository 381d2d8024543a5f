package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"nod"
	"nod/internal/client"
	"nod/internal/words"
)

func (c *console) showRequest(ctx context.Context, id string, asJSON bool) error {
	cl, err := c.Client("terminal")
	if err != nil {
		return err
	}
	r, err := c.find(ctx, cl, id)
	if err != nil {
		return err
	}
	if asJSON {
		return c.printJSON(r)
	}
	p := c.page()
	if err := c.println(strings.Join(p.whole(r, id), "\n")); err != nil {
		return err
	}
	if p.folds {
		reportShown(ctx, cl, []*nod.Request{r})
	}
	return nil
}

// find resolves an id or its first letters, and explains when that fails.
func (c *console) find(ctx context.Context, cl *client.Client, id string) (*nod.Request, error) {
	r, err := cl.Request(ctx, id)
	switch {
	case err == nil:
		return r, nil
	case nod.CodeOf(err) == nod.NotFound:
		return nil, fail(exitGone, c.say.Say(words.NoSuchRequest, id))
	case nod.CodeOf(err) == nod.Invalid:
		return nil, fail(exitFailed, c.say.Say(words.NotUnique, id))
	}
	return nil, err
}

// whole draws everything there is to know before answering, cut nowhere.
func (p page) whole(r *nod.Request, short string) []string {
	lines := []string{p.requestHead(r, short)}
	lines = append(lines, p.surroundings(r)...)
	lines = append(lines, "")
	lines = append(lines, p.block(body(r), 2)...)
	if risk := p.risk(r.Risk, p.columns-2); risk != "" {
		lines = append(lines, "", "  "+risk)
	}
	lines = append(lines, p.questions(r)...)
	lines = append(lines, p.offers(r)...)
	lines = append(lines, "", p.say.Say(words.ReceiptsAre))
	lines = append(lines, p.timeline(r)...)
	if r.Settled() {
		return append(lines, "", p.settledText(r))
	}
	return append(lines, p.next(r, short)...)
}

func (p page) surroundings(r *nod.Request) []string {
	var lines []string
	add := func(text string) {
		for _, l := range p.block(text, 2) {
			lines = append(lines, p.ink.paint(quiet, l))
		}
	}
	if r.Agent.Cwd != "" {
		add(p.say.Say(words.InFolder, nod.OneLine(r.Agent.Cwd)))
	}
	if s := r.Agent.Subagent; s != nil {
		add(p.say.Say(words.ForSub, nod.OneLine(s.Type)))
	}
	if r.Dialog == nod.DialogBeside && !r.Settled() {
		add(p.say.Say(words.DialogOpen, nod.OneLine(r.Agent.Host)))
	}
	if r.Link != "" {
		add(p.say.Say(words.OpenPage, nod.OneLine(r.Link)))
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

func (p page) questions(r *nod.Request) []string {
	var lines []string
	for i, q := range r.Questions {
		head := q.Text
		if len(r.Questions) > 1 {
			head = strconv.Itoa(i+1) + ". " + head
		}
		lines = append(lines, "")
		lines = append(lines, p.block(head, 2)...)
		lines = append(lines, p.choices(q)...)
		if hint := p.questionHint(q); hint != "" {
			lines = append(lines, p.ink.paint(quiet, "    "+hint))
		}
	}
	return lines
}

func (p page) choices(q nod.Question) []string {
	var lines []string
	for i, choice := range q.Choices {
		mark := p.ink.paint(strong, strconv.Itoa(i+1))
		text := p.block(choice.Label, 6)
		text[0] = "    " + mark + " " + strings.TrimPrefix(text[0], "      ")
		lines = append(lines, text...)
		for _, detail := range []string{choice.Description, choice.Preview} {
			if detail == "" {
				continue
			}
			for _, l := range p.block(detail, 6) {
				lines = append(lines, p.ink.paint(quiet, l))
			}
		}
	}
	return lines
}

func (p page) questionHint(q nod.Question) string {
	var several, free, empty string
	if q.Multi {
		several = p.say.Say(words.SeveralPicks)
	}
	if q.FreeText || len(q.Choices) == 0 {
		free = p.say.Say(words.AnyText)
	}
	if q.Optional {
		empty = p.say.Say(words.MayBeEmpty)
	}
	return join(several, free, empty)
}

// offers are the rules and modes that can be chosen, in their exact words.
func (p page) offers(r *nod.Request) []string {
	if r.Settled() {
		return nil
	}
	var lines []string
	rules := optionsOf(r, nod.Always)
	switch len(rules) {
	case 0:
	case 1:
		lines = append(lines, "", p.say.Say(words.AlwaysAdds))
	default:
		lines = append(lines, "", p.say.Say(words.AlwaysOneOf))
	}
	lines = append(lines, p.optionLines(rules, func(i int, _ nod.Option) string { return strconv.Itoa(i + 1) })...)
	if modes := optionsOf(r, nod.Mode); len(modes) > 0 {
		lines = append(lines, "", p.say.Say(words.ModesOffered))
		lines = append(lines, p.optionLines(modes, func(_ int, o nod.Option) string { return nod.OneLine(o.ID) })...)
	}
	return lines
}

func (p page) optionLines(options []nod.Option, name func(int, nod.Option) string) []string {
	var lines []string
	for i, o := range options {
		key := name(i, o)
		text := p.block(o.Label, 4+len(key))
		text[0] = "  " + p.ink.paint(strong, key) + "  " + strings.TrimLeft(text[0], " ")
		lines = append(lines, text...)
		if o.Detail != "" {
			for _, l := range p.block(o.Detail, 4+len(key)) {
				lines = append(lines, p.ink.paint(quiet, l))
			}
		}
	}
	return lines
}

func optionsOf(r *nod.Request, kind nod.OptionKind) []nod.Option {
	var found []nod.Option
	for _, o := range r.Options {
		if o.Kind == kind {
			found = append(found, o)
		}
	}
	return found
}

// next is what to type: the whole point of looking.
func (p page) next(r *nod.Request, short string) []string {
	type row = [2]string
	var rows []row
	add := func(format string, m words.Message) {
		rows = append(rows, row{fmt.Sprintf(format, nod.OneLine(short)), p.say.Say(m)})
	}
	if r.Kind == nod.Asking || r.Kind == nod.Elicitation {
		add("nod answer %s "+strings.TrimSpace(strings.Repeat("… ", max(1, len(r.Questions)))), words.ToAnswer)
	} else {
		add("nod allow %s", words.ToAllow)
		if len(optionsOf(r, nod.Always)) > 0 {
			add("nod allow %s --always", words.ToAlways)
		}
		if len(optionsOf(r, nod.Mode)) > 1 {
			add("nod allow %s --mode …", words.ToMode)
		}
		if r.CanEdit {
			add("nod allow %s --edit …", words.ToEdit)
		}
	}
	add("nod deny %s -m …", words.ToDeny)
	add("nod deny %s --stop", words.ToStop)
	table := strings.TrimRight(twoColumns(rows), "\n")
	return append([]string{"", p.say.Say(words.TypeNext)}, strings.Split(table, "\n")...)
}
