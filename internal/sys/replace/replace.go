// Package replace writes files that are complete at every moment: a reader finds the old content or the new one, even
// after a crash or a power failure. Every step is easy to forget, and the omission shows only when a disk is full, so
// they are here once.
package replace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// File sets the content and mode of path, or leaves it unchanged. A link is replaced, not followed: a caller who
// wants its target resolves it first.
func File(path string, data []byte, mode fs.FileMode) error {
	s, err := Stage(path, data, mode, nil)
	if err == nil {
		err = s.Commit()
	}
	if err != nil {
		return fmt.Errorf("replacing %s: %w", path, err)
	}
	return nil
}

// Staged is a complete, synced file beside the one that it will replace. It is for callers who check once more before
// replacing.
type Staged struct{ temp, path string }

// Stage writes the new file. It gets the owner of the given file if this process may chown; nil leaves it to the
// process.
func Stage(path string, data []byte, mode fs.FileMode, owner fs.FileInfo) (Staged, error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".nod-new-*")
	if err != nil {
		return Staged{}, err
	}
	s := Staged{f.Name(), path}
	if err := errors.Join(fill(f, data, mode, owner), f.Close()); err != nil {
		s.Discard()
		return Staged{}, err
	}
	return s, nil
}

// Discard leaves everything unchanged.
func (s Staged) Discard() {
	if s.temp != "" {
		_ = os.Remove(s.temp)
	}
}

// Commit replaces the old file with the new one.
func (s Staged) Commit() error {
	if err := os.Rename(s.temp, s.path); err != nil {
		s.Discard()
		return err
	}
	syncFolder(filepath.Dir(s.path))
	return nil
}

// born is the mode of a temporary file. If it is already the wanted one it is not set again: some file systems
// without modes refuse chmod.
const born fs.FileMode = 0o600

func fill(f *os.File, data []byte, mode fs.FileMode, owner fs.FileInfo) error {
	if owner != nil {
		keepOwner(f, owner) // before the mode, because chown may clear bits of it
	}
	if mode != born {
		if err := f.Chmod(mode); err != nil {
			return err
		}
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Sync() // or a power failure may keep the new name and lose its content
}

// syncFolder makes the new name survive a power failure. Some systems cannot, and nothing can be done about it: every
// reader sees the new file anyway.
func syncFolder(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}
