// Package datadir knows where nod keeps its data. It is a package of its own
// because the hook program, which links next to nothing, needs it too.
package datadir

import (
	"errors"
	"path/filepath"
)

// ErrNone means that nothing says where the data directory is.
var ErrNone = errors.New("neither NOD_DATA nor HOME is set: say where nod keeps its data with NOD_DATA")

// Find returns the data directory: NOD_DATA, or the usual place of the
// operating system goos.
func Find(getenv func(string) string, goos string) (string, error) {
	if dir := getenv("NOD_DATA"); dir != "" {
		return filepath.Abs(dir)
	}
	if dir := getenv("XDG_DATA_HOME"); dir != "" && goos != "darwin" && goos != "windows" {
		return filepath.Join(dir, "nod"), nil
	}
	home := getenv("HOME")
	if goos == "windows" {
		if dir := getenv("LOCALAPPDATA"); dir != "" {
			return filepath.Join(dir, "nod"), nil
		}
		home = getenv("USERPROFILE")
	}
	if home == "" {
		return "", ErrNone
	}
	if goos == "darwin" {
		return filepath.Join(home, "Library", "Application Support", "nod"), nil
	}
	return filepath.Join(home, ".local", "share", "nod"), nil
}

// Socket returns the path of the hub's Unix socket in a data directory.
func Socket(dir string) string { return filepath.Join(dir, "nod.sock") }
