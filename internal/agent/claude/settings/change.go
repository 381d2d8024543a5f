package settings

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"time"

	"nod/internal/present/diff"
)

// Change is what was done to a settings file or, from a Plan function, what would be done.
// Before, After and Diff show the person's own settings, which may hold secrets: never log them.
type Change struct {
	File     string // as given
	Target   string // the file behind a symbolic link, else the same
	Before   []byte // nil: there was no file
	After    []byte // nil: there is no file any more
	Diff     string // unified, empty when nothing changed
	Changed  bool
	Created  bool   // a new file
	Deleted  bool   // a file that Install had created is gone again
	Restored bool   // the bytes from before Install are back
	Backup   string // full path of the copy made before this change
	Warnings []string
}

// Options are all optional.
type Options struct {
	Own      Owner            // which handlers Install may replace; nil: IsNod
	Now      func() time.Time // names backups; nil: time.Now
	LockWait time.Duration    // 0: five seconds
	Allow    []string         // rules that Install adds to permissions.allow; Remove takes out those about nod's tools

	beforeReplace func() // lets tests act at the worst time
}

func (o Options) now() time.Time {
	if o.Now == nil {
		return time.Now()
	}
	return o.Now()
}

func ownerOr(own Owner) Owner {
	if own == nil {
		return IsNod
	}
	return own
}

// Install makes our handlers in the file exactly the given hooks and changes nothing else. A second
// Install changes nothing. A file that Claude Code would ignore is refused (ErrIgnored).
func Install(file string, hooks []Hook, opt Options) (Change, error) {
	return apply(file, opt, installer(hooks, ownerOr(opt.Own), opt.Allow...))
}

// PlanInstall returns what Install would do and changes nothing.
func PlanInstall(file string, hooks []Hook, opt Options) (Change, error) {
	return preview(file, installer(hooks, ownerOr(opt.Own), opt.Allow...))
}

// Remove undoes Install. A file that is unchanged since then gets its former bytes back. From any other only
// our handlers are removed, with the containers that become empty; comments stay. A nil own means IsNod.
func Remove(file string, own Owner, opt Options) (Change, error) {
	return apply(file, opt, remover(ownerOr(own)))
}

// PlanRemove returns what Remove would do and changes nothing.
func PlanRemove(file string, own Owner) (Change, error) {
	return preview(file, remover(ownerOr(own)))
}

// outcome is a planned change together with the record to keep about it; a nil record means to forget.
type outcome struct {
	Change
	keep *record
}

type planner func(s snapshot, r record) (outcome, error)

func preview(file string, plan planner) (Change, error) {
	s, err := take(file)
	if err != nil {
		return Change{}, err
	}
	o, err := plan(s, loadRecord(s.target))
	return o.Change, err
}

func newChange(s snapshot, after []byte, warnings []string) Change {
	c := Change{File: s.file, Target: s.target, Before: s.data, After: after, Warnings: warnings}
	c.Created = !s.exists && after != nil
	c.Deleted = s.exists && after == nil
	c.Changed = c.Created || c.Deleted || !bytes.Equal(s.data, after)
	if c.Changed {
		c.Diff = diff.Unified(s.file, s.data, after)
	}
	return c
}

// errMoved means that another program wrote the file after we had read it.
var errMoved = errors.New("the file changed meanwhile")

const maxAttempts = 10

// apply plans without the lock first, so that an edit with nothing to do creates no lock file, and then
// again under the lock, because only that plan is certain.
func apply(file string, opt Options, plan planner) (Change, error) {
	s, err := take(file)
	if err != nil {
		return Change{}, err
	}
	o, err := plan(s, loadRecord(s.target))
	if err != nil || o.idle(s) {
		return o.Change, err
	}
	if err := s.makeDirectory(); err != nil {
		return Change{}, err
	}
	if err := s.checkWritable(); err != nil {
		return Change{}, err
	}
	release, err := lock(s, opt.LockWait)
	if err != nil {
		return Change{}, err
	}
	defer release()
	for range maxAttempts {
		c, err := attempt(file, opt, plan)
		if !errors.Is(err, errMoved) {
			return c, err
		}
	}
	return Change{}, &FileError{File: file, Err: errMoved, Problem: "another program keeps writing this file",
		Fix: "try again when it is quiet"}
}

// idle: nothing to write and no record to forget.
func (o outcome) idle(s snapshot) bool {
	if o.Changed {
		return false
	}
	_, err := os.Lstat(s.target + recordSuffix)
	return o.keep != nil || err != nil
}

func attempt(file string, opt Options, plan planner) (Change, error) {
	s, err := take(file)
	if err != nil {
		return Change{}, err
	}
	r := loadRecord(s.target)
	o, err := plan(s, r)
	if err != nil {
		return Change{}, err
	}
	if o.Changed {
		err = commit(s, r, &o, opt)
	}
	if err == nil {
		o.remember(s, r)
	}
	return o.Change, err
}

// remember comes last: a crash before it only costs the exact undo.
func (o *outcome) remember(s snapshot, old record) {
	if o.keep == nil {
		_ = os.Remove(s.target + recordSuffix)
		if o.Restored { // the copy equals the file again
			_ = os.Remove(filepath.Join(filepath.Dir(s.target), old.Backup))
		}
		return
	}
	if !o.Changed {
		return
	}
	if err := o.keep.save(s); err != nil {
		o.Warnings = append(o.Warnings, "the note for an exact undo could not be written ("+reason(err)+
			"); Remove will take out nod's handlers one by one")
	}
}
