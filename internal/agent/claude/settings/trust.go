package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Trusted reports whether the trust dialog was accepted for cwd or a directory above it. Until then an
// interactive session runs no hook of any settings file. stateDir is Paths.StateDir. No state file means
// that nothing was trusted yet.
func Trusted(stateDir, cwd string) (bool, error) {
	file := filepath.Join(stateDir, ".claude.json")
	data, err := os.ReadFile(file) // grows with the history of every project: no size limit
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, unreachable(file, err)
	}
	var state struct {
		Projects map[string]json.RawMessage `json:"projects"`
	}
	data = bytes.TrimPrefix(data, []byte(byteOrderMark))
	if err := json.Unmarshal(data, &state); err != nil {
		return false, stateError(file, data, err)
	}
	dirs := []string{filepath.Clean(cwd)}
	if real, err := filepath.EvalSymlinks(cwd); err == nil && real != dirs[0] {
		dirs = append(dirs, real)
	}
	for _, dir := range dirs {
		if trustedFrom(state.Projects, dir) {
			return true, nil
		}
	}
	return false, nil
}

func trustedFrom(projects map[string]json.RawMessage, dir string) bool {
	for {
		for _, key := range []string{dir, filepath.ToSlash(dir)} {
			var project struct {
				Accepted bool `json:"hasTrustDialogAccepted"`
			}
			if raw, ok := projects[key]; ok && json.Unmarshal(raw, &project) == nil && project.Accepted {
				return true
			}
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return false
		}
		dir = parent
	}
}

func stateError(file string, data []byte, err error) error {
	e := &FileError{File: file, Err: err, Problem: "Claude Code's state file cannot be understood",
		Fix: "start Claude Code once, it repairs or recreates the file"}
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		e.Line, e.Column = position(data, int(syntax.Offset)-1)
	}
	return e
}
