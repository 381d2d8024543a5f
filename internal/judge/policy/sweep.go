package policy

import "strings"

// sweptFolders are of the system; all of them hold secrets somewhere below.
var sweptFolders = [...]string{
	"/home", "/users", "/root", "/etc", "/proc", "/var", "/run", "/dev", "/private", "/private/etc", "/private/var", "/~", "/?", "/mnt", "/media", "/volumes", "/sys", "/system", "/system/volumes", "/system/volumes/data",
}

// sweeps reports whether reading all of a folder would read well-known secrets:
// a home or what lies above it, the system's own, or a folder of which one of the
// known secrets is a part. The folder may have patterns in it.
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
		return true // other projects lie there too
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
		return true // somebody's home, on whatever disk
	}
	return secrets().holds(parts) || secretPath(dir)
}

// over reports whether a folder is another one or lies above it.
func over(parts, below []string) bool {
	return len(parts) <= len(below) && follows(parts, below[:len(parts)], true, false)
}

// codeFolders hold what people write; a .env is kept beside them, not in them.
const codeFolders = "src lib libs internal cmd pkg test tests spec specs __tests__ __mocks__ docs doc include includes components pages hooks types styles templates views models controllers routes handlers middleware migrations schemas fixtures testdata scripts tools examples e2e benches crates modules"

// mayHoldEnv reports whether a folder of the project is one where a .env or another
// hidden secret lies: the project itself, or a part of it that may be a project of
// its own. Below src or docs there is none by custom, and nobody could look for
// anything if that were asked too.
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
