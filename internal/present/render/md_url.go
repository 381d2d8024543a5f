package render

import (
	"html"
	"strings"
)

// unescape resolves backslashes and entities, as they count in destinations.
func unescape(s string) string {
	if !strings.ContainsAny(s, `\&`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && isPunct(s[i+1]) {
			i++
		}
		b.WriteByte(s[i])
	}
	return html.UnescapeString(b.String())
}

// safeURL makes an address fit for an attribute and says whose it is, or that
// it is not one to follow: only the web and mail, only hosts that look like what
// they are, nothing before an @ that could pass for a host.
func safeURL(to string) (href, host string, ok bool) {
	scheme, rest, found := strings.Cut(to, ":")
	if !found || len(to) > longestLink {
		return "", "", false
	}
	scheme = strings.ToLower(scheme)
	switch scheme {
	case "http", "https":
		rest, found = strings.CutPrefix(rest, "//")
		end := strings.IndexAny(rest, "/?#")
		if end < 0 {
			end = len(rest)
		}
		host = rest[:end]
		if !found || !isHost(host) {
			return "", "", false
		}
		return scheme + "://" + percent(rest), host, true
	case "mailto":
		if !strings.Contains(rest, "@") || strings.HasPrefix(rest, "/") {
			return "", "", false
		}
		return "mailto:" + percent(rest), rest, true
	}
	return "", "", false
}

// isHost takes names and addresses with an optional port, in plain letters: a
// name in another script is shown, not linked, since it may be a look-alike.
func isHost(s string) bool {
	if rest, ok := strings.CutPrefix(s, "["); ok {
		address, port, ok := strings.Cut(rest, "]")
		return ok && address != "" && onlyOf(address, "0123456789abcdefABCDEF:.") && (port == "" || isPort(port))
	}
	name, port := s, ""
	if i := strings.IndexByte(s, ':'); i >= 0 {
		name, port = s[:i], s[i:]
	}
	return name != "" && isWord(name[0]) && (port == "" || isPort(port)) &&
		onlyOf(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_")
}

func isPort(s string) bool { return s[0] == ':' && len(s) <= 6 && onlyOf(s[1:], "0123456789") }

// percent encodes what an attribute or an address must not hold.
func percent(s string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '&':
			b.WriteString("&amp;")
		case c <= ' ' || c >= 0x7F || strings.IndexByte("\"'<>`\\^{|}", c) >= 0, c == '%' && !isCode(s[i+1:]):
			b.WriteByte('%')
			b.WriteByte(digits[c>>4])
			b.WriteByte(digits[c&15])
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// isCode says whether two hexadecimal digits follow.
func isCode(s string) bool { return len(s) >= 2 && onlyOf(s[:2], "0123456789abcdefABCDEF") }

// angle reads <https://…> and <someone@example.com>. Everything else that looks
// like a tag is text.
func (p *inline) angle() {
	rest := p.s[p.pos+1:]
	end := strings.IndexAny(rest[:min(len(rest), longestLink)], "<> \t\n")
	if end <= 0 || rest[end] != '>' {
		p.pos++
		return
	}
	text := rest[:end]
	to := text
	if !strings.Contains(text, ":") && strings.Contains(text, "@") {
		to = "mailto:" + text
	}
	p.autolink(text, to, end+2)
}

// autolink puts a link that is its own label, or leaves one sign as text.
func (p *inline) autolink(text, to string, size int) bool {
	href, _, ok := safeURL(to)
	if !ok {
		p.pos++
		return false
	}
	p.put(node{html: anchor(href) + drawn(text) + "</a>", bare: text}, size)
	return true
}

// bareLink reads an address within a text. It ends at the first letter beyond
// ASCII, because Japanese goes on without a blank.
func (p *inline) bareLink() {
	start := p.pos
	if start > 0 && (isWord(p.s[start-1]) && p.s[start-1] < 0x80 || strings.IndexByte("/.-@:=", p.s[start-1]) >= 0) {
		p.pos = p.wordEnd()
		return
	}
	rest := p.s[start:min(start+longestLink, len(p.s))]
	prefix := ""
	switch head := strings.ToLower(rest[:min(len(rest), 8)]); {
	case strings.HasPrefix(head, "http://"), strings.HasPrefix(head, "https://"):
	case strings.HasPrefix(head, "www."):
		prefix = "https://"
	default:
		p.pos = p.wordEnd()
		return
	}
	stops := "\"<>`\\^{|}"
	if len(p.brackets) > 0 {
		stops += "]" // the label of a link ends here
	}
	end := 0
	for end < len(rest) && rest[end] > ' ' && rest[end] < 0x7F && strings.IndexByte(stops, rest[end]) < 0 {
		end++
	}
	end = trimURL(rest[:end])
	if !p.autolink(rest[:end], prefix+rest[:end], end) {
		p.pos = max(p.pos, p.wordEnd())
	}
}

func (p *inline) wordEnd() int {
	i := p.pos + 1
	for i < len(p.s) && (isLetter(p.s[i]) || isDigit(p.s[i])) {
		i++
	}
	return i
}

// trimURL leaves the signs of the sentence out of an address.
func trimURL(s string) int {
	open := strings.Count(s, "(") - strings.Count(s, ")")
	for s != "" {
		c := s[len(s)-1]
		switch {
		case c == ')' && open < 0:
			open++
		case strings.IndexByte("?!.,:;*_~'[]", c) >= 0:
		default:
			return len(s)
		}
		s = s[:len(s)-1]
	}
	return 0
}
