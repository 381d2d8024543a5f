package policy

import (
	"strings"
	"sync"
	"unicode"
)

// secretPath reports whether an absolute path, perhaps with patterns for the shell to expand, may name a secret.
// Symlinks are invisible here: a harmless name may lead to one.
func secretPath(name string) bool { return secretName(name, false) }

// secretPattern is the same for a pattern that a program matches itself: its * also matches a leading dot, and a
// backslash quotes the next letter.
func secretPattern(name string) bool {
	if strings.IndexByte(name, '\\') >= 0 {
		name = strings.ReplaceAll(name, "\\", "")
	}
	return secretName(name, true)
}

func secretName(name string, dots bool) bool {
	var room [24]string // on the stack, enough for most
	parts := steps(room[:0], foldPath(name))
	last := parts[len(parts)-1]
	if processSecret(parts) {
		return true
	}
	known := secrets()
	for i, part := range parts {
		if patterned(part) {
			if known.anyFolder(parts[i:], dots) {
				return true
			}
			continue
		}
		for _, run := range known.folders[part] {
			if follows(parts[i:], run, false, dots) {
				return true
			}
		}
		if part == ".git" && i < len(parts)-1 && meet(last, "config*", dots) {
			return true // of a submodule or a work tree, with the URLs of its remotes
		}
	}
	for _, run := range known.oddFolders {
		for i := range parts {
			if follows(parts[i:], run, false, dots) {
				return true
			}
		}
	}
	for _, f := range openNames {
		if f == last {
			return false
		}
	}
	return known.file(parts, dots)
}

// knownSecrets indexes the tables for lookup. A judgement checks every word of a command, and most words are plain
// names.
type knownSecrets struct {
	folders    map[string][][]string // runs of plain folders, by the first
	oddFolders [][]string            // runs with patterns in them
	names      map[string]bool       // plain names of files
	patterns   []string              // names with a star
	ends       [][]string            // ends of paths
}

// secrets builds the index at first use: most runs of nod, which starts at every step of an agent, judge nothing.
var secrets = sync.OnceValue(func() *knownSecrets {
	k := &knownSecrets{folders: map[string][][]string{}, names: map[string]bool{}}
	for _, f := range secretFolders {
		run := strings.Split(f, "/")
		if patterned(f) {
			k.oddFolders = append(k.oddFolders, run)
		} else {
			k.folders[run[0]] = append(k.folders[run[0]], run)
		}
	}
	for _, f := range secretNames {
		switch {
		case strings.Contains(f, "/"):
			k.ends = append(k.ends, strings.Split(f, "/"))
		case patterned(f):
			k.patterns = append(k.patterns, f)
		default:
			k.names[f] = true
		}
	}
	return k
})

func (k *knownSecrets) anyFolder(parts []string, dots bool) bool {
	for _, runs := range k.folders {
		for _, run := range runs {
			if follows(parts, run, false, dots) {
				return true
			}
		}
	}
	return false
}

func (k *knownSecrets) file(parts []string, dots bool) bool {
	last := parts[len(parts)-1]
	for _, end := range k.ends {
		if len(end) <= len(parts) && follows(parts[len(parts)-len(end):], end, true, dots) {
			return true
		}
	}
	if !patterned(last) {
		for _, p := range k.patterns {
			if meet(last, p, dots) {
				return true
			}
		}
		return k.names[last]
	}
	code := codeFiles(last)
	for _, p := range k.patterns {
		if stem := strings.TrimRight(p, "*."); code && !startsLike(last, stem) {
			p = stem
		}
		if meet(last, p, dots) {
			return true
		}
	}
	for name := range k.names {
		if meet(last, name, dots) {
			return true
		}
	}
	return last == "**"
}

// holds reports whether a well-known secret lies below a folder: the folder is the front of a path to one. A single
// name counts only if it is hidden, since every project may have a folder called config.
func (k *knownSecrets) holds(parts []string) bool {
	for _, end := range k.ends {
		if leadsTo(parts, end) {
			return true
		}
	}
	for _, runs := range k.folders {
		for _, run := range runs {
			if leadsTo(parts, run) {
				return true
			}
		}
	}
	return false
}

