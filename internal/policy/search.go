package policy

import "strings"

// search: commands that look for a pattern in files.
func search(name string) (spec, bool) {
	switch name {
	case "grep", "egrep", "fgrep":
		// grep has no flag that writes or runs; -f reads patterns from a file.
		return spec{what: "searches in files", operands: patternFirst, anyFlag: true, number: true,
			bare: "EFGPivwxcLlqsobHhnTUzaIrRZy", take: "emABCfdD",
			long:  "extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case invert-match word-regexp line-regexp count color? colour? files-without-match files-with-matches max-count= only-matching quiet silent no-messages byte-offset with-filename no-filename line-number null text include= exclude= exclude-dir= exclude-from= recursive dereference-recursive after-context= before-context= context= regexp= file= line-buffered binary-files= directories= null-data",
			check: grep}, true
	case "rg":
		// Hidden and ignored files (-. -u --hidden --no-ignore) are where secrets
		// are kept, and -z may start a decompressor: asked.
		return spec{what: "searches in files", operands: patternFirst, number: true,
			bare: "FSsivwxcloLnNHIhUpaP0qb", take: "egtTmABCMjrd",
			long: "fixed-strings smart-case case-sensitive ignore-case invert-match word-regexp line-regexp count count-matches files-with-matches files-without-match only-matching line-number no-line-number with-filename no-filename multiline multiline-dotall pretty text files glob= iglob= type= type-not= type-list max-count= after-context= before-context= context= max-columns= max-depth= regexp= replace= sort= sortr= stats json color= colors= heading no-heading trim vimgrep quiet no-messages null pcre2 column threads= max-filesize= passthru glob-case-insensitive no-config",
			dangers: []danger{{"pre", Unknown, "runs a program on every file"}, {"pre-glob", Unknown, "runs a program on every file"}, {"hostname-bin", Unknown, "runs another program"}, {"search-zip", Unknown, "may run a decompressor"}, {"z", Unknown, "may run a decompressor"},
				{"hidden", Secret, "searches hidden files too"}, {"u", Secret, "searches hidden files too"}, {"uu", Secret, "searches hidden files too"}, {"unrestricted", Secret, "searches hidden files too"}, {"no-ignore", Secret, "searches ignored files too"}, {".", Secret, "searches hidden files too"}, {"f", Unknown, "reads patterns from a file"}, {"file", Unknown, "reads patterns from a file"}},
			check: ripgrep}, true
	}
	return spec{}, false
}

// grep asks when a recursive search would print secrets. The whole project may
// hold a .env: there only a search for something that is no secret goes on.
func grep(c call, p parsed) (finding, bool) {
	s := spec{operands: patternFirst}
	files := operandFiles(s, p)
	if !p.has("r", "R", "recursive", "dereference-recursive") && !p.hasValue("recurse", "d", "directories") {
		return finding{}, false
	}
	if len(files) == 0 {
		files = []word{{text: "."}}
	}
	return recursive(c, p, files)
}

func ripgrep(c call, p parsed) (finding, bool) {
	files := operandFiles(spec{operands: patternFirst}, p)
	if p.has("files", "type-list") {
		return finding{}, false // only names
	}
	if len(files) == 0 {
		files = []word{{text: "."}}
	}
	return recursive(c, p, files)
}

// operandFiles are the operands that are files, without the values of flags.
func operandFiles(s spec, p parsed) []word {
	if len(p.operands) > 0 && !p.has("e", "regexp", "f", "file", "files") {
		return p.operands[1:]
	}
	return p.operands
}

func (p parsed) hasValue(value string, names ...string) bool {
	for _, f := range p.flags {
		for _, n := range names {
			if f.name == n && f.value == value {
				return true
			}
		}
	}
	return false
}

func recursive(c call, p parsed, files []word) (finding, bool) {
	for _, dir := range c.place.all(files) {
		if c.place.sweeps(dir) {
			return stops(Secret, "secret folder: "+c.place.shown(dir), "may read secrets below "+c.place.shown(dir)), true
		}
	}
	if p.has("include", "g", "glob", "t", "type") || p.has("l", "files-with-matches", "c", "count", "q") {
		return finding{}, false // chosen files; or only names and numbers
	}
	for _, pattern := range patterns(p) {
		if huntsSecrets(pattern) {
			return stops(Secret, "search for secrets", "searches everything for secrets"), true
		}
	}
	return finding{}, false
}

// patterns are what a search looks for.
func patterns(p parsed) []string {
	var out []string
	for _, f := range p.flags {
		if f.name == "e" || f.name == "regexp" {
			out = append(out, f.value)
		}
	}
	if len(out) == 0 && len(p.operands) > 0 {
		out = append(out, p.operands[0].text)
	}
	return out
}

// huntsSecrets reports whether a search would show every line, or those that
// hold passwords.
func huntsSecrets(pattern string) bool {
	if strings.Trim(pattern, ".*^$+?=:|[]()\\ws\"'") == "" {
		return true // matches everything
	}
	low := strings.ToLower(pattern)
	for _, w := range []string{"passw", "secret", "api_key", "apikey", "api-key", "private key", "begin rsa", "begin open", "akia", "aws_", "ghp_", "github_pat", "sk-", "xox", "bearer", "_token", "-token", "credential", "hasło"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}

// sed can write files (w, -i), read them (r) and run commands (e). Only scripts
// made of p, d, q, = and s with harmless flags go on.
func sed() spec {
	return spec{what: "prints parts of a text", operands: patternFirst, bare: "nEr", long: "quiet silent regexp-extended",
		dangers: []danger{{"i", Write, "changes files in place"}, {"in-place", Write, "changes files in place"}, {"I", Write, "changes files in place"}, {"f", Unknown, "runs a script from a file"}, {"file", Unknown, "runs a script from a file"}, {"e", Unknown, "a script not known as harmless"}},
		check: func(_ call, p parsed) (finding, bool) {
			if len(p.operands) == 0 || !sedScript(p.operands[0].text) {
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

// sedUntil reads up to a delimiter. Brackets with a backslash or the delimiter
// in them are read differently by GNU and BSD sed: refused.
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
