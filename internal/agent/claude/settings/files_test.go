package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func wantMode(t testing.TB, path string, mode fs.FileMode) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != mode {
		t.Errorf("%s has mode %04o, want %04o", filepath.Base(path), info.Mode().Perm(), mode)
	}
}

func mustRemove(t testing.TB, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

func TestModeIsKeptAndTheBackupHasItToo(t *testing.T) {
	for _, mode := range []fs.FileMode{0o600, 0o640, 0o644, 0o664} {
		file := settingsFile(t, []byte("{}\n"))
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
		c := install(t, file, wanted())
		wantMode(t, file, mode)
		wantMode(t, c.Backup, mode)
		remove(t, file)
		wantMode(t, file, mode)
	}
}

func TestSymbolicLinkStaysALink(t *testing.T) {
	dir := t.TempDir()
	real := filepath.Join(dir, "dotfiles", "claude.json")
	link := filepath.Join(dir, "home", "settings.json")
	for _, d := range []string{filepath.Dir(real), filepath.Dir(link)} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, real, []byte("{}\n"))
	if err := os.Symlink("../dotfiles/claude.json", link); err != nil {
		t.Fatal(err)
	}
	c := install(t, link, wanted())
	if c.Target != real || c.File != link || !bytes.Equal(read(t, real), c.After) {
		t.Errorf("target %s", c.Target)
	}
	alone(t, filepath.Dir(link), "settings.json")
	remove(t, link)
	if to, err := os.Readlink(link); err != nil || to != "../dotfiles/claude.json" {
		t.Errorf("the link is now %q, %v", to, err)
	}
	if string(read(t, real)) != "{}\n" {
		t.Error("the target did not come back")
	}
	alone(t, filepath.Dir(real), "claude.json")
}

func TestBackups(t *testing.T) {
	file := settingsFile(t, []byte("{}\n"))
	first := install(t, file, wanted())
	if want := file + ".nod-backup-20261114T093000.000000Z"; first.Backup != want {
		t.Errorf("backup is %s, want %s", first.Backup, want)
	}
	// In each round the person edits, then nod does. The clock stands still, the worst case for names.
	for i := range 12 {
		write(t, file, fmt.Appendf(nil, "{\"round\": %d}\n", i))
		c := install(t, file, wanted())
		if want := fmt.Sprintf("{\"round\": %d}\n", i); string(read(t, c.Backup)) != want {
			t.Errorf("backup of round %d holds %s", i, read(t, c.Backup))
		}
	}
	names, err := filepath.Glob(file + backupInfix + "*")
	if err != nil || len(names) != backupsKept {
		t.Errorf("%d backups kept: %q", len(names), names)
	}
	if c := remove(t, file); string(c.After) != "{\"round\": 11}\n" {
		t.Errorf("restored %s", c.After)
	}
}

func TestFileChangedBetweenPlanAndWriteIsPlannedAgain(t *testing.T) {
	file := settingsFile(t, []byte("{\"first\": 1}\n"))
	times := 0
	opt := Options{beforeReplace: func() {
		if times++; times <= 2 {
			write(t, file, fmt.Appendf(nil, "{\"edit\": %d}\n", times))
		}
	}}
	c, err := Install(file, wanted(), opt)
	if err != nil {
		t.Fatal(err)
	}
	if times != 3 || string(c.Before) != "{\"edit\": 2}\n" || !bytes.Contains(read(t, file), []byte(`"edit": 2`)) {
		t.Errorf("after %d attempts: %s", times, c.Before)
	}
	if back := remove(t, file); string(back.After) != "{\"edit\": 2}\n" {
		t.Errorf("restored %s", back.After)
	}
	alone(t, filepath.Dir(file), "settings.json")
}

func TestFileThatKeepsChangingIsGivenUp(t *testing.T) {
	file := settingsFile(t, []byte("{}\n"))
	n := 0
	_, err := Install(file, wanted(), Options{beforeReplace: func() {
		n++
		write(t, file, fmt.Appendf(nil, "{\"edit\": %d}\n", n))
	}})
	if !errors.Is(err, errMoved) || !strings.Contains(err.Error(), "keeps writing") {
		t.Errorf("%v", err)
	}
	alone(t, filepath.Dir(file), "settings.json")
}

func TestLockedFileIsNotTouched(t *testing.T) {
	file := settingsFile(t, []byte("{}\n"))
	release, err := tryLock(file + lockSuffix)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Install(file, wanted(), Options{LockWait: time.Millisecond})
	if !errors.Is(err, errLocked) || !strings.Contains(err.Error(), fmt.Sprintf("process %d", os.Getpid())) {
		t.Errorf("%v", err)
	}
	if string(read(t, file)) != "{}\n" {
		t.Error("the file was touched")
	}
	release()
	install(t, file, wanted())
}

func TestLockFileOfADeadProcessDoesNotBlock(t *testing.T) {
	file := settingsFile(t, []byte("{}\n"))
	write(t, file+lockSuffix, []byte("4711\n"))
	install(t, file, wanted())
	remove(t, file)
	alone(t, filepath.Dir(file), "settings.json")
}

func TestConcurrentInstalls(t *testing.T) {
	t.Parallel()
	before := []byte("{\n  \"model\": \"opus\"\n}\n")
	file := settingsFile(t, before)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			hooks := wanted()
			for k := range hooks {
				hooks[k].Command = fmt.Sprintf("/v%d/nod", i%2)
			}
			if _, err := Install(file, hooks, Options{LockWait: time.Minute}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	d, err := parse(file, read(t, file))
	if err != nil {
		t.Fatal(err)
	}
	found, err := d.ours(IsNod)
	if err != nil || len(found) != len(wanted()) {
		t.Errorf("%d handlers of ours, %v", len(found), err)
	}
	if c := remove(t, file); !bytes.Equal(c.After, before) {
		t.Errorf("removing gives %s", c.After)
	}
	alone(t, filepath.Dir(file), "settings.json")
}
