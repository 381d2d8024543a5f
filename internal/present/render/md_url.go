package render

import "strings"

// longestLink is the longest address that becomes a link.
const longestLink = 2048

// safeURL encodes an address for an attribute and returns its host, or reports that it
// must not become a link: only the web and mail, only hosts in plain letters, and nothing
// before an @ that could be mistaken for a host.
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

// isHost accepts names and addresses with an optional port, in plain letters: a name in
// another script may be a look-alike, so it is shown but not linked.
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

// percent encodes what an attribute or an address must not contain.
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

// trimURL removes the punctuation of the sentence from the end of an address.
func trimURL(s string) string {
	open := strings.Count(s, "(") - strings.Count(s, ")")
	for s != "" {
		c := s[len(s)-1]
		switch {
		case c == ')' && open < 0:
			open++
		case strings.IndexByte("?!.,:;*_~'[]", c) >= 0:
		default:
			return s
		}
		s = s[:len(s)-1]
	}
	return ""
}
