//go:build unix

package replace_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"nod/internal/sys/replace"
)

// As root, the new file gets the owner of the one it replaces; another user keeps it,
// without an error.
func TestTheOwnerIsKeptWhereThatIsAllowed(t *testing.T) {
	like := filepath.Join(t.TempDir(), "like")
	if err := os.WriteFile(like, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	want := uint32(os.Getuid())
	if want == 0 {
		want = 4711
		if err := os.Chown(like, int(want), int(want)); err != nil {
			t.Fatal(err)
		}
	} else {
		like = "/" // which is root's
	}
	owner, err := os.Stat(like)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "file")
	s, err := replace.Stage(path, []byte("new"), 0o644, owner)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Commit(); err != nil {
		t.Fatal(err)
	}
	holds(t, path, "new")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Sys().(*syscall.Stat_t).Uid; got != want || info.Mode() != 0o644 {
		t.Errorf("it belongs to %d with %v, want %d", got, info.Mode(), want)
	}
}
