//go:build !linux && !darwin

package pty

import (
	"os"
	"os/exec"
)

// Open fails: there is nothing to make one with.
func Open() (near, far *os.File, err error) { return nil, nil, ErrUnsupported }

// Attach does nothing: there is no far end to attach to.
func Attach(*exec.Cmd, *os.File) {}

// Is knows no terminals.
func Is(*os.File) bool { return false }

// SizeOf fails.
func SizeOf(*os.File) (Size, error) { return Size{}, ErrUnsupported }

// Resize fails.
func Resize(*os.File, Size) error { return ErrUnsupported }

// Foreground fails.
func Foreground(*os.File) (group int, err error) { return 0, ErrUnsupported }

// Mode is how a terminal treats what goes through it.
type Mode struct{}

// ModeOf fails.
func ModeOf(*os.File) (Mode, error) { return Mode{}, ErrUnsupported }

// Apply fails.
func (Mode) Apply(*os.File) error { return ErrUnsupported }

// Raw changes nothing.
func (m Mode) Raw() Mode { return m }
