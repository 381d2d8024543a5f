package env

import (
	"nod"
	"nod/internal/present/words"
)

// Error has a message that is ready for the person: the caller of the command prints
// it unchanged (nothing, if it is empty) and exits with the code.
type Error struct {
	Text string
	Exit int
}

func (e *Error) Error() string { return e.Text }

// ExitCode is the exit code that goes with it.
func (e *Error) ExitCode() int { return e.Exit }

// The exit codes of this machine's commands.
const (
	ExitFailed = 1
	ExitUsage  = 2
)

// Failed is an error from the catalogue.
func (e *Env) Failed(text words.Message, args ...any) error {
	return &Error{e.Say(text, args...), ExitFailed}
}

// Misused is an error about how a command was called.
func (e *Env) Misused(text words.Message, args ...any) error {
	return &Error{e.Say(text, args...), ExitUsage}
}

// Visible shows the cause too, because the user of these commands is the administrator.
func Visible(err error) error { return &Error{nod.Visible(err.Error()), ExitFailed} }
