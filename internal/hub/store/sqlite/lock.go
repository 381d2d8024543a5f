package sqlite

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"nod"
)

// errTaken means that another process holds a lock.
var errTaken = errors.New("the lock is taken")

// acquire keeps other processes out of a directory until the file is closed,
// or the process ends in whatever way. The file itself stays: taking away a
// lock file that another process has just opened would let two in.
func acquire(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, "nod.lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, unusable(dir, err)
	}
	err = tryFor(lockPatience, f)
	if err == nil {
		err = sign(f)
	}
	switch {
	case err == nil:
		return f, nil
	case errors.Is(err, errTaken):
		err = nod.Errorf(nod.Conflict, "another nod serve%s already uses %s: stop it, or choose another --data", holder(f), dir)
	default:
		err = unusable(dir, err)
	}
	return nil, errors.Join(err, f.Close())
}

// Lock is for a hub whose log is elsewhere: its data directory is its own all
// the same. It makes the directory when there is none.
func Lock(dir string) (io.Closer, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, unusable(dir, err)
	}
	return acquire(dir)
}

// lockPatience: a hub that was killed in the moment it started a program leaves
// its lock with that program until it has really begun.
const lockPatience = time.Second

// tryFor takes the lock, and asks again for a while when it is taken.
func tryFor(patience time.Duration, f *os.File) error {
	const pause = 20 * time.Millisecond
	for waited := time.Duration(0); ; waited += pause {
		err := tryLock(f)
		if !errors.Is(err, errTaken) || waited >= patience {
			return err
		}
		time.Sleep(pause)
	}
}

// sign writes our pid into the file, for the error of a process that finds it locked.
func sign(f *os.File) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	return err
}

// holder names the process that has the lock, if it has signed by now.
func holder(f *os.File) string {
	text, _ := io.ReadAll(io.NewSectionReader(f, 0, 32))
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return ""
	}
	return " (pid " + strconv.Itoa(pid) + ")"
}
