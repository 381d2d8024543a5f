package policy

import "strings"

// sed can write files (w, -i), read them (r) and run commands (e). Only scripts made of p, d, q, = and s with
// harmless flags are accepted.
func sed() spec {
	return spec{what: "prints parts of a text", operands: patternFirst, bare: "nEr", long: "quiet silent regexp-extended",
		dangers: []danger{{"i", Write, "changes files in place"}, {"in-place", Write, "changes files in place"}, {"I", Write, "changes files in place"}, {"f", Unknown, "runs a script from a file"}, {"file", Unknown, "runs a script from a file"}, {"e", Unknown, "a script not known as harmless"}},
		check: func(_ call, p parsed) (finding, bool) {
			// An unquoted pattern would become a file name, which would then be the script.
			if len(p.operands) == 0 || p.operands[0].glob || !sedScript(p.operands[0].text) {
				return stops(Unknown, "sed script", "a script not known as harmless"), true
			}
			return finding{}, false
		}}
}

// sedScript accepts a script of simple commands, separated by semicolons.
func sedScript(s string) bool {
	for {
		var ok bool
		if s, ok = sedAddress(s); !ok || s == "" {
			return false
		}
		switch s[0] {
		case 'p', 'd', 'q', '=':
			s = s[1:]
		case 's':
			if s, ok = sedSubstitute(s[1:]); !ok {
				return false
			}
		default:
			return false
		}
		if s == "" {
			return true
		}
		if s[0] != ';' {
			return false
		}
		s = strings.TrimLeft(s[1:], " ")
	}
}

func sedAddress(s string) (string, bool) {
	for {
		switch {
		case s != "" && (s[0] == '$' || '0' <= s[0] && s[0] <= '9'):
			if s[0] == '$' {
				s = s[1:]
			}
			s = strings.TrimLeft(s, "0123456789")
		case s != "" && s[0] == '/':
			_, rest, ok := sedUntil(s[1:], '/')
			if !ok {
				return "", false
			}
			s = rest
		default:
			return s, true
		}
		if !strings.HasPrefix(s, ",") {
			return s, true
		}
		if s = strings.TrimPrefix(s[1:], "+"); s == "" || s[0] == ',' {
			return "", false
		}
	}
}

func sedSubstitute(s string) (string, bool) {
	if s == "" || !strings.ContainsRune("/|,#:@", rune(s[0])) {
		return "", false
	}
	_, rest, ok := sedUntil(s[1:], s[0])
	if !ok {
		return "", false
	}
	if _, rest, ok = sedUntil(rest, s[0]); !ok {
		return "", false
	}
	return strings.TrimLeft(rest, "gpI0123456789"), true // not e, w, m
}

// sedUntil reads up to a delimiter. GNU and BSD sed disagree about brackets with a backslash or the delimiter in
// them: rejected.
func sedUntil(s string, delimiter byte) (string, string, bool) {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\n':
			return "", "", false
		case '\\':
			if i++; i < len(s) && s[i] == '\n' {
				return "", "", false
			}
		case delimiter:
			text := s[:i]
			clear := !strings.Contains(text, "[") || !strings.Contains(text, "\\") && strings.Count(text, "[") == strings.Count(text, "]") && !strings.Contains(text, "[]") && !strings.Contains(text, "[^]")
			return text, s[i+1:], clear
		}
	}
	return "", "", false
}
