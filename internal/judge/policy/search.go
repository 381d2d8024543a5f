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
		// Hidden and ignored files (-. -u --hidden --no-ignore) are where secrets are kept, and -z may start a
		// decompressor: ask. The same for --json, which prints lines whatever -l and -c say.
		return spec{what: "searches in files", operands: patternFirst, number: true,
			bare: "FSsivwxcloLnNHIhUpaP0qb", take: "egtTmABCMjrd",
			long: "fixed-strings smart-case case-sensitive ignore-case invert-match word-regexp line-regexp count count-matches files-with-matches files-without-match only-matching line-number no-line-number with-filename no-filename multiline multiline-dotall pretty text files glob= iglob= type= type-not= type-list max-count= after-context= before-context= context= max-columns= max-depth= regexp= replace= sort= sortr= stats color= colors= heading no-heading trim vimgrep quiet no-messages null pcre2 column threads= max-filesize= passthru glob-case-insensitive no-config",
			dangers: []danger{{"pre", Unknown, "runs a program on every file"}, {"pre-glob", Unknown, "runs a program on every file"}, {"hostname-bin", Unknown, "runs another program"}, {"search-zip", Unknown, "may run a decompressor"}, {"z", Unknown, "may run a decompressor"},
				{"hidden", Secret, "searches hidden files too"}, {"u", Secret, "searches hidden files too"}, {"uu", Secret, "searches hidden files too"}, {"unrestricted", Secret, "searches hidden files too"}, {"no-ignore", Secret, "searches ignored files too"}, {".", Secret, "searches hidden files too"}, {"f", Unknown, "reads patterns from a file"}, {"file", Unknown, "reads patterns from a file"}},
			check: ripgrep}, true
	}
	return spec{}, false
}

// grep asks when a recursive search would print secrets.
func grep(c call, p parsed) (finding, bool) {
	sweeps := p.has("r", "R", "recursive", "dereference-recursive")
	for _, f := range p.flags {
		// Any prefix of "recurse" works.
		sweeps = sweeps || (f.name == "d" || f.name == "directories") && f.value != "skip" && f.value != "read"
	}
	if !sweeps {
		return finding{}, false
	}
	files := operandFiles(p)
	if len(files) == 0 {
		files = []word{{text: "."}}
	}
	if f, found := recursive(c, p, files); found || namesOnly(p) || p.chosen("include") {
		return f, found
	}
	for _, f := range p.flags {
		if f.name == "exclude" && (f.value == ".env*" || f.value == ".*") {
			return finding{}, false
		}
	}
	for _, dir := range c.place.all(files) {
		if c.place.mayHoldEnv(dir) {
			return stops(Secret, "search through hidden files", "may print lines of a .env"), true
		}
	}
	return finding{}, false
}

// ripgrep skips hidden files by default, so the whole project is fine.
func ripgrep(c call, p parsed) (finding, bool) {
	if p.has("files", "type-list") {
		return finding{}, false // only names
	}
	files := operandFiles(p)
	if len(files) == 0 {
		files = []word{{text: "."}}
	}
	return recursive(c, p, files)
}

// operandFiles are the operands that are files, without the values of flags.
func operandFiles(p parsed) []word {
	if len(p.operands) > 0 && !p.operands[0].glob && !p.has("e", "regexp", "f", "file", "files") {
		return p.operands[1:]
	}
	return p.operands
}

// namesOnly reports whether a search shows names and numbers, and no lines.
func namesOnly(p parsed) bool {
	return p.has("l", "files-with-matches", "L", "files-without-match", "c", "count", "count-matches", "q", "quiet", "silent")
}

func recursive(c call, p parsed, files []word) (finding, bool) {
	for _, dir := range c.place.all(files) {
		if c.place.sweeps(dir) {
			return stops(Secret, "secret folder: "+c.place.shown(dir), "may read secrets below "+c.place.shown(dir)), true
		}
	}
	for _, f := range p.flags {
		if (f.name == "include" || f.name == "g" || f.name == "glob" || f.name == "iglob") && !negated(f.value) && secretChoice(f.value) {
			return stops(Secret, "secret file: "+short(f.value), "may read secrets in "+short(f.value)), true
		}
	}
	if namesOnly(p) || p.chosen("include", "g", "glob", "iglob") || p.codeType() {
		return finding{}, false
	}
	if p.has("v", "invert-match", "passthru") {
		return stops(Secret, "search for secrets", "prints nearly every line"), true
	}
	for _, pattern := range patterns(p) {
		if huntsSecrets(pattern) {
			return stops(Secret, "search for secrets", "searches everything for secrets"), true
		}
	}
	return finding{}, false
}

