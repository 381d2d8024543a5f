package config

import (
	"path/filepath"

	"nod"
)

// DataDir is where the hub keeps everything, unless it is told otherwise.
func DataDir(getenv func(string) string, goos string) (string, error) {
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
		return "", nod.Errorf(nod.Invalid, "neither NOD_DATA nor HOME is set: say where nod keeps its data with NOD_DATA")
	}
	if goos == "darwin" {
		return filepath.Join(home, "Library", "Application Support", "nod"), nil
	}
	return filepath.Join(home, ".local", "share", "nod"), nil
}
