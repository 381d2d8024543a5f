package env

import (
	"os"
	"path/filepath"
	"strings"
)

// Temporary: `go run` builds below the temporary directory or, since Go 1.24,
// in the build cache; both are swept.
func (e *Env) Temporary(path string) bool {
	path = Resolved(path)
	for _, dir := range []string{os.TempDir(), e.Getenv("TMPDIR"), e.Getenv("GOTMPDIR"), e.Getenv("GOCACHE")} {
		if dir != "" && within(path, Resolved(dir)) {
			return true
		}
	}
	for part := range strings.SplitSeq(filepath.ToSlash(path), "/") {
		if strings.HasPrefix(part, "go-build") {
			return true
		}
	}
	return false
}

// Resolved is the path behind symbolic links, as far as there are any: on macOS the
// temporary directory itself is behind one.
func Resolved(path string) string {
	if r, err := filepath.EvalSymlinks(path); err == nil {
		return r
	}
	return filepath.Clean(path)
}

func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// SameFile reports whether two paths lead to one file.
func SameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
