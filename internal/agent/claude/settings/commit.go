package settings

import (
	"io/fs"
	"os"
	"path/filepath"

	"nod/internal/sys/replace"
)

// commit replaces, creates or deletes the file, after a copy of what is there now.
func commit(s snapshot, r record, o *outcome, opt Options) error {
	backup, err := o.safeguard(s, r, opt)
	if err != nil {
		return &FileError{File: s.file, Err: err, Problem: "cannot write a backup: " + reason(err), Fix: "nothing was changed"}
	}
	if err := o.put(s, opt); err != nil {
		if backup != "" {
			_ = os.Remove(backup)
		}
		return err
	}
	o.Backup = backup
	needed := r.Backup
	if o.keep != nil {
		needed = o.keep.Backup
	}
	prune(s.target, needed)
	return nil
}

// safeguard copies the file unless a copy of the same state, or the original behind our own last write,
// is there already.
func (o *outcome) safeguard(s snapshot, r record, opt Options) (path string, err error) {
	ownWrite := sum(s.data) == r.Written
	if !s.exists || o.Restored || ownWrite && (r.Backup != "" || r.Created) {
		return "", nil
	}
	name, err := backUp(s, opt.now())
	if err != nil {
		return "", err
	}
	if o.keep != nil {
		o.keep.Backup, o.keep.BackupSum = name, sum(s.data)
	}
	return filepath.Join(filepath.Dir(s.target), name), nil
}

// put makes the change unless the file has changed since it was planned. The new text is staged before that
// check, so that the time between check and rename is as short as possible.
func (o *outcome) put(s snapshot, opt Options) error {
	var next replace.Staged
	var err error
	if !o.Deleted {
		if next, err = stage(s.target, o.After, s.mode(), s.info); err != nil {
			return failed(s, err)
		}
	}
	if opt.beforeReplace != nil {
		opt.beforeReplace()
	}
	if now, err := take(s.file); err != nil || !now.sameAs(s) {
		next.Discard()
		return errMoved
	}
	if o.Deleted {
		err = os.Remove(s.target)
	} else {
		err = next.Commit()
	}
	if err != nil {
		return failed(s, err)
	}
	return nil
}

func failed(s snapshot, err error) error {
	return &FileError{File: s.file, Err: err, Problem: "cannot write the file: " + reason(err), Fix: "it is unchanged"}
}

// stage gives the new file the owner of like (nil: that of the directory).
func stage(target string, data []byte, mode fs.FileMode, like fs.FileInfo) (replace.Staged, error) {
	if like == nil {
		if dir, err := os.Stat(filepath.Dir(target)); err == nil {
			like = dir
		}
	}
	return replace.Stage(target, data, mode, like)
}

func writeFile(target string, data []byte, mode fs.FileMode, like fs.FileInfo) error {
	s, err := stage(target, data, mode, like)
	if err != nil {
		return err
	}
	return s.Commit()
}
