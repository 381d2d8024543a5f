package sqlite

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A disk that is really full, where that can be had.
func TestFullDisk(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "disk")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=2m"); err != nil {
		t.Skip("only root can mount a small disk: ", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	ballast := filepath.Join(dir, "ballast")
	if err := os.WriteFile(ballast, []byte(strings.Repeat("x", 1<<20)), 0o600); err != nil {
		t.Fatal(err)
	}
	s := opened(t, filepath.Join(dir, "nod.db"))
	fullAndOn(t, s, func() {
		if err := os.Remove(ballast); err != nil {
			t.Fatal(err)
		}
	})
}

func TestNoRoomToStart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "disk")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skip("only root can mount a small disk: ", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	_, err := Open(t.Context(), filepath.Join(dir, "nod.db"))
	wantWords(t, err, "unavailable", "disk")
	if err := syscall.Mount("", dir, "tmpfs", syscall.MS_REMOUNT, "size=2m"); err != nil {
		t.Fatal(err)
	}
	opened(t, filepath.Join(dir, "nod.db"))
}
