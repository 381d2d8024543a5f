package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// snapshot is a settings file at one time. Target is the file behind a symbolic link; the link itself
// (often into a dotfiles repository) is never replaced.
type snapshot struct {
	file, target string
	exists       bool
	data         []byte
	info         fs.FileInfo // of the target; nil when it does not exist
}

func take(file string) (snapshot, error) {
	s := snapshot{file: file, target: file}
	link, err := os.Lstat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, unreachable(file, err)
	}
	if link.Mode()&fs.ModeSymlink != 0 {
		if s.target, err = filepath.EvalSymlinks(file); err != nil {
			return s, &FileError{File: file, Err: err, Problem: "the symbolic link leads nowhere",
				Fix: "create the file it points to or delete the link"}
		}
	}
	if s.info, err = os.Stat(s.target); err != nil {
		return s, unreachable(file, err)
	}
	if err := checkKind(file, s.info); err != nil {
		return s, err
	}
	s.exists = true
	s.data, err = readLimited(s.target)
	if err != nil {
		return s, unreachable(file, err)
	}
	return s, nil
}

// checkKind is called before opening: a pipe would block, and a directory would give a puzzling error.
func checkKind(file string, info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return &FileError{File: file, Problem: "this is a directory, not a settings file", Fix: "move it away or name another file"}
	case !info.Mode().IsRegular():
		return &FileError{File: file, Problem: "this is not a regular file", Fix: "move it away or name another file"}
	}
	return nil
}

// readLimited returns one byte more than allowed from a file that is too large; parse refuses it.
func readLimited(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxSize+int64(len(byteOrderMark))+1))
}

func unreachable(file string, err error) error {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return &FileError{File: file, Err: err, Problem: "no permission to read this file", Fix: "check its owner and mode"}
	case errors.Is(err, syscall.ENOTDIR):
		return &FileError{File: file, Err: err, Problem: "a part of the path is a file, not a directory", Fix: "check the path"}
	}
	return &FileError{File: file, Err: err, Problem: "cannot read the file: " + reason(err)}
}

// reason strips the path that os errors repeat.
func reason(err error) string {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err.Error()
	}
	return err.Error()
}

func (s snapshot) sameAs(o snapshot) bool {
	return s.exists == o.exists && s.target == o.target && bytes.Equal(s.data, o.data)
}

// mode for what replaces the file; a new one is private, because settings may hold tokens.
func (s snapshot) mode() fs.FileMode {
	if s.exists {
		return s.info.Mode().Perm()
	}
	return 0o600
}

// checkWritable is called before anything is changed. A file without its owner's write bit was protected on
// purpose (a generated or version-controlled one, say), although replacing it would work.
func (s snapshot) checkWritable() error {
	if s.exists && (s.mode()&0o200 == 0 || !mayWrite(s.target)) {
		return &FileError{File: s.file, Err: fs.ErrPermission,
			Problem: fmt.Sprintf("the file is read-only (mode %04o)", s.mode()),
			Fix:     "make it writable (chmod u+w) or add the hooks where it is generated"}
	}
	if dir := filepath.Dir(s.target); !mayWrite(dir) {
		return &FileError{File: s.file, Err: fs.ErrPermission,
			Problem: "the directory " + dir + " is read-only", Fix: "make it writable (chmod u+w) and try again"}
	}
	return nil
}

// makeDirectory creates the directory of a file that does not exist yet.
func (s snapshot) makeDirectory() error {
	if s.exists {
		return nil
	}
	dir := filepath.Dir(s.target)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return &FileError{File: s.file, Err: err, Problem: "cannot create the directory " + dir + ": " + reason(err),
			Fix: "create it yourself or name another file"}
	}
	return nil
}
