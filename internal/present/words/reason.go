package words

import "strings"

// Reason is the reason of a risk in the person's language. The log has it in English, as
// rules write it. One without a translation is left out: the level of the risk is there,
// and half a screen in another language explains nothing.
func (p Printer) Reason(english string) string {
	if english == "" || p.Lang() == English {
		return english
	}
	for _, m := range reasonTexts {
		before, after, open := strings.Cut(m.EN, "%s")
		if !open {
			if m.EN == english {
				return p.Say(m)
			}
			continue
		}
		if about, ok := strings.CutPrefix(english, before); ok {
			if about, ok = strings.CutSuffix(about, after); ok && about != "" {
				return p.Say(m, about)
			}
		}
	}
	return ""
}
