package render

import (
	"slices"
	"strings"
	"testing"

	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"
)

// judge reads HTML with a browser's tokenizer and reports everything that this package must
// not write. It shares no code with sanitize.
func judge(t testing.TB, name, out string) {
	t.Helper()
	tags := strings.Fields("a p br hr h3 h4 h5 h6 strong em code pre span div ul ol li blockquote table thead tbody tr th td ins del")
	var open []string
	z := html.NewTokenizer(strings.NewReader(out))
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			if len(open) > 0 {
				t.Errorf("%s: left open: %v\n%s", name, open, out)
			}
			return
		case html.TextToken:
			if raw := string(z.Raw()); strings.ContainsAny(raw, "<\x00\u202e\u200b\u2066") {
				t.Errorf("%s: raw %q", name, raw)
			}
		case html.StartTagToken:
			tok := z.Token()
			if !slices.Contains(tags, tok.Data) {
				t.Errorf("%s: <%s>\n%s", name, tok.Data, out)
			}
			judgeAttributes(t, name, tok)
			if tok.Data == "a" && slices.Contains(open, "a") {
				t.Errorf("%s: a link in a link\n%s", name, out)
			}
			if tok.Data != "br" && tok.Data != "hr" {
				open = append(open, tok.Data)
			}
		case html.EndTagToken:
			tok := z.Token()
			if len(open) == 0 || open[len(open)-1] != tok.Data {
				t.Errorf("%s: </%s> closes %v\n%s", name, tok.Data, open, out)
				return
			}
			open = open[:len(open)-1]
		default:
			t.Errorf("%s: a %v\n%s", name, kind, out)
		}
	}
}

func judgeAttributes(t testing.TB, name string, tok html.Token) {
	t.Helper()
	want := map[string]string{}
	for _, a := range tok.Attr {
		if _, twice := want[a.Key]; twice {
			t.Errorf("%s: %s twice in %s", name, a.Key, tok)
		}
		want[a.Key] = a.Val
		switch {
		case a.Key == "class" && strings.Trim(a.Val, "abcdefghijklmnopqrstuvwxyz- ") == "":
		case a.Key == "start" && tok.Data == "ol" && strings.Trim(a.Val, "0123456789") == "":
		case tok.Data == "a" && (a.Key == "href" || a.Key == "rel" || a.Key == "target"):
		default:
			t.Errorf("%s: %s=%q on %s", name, a.Key, a.Val, tok.Data)
		}
	}
	if tok.Data != "a" {
		return
	}
	scheme, _, _ := strings.Cut(want["href"], ":")
	if !slices.Contains([]string{"http", "https", "mailto"}, scheme) || want["rel"] != "noreferrer noopener" || want["target"] != "_blank" {
		t.Errorf("%s: a link %v", name, want)
	}
	if strings.ContainsAny(want["href"], " \t\n\r\x00\"'<>\\`") {
		t.Errorf("%s: href %q", name, want["href"])
	}
}

// secondOpinion uses another sanitizer: it must find nothing to remove.
func secondOpinion(t testing.TB, name, out string) {
	t.Helper()
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "hr", "h3", "h4", "h5", "h6", "strong", "em", "code", "pre", "span", "div", "ul", "ol", "li",
		"blockquote", "table", "thead", "tbody", "tr", "th", "td", "ins", "del")
	p.AllowAttrs("class", "start").Globally()
	p.AllowNoAttrs().OnElements("span")
	p.AllowAttrs("href", "rel", "target").OnElements("a")
	p.AllowURLSchemes("http", "https", "mailto")
	if got, want := words(p.Sanitize(out)), words(out); got != want {
		t.Errorf("%s: a sanitizer would change it:\n%s\nto\n%s", name, want, got)
	}
}

// words is HTML as tokens, so that different spellings of the same compare equal: a
// sanitizer may rewrite an address.
func words(out string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(out))
	for z.Next() != html.ErrorToken {
		tok := z.Token()
		if tok.Type == html.TextToken {
			b.WriteString(tok.Data)
			continue
		}
		for i, a := range tok.Attr {
			if a.Key == "href" {
				tok.Attr[i].Val, _, _ = strings.Cut(a.Val, ":")
			}
		}
		slices.SortFunc(tok.Attr, func(x, y html.Attribute) int { return strings.Compare(x.Key, y.Key) })
		b.WriteString(tok.String())
	}
	return b.String()
}

// textOf is what a person reads: tags gone, entities resolved.
func textOf(out string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(out))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return b.String()
		case html.TextToken:
			b.WriteString(html.UnescapeString(string(z.Raw())))
		}
	}
}
