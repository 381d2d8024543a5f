// Package replace writes files that are whole at every moment: a reader finds
// the old content or the new one, after a crash and a power cut as well. Every
// step is easy to forget, and nobody notices until a disk is full, so they are
// here once.
package replace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// File gives path the content and the mode, or leaves it as it was. A link is
// replaced, not followed: a caller who wants what it leads to resolves it first.
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

// Staged is a complete, synced file beside the one that it will replace. It is
// for callers who look once more before they replace anything.
type Staged struct{ temp, path string }

// Stage writes the new file. It belongs to the owner of the given file where
// this process may give files away; nil leaves it to the process.
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

// Discard leaves everything as it was.
func (s Staged) Discard() {
	if s.temp != "" {
		_ = os.Remove(s.temp)
	}
}

// Commit puts the new file in place of the old one.
func (s Staged) Commit() error {
	if err := os.Rename(s.temp, s.path); err != nil {
		s.Discard()
		return err
	}
	syncFolder(filepath.Dir(s.path))
	return nil
}

// born is the mode of a temporary file. When it is the wanted one it is not set
// again: some file systems without modes refuse any.
const born fs.FileMode = 0o600

func fill(f *os.File, data []byte, mode fs.FileMode, owner fs.FileInfo) error {
	if owner != nil {
		keepOwner(f, owner) // before the mode, because a change of owner may clear bits of it
	}
	if mode != born {
		if err := f.Chmod(mode); err != nil {
			return err
		}
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Sync() // or a power cut may keep the new name and lose what it names
}

// syncFolder makes the new name survive a power cut. Some systems cannot, and then
// there is nothing to do about it: the file is replaced for everyone who looks.
func syncFolder(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}
