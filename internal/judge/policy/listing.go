package policy

import "strings"

// listing knows the read-only part of programs that otherwise write, install or run: it is checked before their
// dangers.
func listing(c call) (finding, bool) {
	switch c.name {
	case "awk", "gawk", "mawk", "nawk":
		return awk(c)
	case "tar":
		return tarList(c)
	case "unzip":
		// Only the table of contents; everything else unpacks.
		return onlyWith(spec{what: "lists an archive", operands: fileNames, bare: "lvqh"}, c, "l")
	case "gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "zstd", "unzstd":
		// With -c the text goes to the terminal; a name ending in cat means the same.
		s := spec{what: "reads files", operands: fileContents, bare: "cdlkqv", long: "stdout decompress list"}
		if strings.HasPrefix(c.name, "un") || strings.HasPrefix(c.name, "gun") || strings.HasPrefix(c.name, "bun") {
			return onlyWith(s, c, "c", "stdout")
		}
		if _, ok := onlyWith(s, c, "d", "decompress"); ok {
			if f, ok := onlyWith(s, c, "c", "stdout"); ok {
				return f, true
			}
		}
		return onlyWith(s, c, "l", "list")
	case "dpkg":
		return query(c, "lists packages", "-l", "-L", "-s", "-S", "--list", "--listfiles", "--status", "--search")
	case "rpm":
		return query(c, "lists packages", "-qa", "-qi", "-ql", "-qf", "-q")
	case "apt":
		if len(c.args) == 2 && c.args[0].text == "list" && c.args[1].text == "--installed" {
			return harmless("apt list", "lists packages"), true
		}
	case "brew":
		if len(c.args) > 0 && c.args[0].text == "list" {
			c.args = c.args[1:]
			return onlyWith(spec{what: "lists packages", operands: anyText, bare: "1l", long: "versions formula cask full-name"}, c)
		}
	}
	return finding{}, false
}

// onlyWith judges a call by a spec if it has one of some flags, or if no flags are given here. What the spec does not
// allow is left to the danger rules, except for secrets.
func onlyWith(s spec, c call, flags ...string) (finding, bool) {
	p, _, ok := s.parse(c.name, c)
	if !ok || len(flags) > 0 && !p.has(flags...) {
		return finding{}, false
	}
	f := s.judge(c.name, c)
	return f, f.verdict == Allow || f.level == Secret
}

// query accepts one of a few flags, followed by names.
func query(c call, what string, flags ...string) (finding, bool) {
	if len(c.args) == 0 || !contains(flags, c.args[0].text) {
		return finding{}, false
	}
	for _, a := range c.args[1:] {
		if strings.HasPrefix(a.text, "-") || a.glob {
			return finding{}, false
		}
	}
	return harmless(c.name+" "+c.args[0].text, what), true
}

// tarList accepts tar -tf and nothing that makes it start a program: an archive on
// another machine (host:file), -I, --to-command, --checkpoint-action, a list of
// names with -T, which may hold flags.
func tarList(c call) (finding, bool) {
	if len(c.args) < 2 {
		return finding{}, false
	}
	letters := strings.TrimPrefix(c.args[0].text, "-")
	if c.args[0].glob || !strings.HasSuffix(letters, "f") || strings.Count(letters, "f") != 1 || !strings.Contains(letters, "t") || strings.Trim(letters, "tvzjJf") != "" {
		return finding{}, false
	}
	for _, a := range c.args[1:] {
		if strings.HasPrefix(a.text, "-") || a.glob || strings.Contains(a.text, ":") {
			return finding{}, false
		}
	}
	return harmless("tar -t", "lists an archive"), true
}

// lists: more commands that only show something.
func lists(name string) (spec, bool) {
	switch name {
	case "zcat", "gzcat", "bzcat", "xzcat", "zstdcat":
		return spec{what: "reads files", operands: fileContents, bare: "fq"}, true
	case "base64":
		// -i and -o name files on macOS, where -o writes.
		return spec{what: "turns files into text", operands: fileContents, max: 1, bare: "dD", take: "wb", long: "decode wrap=", dangers: []danger{{"o", Write, "writes its output to a file"}, {"output", Write, "writes its output to a file"}}}, true
	case "yq":
		// There are two programs of that name. Both can load files, show the environment and write in place: only a
		// plain path into the document is accepted.
		return spec{what: "queries YAML", operands: patternFirst, bare: "r", check: func(_ call, p parsed) (finding, bool) {
			return stops(Unknown, "yq", "a filter not known as harmless"), len(p.operands) == 0 || p.operands[0].glob || !yamlPath(p.operands[0].text)
		}}, true
	case "fd", "fdfind":
		// -x, -X and -l run a program on the results.
		return spec{what: "finds files by name", operands: anyText, bare: "HIuaL0pisgF1q", take: "tedEcS", long: "hidden no-ignore absolute-path glob fixed-strings ignore-case case-sensitive full-path follow print0 type= extension= max-depth= exclude= color= size= quiet",
			dangers: []danger{{"x", Unknown, "runs a command on files found"}, {"X", Unknown, "runs a command on files found"}, {"exec", Unknown, "runs a command on files found"}, {"exec-batch", Unknown, "runs a command on files found"}, {"l", Unknown, "runs another program"}, {"list-details", Unknown, "runs another program"}}}, true
	case "top":
		// Only in batch mode with a count: otherwise it never ends.
		return spec{what: "lists processes", bare: "bHi", take: "npuo", check: func(_ call, p parsed) (finding, bool) {
			n := ""
			for _, f := range p.flags {
				if f.name == "n" {
					n = f.value
				}
			}
			return asks(Read, "top", "never ends by itself"), !p.has("b") || !digits(n) || len(n) > 1 || n == "0"
		}}, true
	}
	return spec{}, false
}

// yamlPath accepts .a.b[0] and the like: no word in it can be a function.
func yamlPath(s string) bool {
	if s == "." {
		return true
	}
	for s != "" {
		switch {
		case s[0] == '[':
			end := strings.IndexByte(s, ']')
			if end < 0 || strings.Trim(s[1:end], "0123456789") != "" {
				return false
			}
			s = s[end+1:]
		case s[0] == '.' && len(s) > 1 && letter(s[1]):
			s = strings.TrimLeft(s[1:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
		case s[0] == '.' && len(s) > 1 && s[1] == '[':
			s = s[1:]
		default:
			return false
		}
	}
	return true
}
