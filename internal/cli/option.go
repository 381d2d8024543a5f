package cli

import (
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"nod"
	"nod/internal/present/words"
)

// offerLines are the rules, leases and modes that can be chosen, in their exact words.
func offerLines(p page, r *nod.Request) []string {
	if r.Settled() {
		return nil
	}
	var lines []string
	rules := optionsOf(r, nod.OptionAlways)
	switch len(rules) {
	case 0:
	case 1:
		lines = append(lines, "", p.Say(words.AlwaysAdds))
	default:
		lines = append(lines, "", p.Say(words.AlwaysOneOf))
	}
	lines = append(lines, optionLines(p, rules, func(i int, _ nod.Option) string { return strconv.Itoa(i + 1) })...)
	if leases := optionsOf(r, nod.OptionLease); len(leases) > 0 {
		lines = append(lines, "", p.Say(words.LeaseOffered))
		for _, rule := range leases[0].Rules {
			lines = append(lines, p.block(rule, 2)...)
		}
	}
	if modes := optionsOf(r, nod.OptionMode); len(modes) > 0 {
		lines = append(lines, "", p.Say(words.ModesOffered))
		lines = append(lines, optionLines(p, modes, func(_ int, o nod.Option) string { return nod.OneLine(o.ID) })...)
	}
	return lines
}

func optionLines(p page, options []nod.Option, name func(int, nod.Option) string) []string {
	widest := 0
	for i, o := range options {
		widest = max(widest, lipgloss.Width(name(i, o)))
	}
	var lines []string
	for i, o := range options {
		key := padded(name(i, o), widest)
		text := p.block(o.Label, 4+widest)
		text[0] = "  " + p.paint(strong, key) + "  " + strings.TrimLeft(text[0], " ")
		lines = append(lines, text...)
		if o.Detail != "" {
			for _, l := range p.block(p.Kept(o.Detail), 4+widest) {
				lines = append(lines, p.paint(quiet, l))
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
