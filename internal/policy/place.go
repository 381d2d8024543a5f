package policy

import (
	"path"
	"strings"
)

// place is where a command runs. After `cd x ||` it may be in one of several
// folders, so there can be more than one.
type place struct {
	project string
	home    string
	cwds    []string // possible working folders, absolute; none: not known
}

const mostPlaces = 8

func placeOf(s Subject) place {
	p := place{home: path.Clean("/" + s.Home)}
	if s.Home == "" {
		p.home = ""
	}
	if strings.HasPrefix(s.Cwd, "/") {
		p.project = path.Clean(s.Cwd)
		p.cwds = []string{p.project}
	}
	return p
}

// resolve makes a path absolute as seen from one folder. A quoted ~ is taken for
// the home too: that can only make it look more secret than it is.
func (p place) resolve(cwd, name string) string {
	switch {
	case name == "~" || strings.HasPrefix(name, "~/"):
		if p.home == "" {
			return path.Join("/~", name[1:])
		}
		return path.Join(p.home, name[1:])
	case strings.HasPrefix(name, "~"):
		return path.Join("/home", name[1:]) // another person's
	case strings.HasPrefix(name, "/"):
		return path.Clean(name)
	case cwd == "":
		return path.Join("/?", name) // somewhere: only its last parts can be told
	}
	return path.Join(cwd, name)
}

// all resolves words from every folder the command may run in.
func (p place) all(ws []word) []string {
	var out []string
	for _, w := range ws {
		if w.text != "-" {
			out = append(out, p.each(w.text)...)
		}
	}
	return out
}

func (p place) each(name string) []string {
	if len(p.cwds) == 0 {
		return []string{p.resolve("", name)}
	}
	out := make([]string, len(p.cwds))
	for i, cwd := range p.cwds {
		out[i] = p.resolve(cwd, name)
	}
	return out
}

// enter is the place after `cd dir`, which may fail; false: it cannot be told.
func (p place) enter(dir string) (place, bool) {
	if len(p.cwds) == 0 || len(p.cwds)*2 > mostPlaces {
		return p, false
	}
	cwds := p.cwds[:len(p.cwds):len(p.cwds)]
	for _, to := range p.each(dir) {
		if !contains(cwds, to) {
			cwds = append(cwds, to)
		}
	}
	p.cwds = cwds
	return p, true
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}

// below reports whether a path is a folder or lies in it.
func below(name, dir string) bool {
	return name == dir || dir == "/" || strings.HasPrefix(name, dir+"/")
}

// shown is a path as a person knows it.
func (p place) shown(name string) string {
	if p.project != "" && below(name, p.project) && name != p.project {
		return short(name[len(p.project)+1:])
	}
	if p.home != "" && below(name, p.home) {
		return short("~" + name[len(p.home):])
	}
	return short(name)
}

// meet reports whether some name matches both patterns; * ? and [ ] stand for
// what they do in a shell, a class for any one letter. b has only * and letters.
func meet(a, b string) bool {
	if len(a) > 255 || len(b) > 255 {
		return true // no file has such a name; a pattern this long is a trap
	}
	if strings.HasPrefix(b, ".") && a != "" && strings.ContainsRune("*?[", rune(a[0])) {
		return false // a pattern does not match a leading dot
	}
	if a != "" && b != "" { // most pairs already differ in their first or last letter
		first, last := a[0], a[len(a)-1]
		if first != b[0] && b[0] != '*' && b[0] != '?' && first != '*' && first != '?' && first != '[' ||
			last != b[len(b)-1] && b[len(b)-1] != '*' && last != '*' && last != '?' && last != ']' {
			return false
		}
	}
	if !strings.ContainsAny(a, "*?[") {
		return wild(b, a)
	}
	var rows [2][256]bool // rows[0][j]: the rest of a can meet b[j:]
	row, next := rows[0][:], rows[1][:]
	tokens := split(a)
	for i := len(tokens); i >= 0; i-- {
		for j := len(b); j >= 0; j-- {
			switch {
			case i == len(tokens):
				next[j] = strings.Trim(b[j:], "*") == ""
			case tokens[i] == '*':
				next[j] = row[j] || j < len(b) && next[j+1]
			case j == len(b):
				next[j] = false
			case b[j] == '*':
				next[j] = next[j+1] || row[j]
			default:
				next[j] = row[j+1] && (tokens[i] == '?' || tokens[i] == b[j])
			}
		}
		row, next = next, row
	}
	return row[0]
}

// wild matches a name against a pattern that has only * and letters.
func wild(pattern, name string) bool {
	star, from := -1, 0
	p, n := 0, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, from = p, n
			p++
		case p < len(pattern) && (pattern[p] == name[n] || pattern[p] == '?'):
			p, n = p+1, n+1
		case star >= 0:
			from++
			p, n = star+1, from
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// split turns a shell pattern into letters, '?' and '*'.
func split(a string) []byte {
	var out []byte
	for i := 0; i < len(a); i++ {
		if a[i] == '[' {
			if end := strings.IndexByte(a[min(i+2, len(a)):], ']'); end >= 0 {
				i += end + 2
				out = append(out, '?')
				continue
			}
		}
		out = append(out, a[i])
	}
	return out
}
