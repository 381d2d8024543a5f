package policy

import "strings"

// sweptFolders are system folders; all of them hold secrets somewhere below.
var sweptFolders = [...]string{
	"/home", "/users", "/root", "/etc", "/proc", "/var", "/run", "/dev", "/private", "/private/etc", "/private/var", "/~", "/?", "/mnt", "/media", "/volumes", "/sys", "/system", "/system/volumes", "/system/volumes/data",
}

// sweeps reports whether reading a whole folder would read well-known secrets: a home or a folder above it, a system
// folder, or a folder that is part of the path to a known secret. The folder may contain patterns.
func (p place) sweeps(dir string) bool {
	d := foldPath(dir)
	if d == "/" || strings.HasPrefix(d, "/proc/") || strings.HasPrefix(d, "/dev/") {
		return true
	}
	var room, other [24]string
	parts := steps(room[:0], d)
	for _, f := range sweptFolders {
		if f == d || patterned(d) && follows(parts, steps(other[:0], f), true, false) {
			return true
		}
	}
	if project := foldPath(p.project); project != "" && project != d && over(parts, steps(other[:0], project)) {
		return true // other projects are there too
	}
	if p.home != "" {
		home := foldPath(p.home)
		if over(parts, steps(other[:0], home)) {
			return true
		}
		rest, inside := strings.CutPrefix(d, home+"/")
		if inside && (rest == "library" || rest == ".local" || rest == ".local/share" || rest == ".claude") {
			return true
		}
	}
	if n := len(parts); n > 1 && (meet(parts[n-2], "home", false) || meet(parts[n-2], "users", false)) {
		return true // a user's home, on whatever disk
	}
	return secrets().holds(parts) || secretPath(dir)
}

// over reports whether a folder is another one or lies above it.
func over(parts, below []string) bool {
	return len(parts) <= len(below) && follows(parts, below[:len(parts)], true, false)
}

// codeFolders hold source code; a .env is kept beside them, not in them.
const codeFolders = "src lib libs internal cmd pkg test tests spec specs __tests__ __mocks__ docs doc include includes components pages hooks types styles templates views models controllers routes handlers middleware migrations schemas fixtures testdata scripts tools examples e2e benches crates modules"

// mayHoldEnv reports whether a project folder may hold a .env or another hidden secret: the project itself, or a part
// that may be a project of its own. By custom there is none below src or docs, and asking there too would make every
// search ask.
func (p place) mayHoldEnv(dir string) bool {
	d := foldPath(dir)
	rest, inside := strings.CutPrefix(d, foldPath(p.project)+"/")
	if p.project == "" || !inside {
		return !below(d, "/usr") // other projects have theirs
	}
	for part := range strings.SplitSeq(rest, "/") {
		if listed(codeFolders, part) {
			return false
		}
	}
	return true
}
