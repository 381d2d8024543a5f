//go:build linux || darwin

package replace_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"nod/internal/sys/replace"
)

// A file size limit simulates a full disk: the write starts, and fails halfway.
func TestFullDiskLeavesTheOldFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		t.Fatal(err)
	}
	small := before
	small.Cur = 1000
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small); err != nil {
		t.Fatal(err)
	}
	err := replace.File(path, make([]byte, 5000), 0o600)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(err, syscall.EFBIG) {
		t.Errorf("%v does not say why", err)
	}
	holds(t, path, "old")
}
