package setup

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"nod/internal/machine/env"
	"nod/internal/sys/replace"
)

// program is a program of ours that settings name. It must still be there tomorrow,
// and it must have its usual name, because that is how settings are recognised.
type program struct {
	path string
	from string // not empty: copy this to path first
}

// program chooses a lasting path for the nod that is running.
func (m *Setup) program() (program, error) {
	self, err := m.Executable()
	if err != nil {
		return program{}, fmt.Errorf("which program am I? %w", err)
	}
	if !m.Temporary(self) {
		// A package manager's link outlives the version that it points at.
		if link, err := m.LookPath("nod"); err == nil && filepath.IsAbs(link) && env.SameFile(link, self) {
			return program{path: link}, nil
		}
		if strings.TrimSuffix(filepath.Base(self), ".exe") == "nod" {
			return program{path: self}, nil
		}
	}
	p := program{path: filepath.Join(m.DataDir, "bin", programName()), from: self}
	if env.SameFile(p.path, self) {
		p.from = ""
	}
	return p, nil
}

func programName() string {
	if runtime.GOOS == "windows" {
		return "nod.exe"
	}
	return "nod"
}

// stale reports whether the copy is missing or another one than from.
func (p program) stale() bool {
	if p.from == "" {
		return false
	}
	want, err := os.ReadFile(p.from)
	if err != nil {
		return true // place will say why
	}
	have, err := os.ReadFile(p.path)
	return err != nil || !bytes.Equal(have, want)
}

// place makes the copy. It is renamed into place, so that a hook that starts
// meanwhile gets the old or the new one, never half of one.
func (p program) place() (err error) {
	content, err := os.ReadFile(p.from)
	if err != nil {
		return err
	}
	dir := filepath.Dir(p.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return replace.File(p.path, content, 0o755)
}
