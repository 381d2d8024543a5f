package settings

import (
	"io/fs"
	"os"
	"path/filepath"
)

// staged is a complete, synced file beside the one it will replace, so that a crash leaves the old one or
// the new one but never half of either.
type staged struct{ path string }

// stage gives the file the mode and, where allowed, the owner of like (nil: those of the directory).
func stage(target string, data []byte, mode fs.FileMode, like fs.FileInfo) (_ staged, err error) {
	dir := filepath.Dir(target)
	f, err := os.CreateTemp(dir, "."+filepath.Base(target)+".nod-new-*")
	if err != nil {
		return staged{}, err
	}
	s := staged{f.Name()}
	defer func() {
		if err != nil {
			s.discard()
		}
	}()
	defer f.Close()
	if like == nil {
		like, _ = os.Stat(dir)
	}
	keepOwner(f, like) // before the mode, because a change of owner may clear bits of it
	if err := f.Chmod(mode); err != nil {
		return s, err
	}
	if _, err := f.Write(data); err != nil {
		return s, err
	}
	return s, f.Sync()
}

func (s staged) discard() { _ = os.Remove(s.path) }

func (s staged) replace(target string) error {
	if err := os.Rename(s.path, target); err != nil {
		s.discard()
		return err
	}
	syncDirectory(filepath.Dir(target))
	return nil
}

// syncDirectory makes a rename durable; some file systems cannot, and then there is nothing to do about it.
func syncDirectory(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

func writeFile(target string, data []byte, mode fs.FileMode, like fs.FileInfo) error {
	s, err := stage(target, data, mode, like)
	if err != nil {
		return err
	}
	return s.replace(target)
}
