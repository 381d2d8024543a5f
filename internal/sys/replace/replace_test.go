package replace_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"nod/internal/sys/replace"
)

// holds fails unless the folder has just this file, with this content.
func holds(t *testing.T, path, content string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != content {
		t.Errorf("%s holds %q, %v", path, got, err)
	}
	alone(t, path)
}

func alone(t *testing.T, path string) {
	t.Helper()
	list, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(list) != 1 || list[0].Name() != filepath.Base(path) {
		t.Errorf("the folder has %v, %v", list, err)
	}
}

func TestAFileGetsItsContentAndMode(t *testing.T) {
	for _, mode := range []fs.FileMode{0o600, 0o644, 0o755, 0o400} {
		for name, before := range map[string]fs.FileMode{"a new file": 0, "an old file": 0o640} {
			t.Run(name+" "+mode.String(), func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "a file")
				if before != 0 {
					if err := os.WriteFile(path, []byte("something longer, from before"), before); err != nil {
						t.Fatal(err)
					}
				}
				if err := replace.File(path, []byte("new"), mode); err != nil {
					t.Fatal(err)
				}
				holds(t, path, "new")
				info, err := os.Stat(path)
				if err != nil || runtime.GOOS != "windows" && info.Mode() != mode {
					t.Errorf("the mode is %v, %v", info.Mode(), err)
				}
			})
		}
	}
}

func TestSymlinkIsReplacedNotItsTarget(t *testing.T) {
	target, link := filepath.Join(t.TempDir(), "target"), filepath.Join(t.TempDir(), "link")
	if err := os.WriteFile(target, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err) // Windows, without the right to
	}
	if err := replace.File(link, []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	holds(t, target, "mine")
	holds(t, link, "new")
	if info, err := os.Lstat(link); err != nil || !info.Mode().IsRegular() {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestFailedReplaceChangesNothing(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "folder")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	err := replace.File(folder, []byte("new"), 0o600) // the rename fails, when all is written
	if err == nil || !strings.Contains(err.Error(), "replacing "+folder+": ") {
		t.Errorf("%v", err)
	}
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		t.Errorf("the folder is gone: %v", err)
	}
	alone(t, folder)

	err = replace.File(filepath.Join(folder, "missing", "file"), []byte("new"), 0o600)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v does not say that the folder is missing", err)
	}
}

func TestAStagedFileWaits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := replace.File(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, commit := range []bool{false, true} {
		s, err := replace.Stage(path, []byte("new"), 0o600, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != "old" {
			t.Errorf("it is %q already, %v", got, err)
		}
		if !commit {
			s.Discard()
			holds(t, path, "old")
			continue
		}
		if err := s.Commit(); err != nil {
			t.Fatal(err)
		}
		holds(t, path, "new")
	}
	replace.Staged{}.Discard() // nothing was staged
}

func TestConcurrentReplacesLeaveOneCompleteFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	content := func(n int) []byte { return bytes.Repeat([]byte{byte('a' + n)}, 1000*(n+1)) }
	whole := func() {
		got, err := os.ReadFile(path)
		if err != nil || len(got) == 0 || !bytes.Equal(got, content(int(got[0]-'a'))) {
			t.Errorf("a reader found %d bytes that nobody wrote: %v", len(got), err)
		}
	}
	if err := replace.File(path, content(0), 0o600); err != nil {
		t.Fatal(err)
	}
	var writers sync.WaitGroup
	for n := range 8 {
		writers.Go(func() {
			for range 5 {
				if err := replace.File(path, content(n), 0o600); err != nil {
					t.Error(err)
				}
				whole()
			}
		})
	}
	writers.Wait()
	whole()
	alone(t, path)
}
