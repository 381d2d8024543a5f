// Package replace writes files that are whole at every moment: whoever reads one
// finds the old content or the new one, after a crash and a power cut as well.
// Every step is easy to forget and none is seen to be missing until a disk is
// full, so they are here once.
package replace

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// File gives path the content and the mode, or leaves it as it was. A link is
// replaced, not followed: whoever wants what it leads to resolves it first.
func File(path string, data []byte, mode os.FileMode) error {
	if err := file(path, data, mode); err != nil {
		return fmt.Errorf("replacing %s: %w", path, err)
	}
	syncFolder(filepath.Dir(path))
	return nil
}

func file(path string, data []byte, mode os.FileMode) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	if err := errors.Join(fill(f, data, mode), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// born is the mode of a temporary file. Where it is the one that is wanted it is
// not set again: some file systems that know no modes refuse to be told one.
const born os.FileMode = 0o600

func fill(f *os.File, data []byte, mode os.FileMode) error {
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