func leadsTo(parts, run []string) bool {
	for n := 1; n < len(run) && n <= len(parts); n++ {
		if (n > 1 || run[0][0] == '.') && follows(parts[len(parts)-n:], run[:n], true, false) {
			return true
		}
	}
	return false
}

// codeFiles reports whether a pattern is for source files: *.go.
func codeFiles(pattern string) bool {
	dot := strings.LastIndexByte(pattern, '.')
	return dot >= 0 && dot < len(pattern)-1 && listed(codeEndings, pattern[dot+1:])
}

// startsLike reports whether the part before a pattern's first wildcard is enough to mean a name: .en*.txt means
// .env, *.txt does not.
func startsLike(pattern, name string) bool {
	head := pattern[:strings.IndexAny(pattern, "*?[")]
	long := len(head) > 2 || len(head) == 2 && head[0] == '.'
	return long && (strings.HasPrefix(name, head) || strings.HasPrefix(head, name))
}

func patterned(s string) bool {
	for i := range len(s) {
		if s[i] == '*' || s[i] == '?' || s[i] == '[' {
			return true
		}
	}
	return false
}

// steps cuts a path into its names.
func steps(into []string, name string) []string {
	name = strings.TrimPrefix(name, "/")
	for {
		i := strings.IndexByte(name, '/')
		if i < 0 {
			return append(into, name)
		}
		into = append(into, name[:i])
		name = name[i+1:]
	}
}

// follows reports whether a path starts with a run of names, and equals it if asked.
func follows(parts, run []string, all, dots bool) bool {
	if len(run) > len(parts) || all && len(run) != len(parts) {
		return false
	}
	for i, n := range run {
		if !meet(parts[i], n, dots) {
			return false
		}
	}
	return true
}

// processSecret covers the kernel's interfaces to processes, memory and disks.
func processSecret(parts []string) bool {
	last := parts[len(parts)-1]
	switch {
	case meet(parts[0], "proc", false):
		for _, n := range []string{"environ", "mem", "kcore", "auxv", "cmdline", "fd", "stack"} {
			if meet(last, n, true) && !(n == "cmdline" && len(parts) == 2) {
				return true
			}
		}
		for _, n := range []string{"fd", "root", "cwd", "task", "map_files"} {
			if len(parts) > 3 && meet(parts[2], n, true) {
				return true
			}
		}
	case meet(parts[0], "dev", false):
		// Nor /dev/zero: reading it never ends.
		return len(parts) > 1 && parts[1] != "null" && parts[1] != "stdin"
	}
	return false
}

// foldPath maps names that some file system treats as equal to one form: lower case, look-alikes that fold to ASCII
// (ſ, K), and no invisible letters.
func foldPath(s string) string {
	if plainLower(s) {
		return s
	}
	s = manyLetters.Replace(s)
	return strings.Map(func(r rune) rune {
		if r < 0x80 {
			return unicode.ToLower(r)
		}
		if unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Mn, r) {
			return -1
		}
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			if f < 0x80 {
				return unicode.ToLower(f)
			}
		}
		return unicode.ToLower(r)
	}, s)
}

// manyLetters are those that a case-insensitive file system treats as several.
var manyLetters = strings.NewReplacer("ß", "ss", "ẞ", "ss", "ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st")

func plainLower(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 || 'A' <= s[i] && s[i] <= 'Z' {
			return false
		}
	}
	return true
}

// secrets looks for secrets among the files a call reads.
func (c call) secrets(files []word) (finding, bool) {
	for i := range files {
		if files[i].text == "-" {
			continue
		}
		for at := range max(1, len(c.place.cwds)) {
			name := c.place.seen(at, files[i].name())
			switch name {
			case "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom":
				return stops(Read, "endless file", "never ends by itself"), true
			}
			if secretPath(name) {
				f := stops(Secret, "secret file: "+c.place.shown(name), "may read secrets in "+c.place.shown(name))
				f.paths = []string{name}
				return f, true
			}
		}
	}
	return finding{}, false
}
