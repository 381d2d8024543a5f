package env

import (
	"os"
	"path/filepath"
	"strings"
)

// Temporary reports whether a program will be swept away.
func (e *Env) Temporary(path string) bool {
	path = Resolved(path)
	for _, dir := range []string{os.TempDir(), e.Getenv("TMPDIR"), e.Getenv("GOTMPDIR")} {
		if dir != "" && within(path, Resolved(dir)) {
			return true
		}
	}
	return e.FromGoRun(path)
}

// FromGoRun reports whether `go run` made a program: it builds below the temporary
// directory or, since Go 1.24, in the build cache.
func (e *Env) FromGoRun(path string) bool {
	path = Resolved(path)
	if cache := e.Getenv("GOCACHE"); cache != "" && within(path, Resolved(cache)) {
		return true
	}
	for part := range strings.SplitSeq(filepath.ToSlash(path), "/") {
		if strings.HasPrefix(part, "go-build") {
			return true
		}
	}
	return false
}

// Resolved follows symbolic links: on macOS the temporary directory itself is behind
// one.
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
