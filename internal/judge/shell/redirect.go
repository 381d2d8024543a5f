package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

func (w *walker) redirects(list []*syntax.Redirect, at place) []Redirect {
	var out []Redirect
	for _, r := range list {
		out = append(out, w.redirect(r, at))
	}
	return out
}

func (w *walker) redirect(r *syntax.Redirect, at place) Redirect {
	out := Redirect{Op: r.Op.String(), Span: at.span(r)}
	if r.N != nil {
		out.Op = r.N.Value + out.Op
	}
	target := newWord(r.Word, at)
	out.Target = target.Word
	switch r.Op {
	case syntax.RdrIn:
		out.Reads = true
	case syntax.RdrInOut:
		out.Reads, out.Writes = true, true
	case syntax.Hdoc, syntax.DashHdoc:
		w.delimiter(r, at)
		out.Target = hereDoc(r, at)
	case syntax.WordHdoc:
		w.bashOnly(at)
	case syntax.DplIn, syntax.DplOut:
		if len(target.Text) > 1 && target.Text[0] == '-' {
			w.fail("text after >&-") // bash closes, and runs the rest as a word
		}
		if isDescriptor(target) {
			out.Op += target.Text
			break
		}
		// >& file writes to it; if the target is unknown before run time, it may be a file.
		w.bashOnly(at)
		out.Writes = r.Op == syntax.DplOut
		out.Reads = r.Op == syntax.DplIn
	case syntax.RdrAll, syntax.AppAll:
		w.bashOnly(at)
		out.Writes = true
	default:
		out.Writes = true
	}
	return out
}

// isDescriptor reports whether >&word names a descriptor: 1, -, or 1- (move).
func isDescriptor(target word) bool {
	if !target.Literal {
		return false
	}
	return target.Text == "-" || isNumber(strings.TrimSuffix(target.Text, "-"))
}
