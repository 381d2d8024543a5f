package nod

import (
	"errors"
	"fmt"
)

// Code is the one vocabulary of failures. Every surface translates it into its
// own: HTTP into a status, the terminal into an exit code, a voice into words.
// A Code is an error itself, so that errors.Is(err, NotFound) works.
type Code string

func (c Code) Error() string { return string(c) }

// The codes.
const (
	Invalid       Code = "invalid"       // it cannot be understood
	Unauthorized  Code = "unauthorized"  // who are you?
	Forbidden     Code = "forbidden"     // you may not
	ProofNeeded   Code = "proof_needed"  // you may, once you have confirmed it with a passkey
	NotFound      Code = "not_found"     // there is no such thing
	Conflict      Code = "conflict"      // someone was first
	Unreachable   Code = "unreachable"   // there is no way to that agent
	Unprocessable Code = "unprocessable" // understood, but it does not fit this request
	TooLarge      Code = "too_large"     // more than is accepted
	Gone          Code = "gone"          // it was there, and is no longer kept
	Unavailable   Code = "unavailable"   // not now: disk full, shutting down
	Internal      Code = "internal"      // our fault
)

// Error is a failure in words that a person may read. Texts of foreign
// programs are wrapped as Cause for the log and are never sent to a client.
type Error struct {
	Code    Code
	Message string
	Winner  *Request // with Conflict: the request as it was settled
	Cause   error
}

// Error includes the cause: it is meant for the log. Clients get MessageOf.
func (e *Error) Error() string {
	if e.Cause != nil {
		return e.Message + " (" + e.Cause.Error() + ")"
	}
	return e.Message
}

func (e *Error) Unwrap() error { return e.Cause }

// Is reports whether target is this error's code.
func (e *Error) Is(target error) bool { return target == e.Code }

// Errorf makes an Error from words for people.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Because adds the foreign error that lies behind, for the log.
func (e *Error) Because(cause error) *Error {
	e.Cause = cause
	return e
}

// CodeOf tells the code of any error. Without an error there is none; an error
// that is not ours is Internal.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return Internal
}

// MessageOf is what may be told to a client about err.
func MessageOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Message
	}
	return "Something went wrong inside nod; its log has the details."
}

// WinnerOf is the settled request that a Conflict carries, if any.
func WinnerOf(err error) *Request {
	var e *Error
	if errors.As(err, &e) {
		return e.Winner
	}
	return nil
}
