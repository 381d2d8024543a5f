package policy

import (
	"path"
	"strings"
)

// place is where a command runs. After `cd x ||` there may be several possible folders.
type place struct {
	project string
	home    string
	cwds    []string // possible working folders, absolute; none: unknown
}

const mostPlaces = 8

func placeOf(s Subject) place {
	var p place
	switch {
	case strings.HasPrefix(s.Home, "/"):
		p.home = path.Clean(s.Home)
	case s.Home != "":
		p.home = path.Clean("/" + s.Home)
	}
	if strings.HasPrefix(s.Cwd, "/") {
		p.project = path.Clean(s.Cwd)
		p.cwds = []string{p.project}
	}
	return p
}

// resolve makes a path absolute, relative to one folder. A leading ~ is a home: a quoted one follows ./ here, see
// word.name.
func (p place) resolve(cwd, name string) string {
	switch {
	case name == "~" || strings.HasPrefix(name, "~/"):
		if p.home == "" {
			return path.Join("/~", name[1:])
		}
		return path.Join(p.home, name[1:])
	case strings.HasPrefix(name, "~"):
		return path.Join("/home", name[1:]) // another user's home
	case strings.HasPrefix(name, "/"):
		return path.Clean(name)
	case cwd == "":
		return path.Join("/?", name) // unknown: only its last parts are reliable
	}
	return path.Join(cwd, name)
}

// all resolves words from every folder the command may run in.
func (p place) all(ws []word) []string {
	if len(ws) == 0 {
		return nil
	}
	out := make([]string, 0, len(ws)*max(1, len(p.cwds)))
	for _, w := range ws {
		for at := range max(1, len(p.cwds)) {
			if w.text != "-" {
				out = append(out, p.seen(at, w.name()))
			}
		}
	}
	return out
}

// seen is a path from one of the folders the command may run in.
func (p place) seen(at int, name string) string {
	if len(p.cwds) == 0 {
		return p.resolve("", name)
	}
	return p.resolve(p.cwds[at], name)
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

// enter is the place after `cd dir`, which may fail; false: it is unknown.
func (p place) enter(dir string) (place, bool) {
	if len(p.cwds) == 0 || len(p.cwds)*2 > mostPlaces || goesBack(dir) {
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

// goesBack reports whether a path goes up after it went down. After going down through a symlink, up does not lead
// back.
func goesBack(name string) bool {
	down := false
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." && down {
			return true
		}
		down = down || part != "" && part != "." && part != ".."
	}
	return false
}

// inside reports whether every possible working folder is in the project.
func (p place) inside() bool {
	for _, cwd := range p.cwds {
		if !below(cwd, p.project) {
			return false
		}
	}
	return len(p.cwds) > 0
}

// own reports whether every possible working folder is the project itself or above it. Tools that run what a folder's
// settings name, as git, go and npm do, are trusted only with the settings of the agent's project.
func (p place) own() bool {
	for _, cwd := range p.cwds {
		if p.project == "" || !below(p.project, cwd) {
			return false
		}
	}
	return len(p.cwds) > 0
}

// strange is the finding about such a tool where other settings may apply: inside the project a user's rule for that
// tool is enough, elsewhere it is not.
func (p place) strange(tool string) (finding, bool) {
	f := asks(Unknown, tool+" in another folder", "settings of another folder can run programs")
	f.firm = !p.inside()
	return f, !p.own()
}

// left reports whether the line may have left the project it started in.
func (p place) left() bool { return p.project != "" && !p.inside() }

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

// shown is a path in the form that people know.
func (p place) shown(name string) string {
	if p.project != "" && below(name, p.project) && name != p.project {
		return short(name[len(p.project)+1:])
	}
	if p.home != "" && below(name, p.home) {
		return short("~" + name[len(p.home):])
	}
	return short(name)
}