// chosen reports whether flags select the files to search, and none of them only excludes some.
func (p parsed) chosen(flags ...string) bool {
	some := false
	for _, f := range p.flags {
		if contains(flags, f.name) && !negated(f.value) {
			some = true
		}
	}
	return some
}

func negated(glob string) bool { return strings.HasPrefix(glob, "!") }

// secretChoice reports whether a pattern that a search program matches itself may select a secret file.
func secretChoice(glob string) bool {
	all, ok := alternatives(glob)
	for _, one := range all {
		ok = ok && !secretPattern("/x/"+strings.TrimLeft(one, "/"))
	}
	return !ok
}

// alternatives expands the braces of a pattern: *.{ts,tsx}. It returns false for more than one pair, or where
// programs might differ.
func alternatives(glob string) ([]string, bool) {
	before, rest, braces := strings.Cut(glob, "{")
	if !braces {
		return []string{glob}, !strings.ContainsAny(glob, "}!")
	}
	list, after, ok := strings.Cut(rest, "}")
	if !ok || strings.ContainsAny(before+list+after, "{}!\\[") {
		return nil, false
	}
	var out []string
	for one := range strings.SplitSeq(list, ",") {
		out = append(out, before+one+after)
	}
	return out, true
}

// codeType reports whether -t selects a language. Other types include hidden files: a .env is a shell script to
// ripgrep, and `all` is everything.
func (p parsed) codeType() bool {
	some := false
	for _, f := range p.flags {
		if f.name == "t" || f.name == "type" {
			if some = codeType(f.value); !some {
				return false
			}
		}
	}
	return some
}

func codeType(name string) bool {
	return listed("go js ts typescript py rust java kotlin swift c cpp cs csharp php ruby lua css html md markdown proto sql zig elixir haskell scala", name)
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

// huntsSecrets reports whether a search would show every line, or those that hold passwords.
func huntsSecrets(pattern string) bool {
	plain := strings.NewReplacer("\\|", "|", "\\(", "(", "\\)", ")", "\n", "|").Replace(pattern)
	for one := range strings.SplitSeq(plain, "|") {
		if !saysSomething(one) {
			return true // one of its alternatives is empty or matches nearly anything
		}
	}
	if strings.Contains(plain, ")?") || strings.Contains(plain, ")*") || strings.Contains(plain, "){") || strings.Contains(plain, ")\\") {
		return true // what is in parentheses may be optional
	}
	for rest := plain; ; {
		_, after, found := strings.Cut(rest, "(?")
		if !found {
			break
		}
		if after == "" || strings.IndexByte("i:", after[0]) < 0 {
			return true // a comment, or text that must not match
		}
		rest = after
	}
	low := strings.ToLower(pattern)
	for _, w := range [...]string{"passw", "secret", "api_key", "apikey", "api-key", "private key", "begin rsa", "begin open", "akia", "aws_", "ghp_", "github_pat", "sk-", "xox", "bearer", "_token", "-token", "_key", "_url", "credential", "hasło"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}

// saysSomething reports whether a pattern has two consecutive letters that must be in the line. Classes and escapes
// match nearly anything; a letter before * ? or { is optional.
func saysSomething(pattern string) bool {
	run, class := 0, false
	for i := 0; i < len(pattern); i++ {
		switch b := pattern[i]; {
		case b == '\\':
			i, run = i+1, 0
		case class:
			class = b != ']'
		case b == '[':
			class, run = true, 0
		case letter(b) || '0' <= b && b <= '9' || b >= 0x80 || b == ' ' && run > 0 || strings.IndexByte("<>=\"'/#@!;,", b) >= 0:
			optional := i+1 < len(pattern) && strings.IndexByte("*?{", pattern[i+1]) >= 0
			if run++; run > 1 && !optional {
				return true
			}
		default:
			run = 0
		}
	}
	return false
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
