package shell

import (
	"fmt"
	"strconv"
	"strings"
)

// render writes facts down so that a person can check them. A word has marks in
// front: ? not literal, ^ but for a folder at its front, * glob, ' quoted.
func render(l Line) string {
	var b strings.Builder
	if l.Problem != "" {
		fmt.Fprintf(&b, "problem: %s\n", l.Problem)
		return b.String()
	}
	for i, c := range l.Commands {
		fmt.Fprintf(&b, "%d:", i)
		if c.Name == (Word{}) {
			b.WriteString(" (none)")
		} else {
			b.WriteString(" " + renderWord(c.Name))
		}
		for _, a := range c.Args {
			b.WriteString(" " + renderWord(a))
		}
		for _, a := range c.Assigns {
			fmt.Fprintf(&b, " | set %s=%s", a.Name, renderWord(a.Value))
		}
		for _, r := range c.Redirects {
			fmt.Fprintf(&b, " | %s %s%s", r.Op, renderWord(r.Target), pick(r.Reads, " reads")+pick(r.Writes, " writes"))
		}
		for _, w := range c.Wrappers {
			b.WriteString(" | by " + w.Name)
			for _, a := range w.Args {
				b.WriteString(" " + renderWord(a))
			}
		}
		if c.Where != 0 {
			b.WriteString(" | " + renderTraits(c.Where))
		}
		if c.PipeTo >= 0 {
			fmt.Fprintf(&b, " | to %d", c.PipeTo)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func pick(ok bool, text string) string {
	if ok {
		return text
	}
	return ""
}

func renderWord(w Word) string {
	text := w.Text
	if len(text) > 200 {
		text = fmt.Sprintf("%s…%d bytes", text[:20], len(text))
	}
	if q := strconv.Quote(text); text == "" || q != `"`+text+`"` || strings.ContainsAny(text, " |?*'") {
		text = q
	}
	return pick(!w.Literal, "?") + pick(w.Place, "^") + pick(w.Glob, "*") + pick(w.Quoted, "'") + text
}

func renderTraits(t Trait) string {
	names := []string{"Piped", "Listed", "Subshell", "Substitution", "ProcessSubst", "Background", "InFunction",
		"Conditional", "HereDoc", "Dynamic", "Arithmetic", "Nested", "Remote", "Declares", "Repeats", "Looped"}
	var out []string
	for i, name := range names {
		if t.Has(1 << i) {
			out = append(out, name)
		}
	}
	return strings.Join(out, ",")
}
