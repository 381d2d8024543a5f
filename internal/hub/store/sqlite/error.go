package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"

	driver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"nod"
)

// explain turns what SQLite and the system say into words that tell a person
// what happened and what to do.
func explain(path string, err error) error {
	var ours *nod.Error
	var lite *driver.Error
	var system *fs.PathError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &ours):
		return err
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return nod.Errorf(nod.Unavailable, "it was given up before the log could answer").Because(err)
	case errors.Is(err, sql.ErrConnDone), strings.Contains(err.Error(), "database is closed"): // database/sql has no value for it
		return nod.Errorf(nod.Unavailable, "the log is closed: nod is shutting down").Because(err)
	case errors.As(err, &lite):
		return explainCode(path, lite.Code()&0xff).Because(err)
	case errors.As(err, &system):
		return unusable(filepath.Dir(path), err)
	}
	return nod.Errorf(nod.Internal, "the log at %s failed", path).Because(err)
}

// explainCode knows SQLite's primary codes.
func explainCode(path string, code int) *nod.Error {
	switch code {
	case sqlite3.SQLITE_FULL:
		return full(path)
	case sqlite3.SQLITE_IOERR:
		return nod.Errorf(nod.Unavailable, "the disk under %s reports an error, and nothing was recorded: check the disk and how much room it has", path)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		return nod.Errorf(nod.Unavailable, "%s cannot be written: check who owns it and whether its disk is read-only, or choose another --data", path)
	case sqlite3.SQLITE_CANTOPEN:
		return nod.Errorf(nod.Unavailable, "%s cannot be opened: check that the user who runs nod may read it and write in its directory", path)
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return nod.Errorf(nod.Unavailable, "another program keeps %s busy: close it (a database browser, a backup) and try again", path)
	case sqlite3.SQLITE_NOTADB:
		return nod.Errorf(nod.Invalid, "%s is no database: move it away, or choose another --data", path)
	case sqlite3.SQLITE_CORRUPT:
		return nod.Errorf(nod.Internal, "%s is damaged: stop nod, keep a copy, and put a backup in its place", path)
	}
	return nod.Errorf(nod.Internal, "the log at %s failed", path)
}

func full(path string) *nod.Error {
	return nod.Errorf(nod.Unavailable, "the disk is full, and nothing was recorded: make room for %s, nod then goes on by itself", path)
}

// unusable explains why nothing can be made in a directory.
func unusable(dir string, err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return full(dir).Because(err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return nod.Errorf(nod.Unavailable, "nod may not write in %s: give its user the right to, or choose another --data", dir).Because(err)
	}
	return nod.Errorf(nod.Unavailable, "%s cannot be used: choose another --data", dir).Because(err)
}
