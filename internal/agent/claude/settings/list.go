package settings

import (
	"bytes"
	"slices"

	"github.com/tailscale/hujson"
)

// list is an object or an array: entries with text before and after each, and text before the closing
// bracket. A non-nil text after the last entry means that a trailing comma follows it.
type list interface {
	len() int
	before(i int) *hujson.Extra
	after(i int) *hujson.Extra
	end() *hujson.Extra
	cut(i int)
}

type arrayList struct{ *hujson.Array }

func (l arrayList) len() int                   { return len(l.Elements) }
func (l arrayList) before(i int) *hujson.Extra { return &l.Elements[i].BeforeExtra }
func (l arrayList) after(i int) *hujson.Extra  { return &l.Elements[i].AfterExtra }
func (l arrayList) end() *hujson.Extra         { return &l.AfterExtra }
func (l arrayList) cut(i int)                  { l.Elements = slices.Delete(l.Elements, i, i+1) }

type objectList struct{ *hujson.Object }

func (l objectList) len() int                   { return len(l.Members) }
func (l objectList) before(i int) *hujson.Extra { return &l.Members[i].Name.BeforeExtra }
func (l objectList) after(i int) *hujson.Extra  { return &l.Members[i].Value.AfterExtra }
func (l objectList) end() *hujson.Extra         { return &l.AfterExtra }
func (l objectList) cut(i int)                  { l.Members = slices.Delete(l.Members, i, i+1) }

// drop removes entry i with the white space around it. Comments around it are the person's and stay.
func drop(l list, i int) {
	lead, trail := *l.before(i), *l.after(i)
	last := i == l.len()-1
	l.cut(i)
	if !last {
		next := l.before(i)
		switch {
		case !hasComment(lead) && !hasComment(trail) && !hasComment(*next):
			*next = lead // so that `[{nod}, {other}]` becomes `[{other}]`
		default:
			*next = join(join(commentsOf(lead), commentsOf(trail)), *next)
		}
		return
	}
	kept := join(commentsOf(lead), commentsOf(trail))
	if i > 0 && trail == nil { // the new last entry loses its comma, as the old last one had none
		kept = join(commentsOf(*l.after(i - 1)), kept)
		*l.after(i - 1) = nil
	} else if i > 0 && *l.after(i - 1) == nil {
		*l.after(i - 1) = hujson.Extra{}
	}
	*l.end() = join(kept, *l.end())
}

func hasComment(e hujson.Extra) bool { return bytes.IndexByte(e, '/') >= 0 }

func commentsOf(e hujson.Extra) hujson.Extra {
	if !hasComment(e) {
		return nil
	}
	return e
}

// join concatenates two texts without a blank line between them.
func join(a, b hujson.Extra) hujson.Extra {
	if len(a) == 0 {
		return b
	}
	a = bytes.TrimRight(a, " \t")
	if bytes.HasSuffix(a, []byte("\n")) {
		b = bytes.TrimPrefix(b, []byte("\r"))
		b = bytes.TrimPrefix(b, []byte("\n"))
	}
	return slices.Concat(a, b)
}

// bare reports whether a container has neither entries nor comments.
func bare(l list) bool { return l.len() == 0 && !hasComment(*l.end()) }
