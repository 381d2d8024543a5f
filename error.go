package nod

import (
	"errors"
	"fmt"
)

// Code classifies a failure. Every surface translates it: HTTP into a status, the terminal into an exit code, a voice
// into words. A Code is an error itself, so that errors.Is(err, NotFound) works.
type Code string

func (c Code) Error() string { return string(c) }

const (
	Invalid       Code = "invalid"       // cannot be understood
	Unauthorized  Code = "unauthorized"  // unknown caller
	Forbidden     Code = "forbidden"     // the caller lacks the right
	ProofNeeded   Code = "proof_needed"  // allowed after confirmation with a passkey
	NotFound      Code = "not_found"     // no such thing
	Conflict      Code = "conflict"      // another answer came first
	Unreachable   Code = "unreachable"   // no way to reach that agent
	Unprocessable Code = "unprocessable" // understood, but does not fit this request
	TooLarge      Code = "too_large"     // over the limit
	Gone          Code = "gone"          // existed, but is no longer kept
	Unavailable   Code = "unavailable"   // not now: disk full, shutting down
	Internal      Code = "internal"      // our fault
)

// Error is a failure with a message for people. Errors of other programs are wrapped as Cause for the log and never
// sent to a client.
type Error struct {
	Code    Code
	Message string
	Winner  *Request // with Conflict: the request as settled
	Cause   error
}

// Error includes the cause, for the log. Clients get MessageOf.
func (e *Error) Error() string {
	if e.Cause != nil {
		return e.Message + " (" + e.Cause.Error() + ")"
	}
	return e.Message
}

func (e *Error) Unwrap() error { return e.Cause }

// Is reports whether target is this error's code.
func (e *Error) Is(target error) bool { return target == e.Code }

// Errorf makes an Error with a message for people.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Because adds the underlying error, for the log.
func (e *Error) Because(cause error) *Error {
	e.Cause = cause
	return e
}

// CodeOf returns the code of any error: "" for nil, Internal for a foreign error.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	var bare Code
	if errors.As(err, &bare) {
		return bare
	}
	return Internal
}

// MessageOf is the part of err that a client may see.
func MessageOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Message
	}
	return "Something went wrong inside nod; its log has the details."
}

// WinnerOf returns the settled request that a Conflict carries, if any.
func WinnerOf(err error) *Request {
	var e *Error
	if errors.As(err, &e) {
		return e.Winner
	}
	return nil
}
