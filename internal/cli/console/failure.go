package console

import (
	"context"
	"errors"
	"net"

	"github.com/spf13/cobra"

	"nod"
	"nod/internal/cli/show"
	"nod/internal/client"
	"nod/internal/present/words"
)

// failure is an error whose text is ready for the person.
type failure struct {
	text string
	exit int
}

func (f *failure) Error() string { return f.text }

func Fail(exit int, text string) error { return &failure{text, exit} }

// Misuse is the error for a wrong command line.
func (c *Console) Misuse(cmd *cobra.Command, text string) error {
	return Fail(exitUsage, text+"\n"+c.Say(words.SeeHelp, cmd.CommandPath()))
}

func (c *Console) NoSuchCommand(cmd *cobra.Command, name string) error {
	text := c.Say(words.NoSuchCommand, name)
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(name); len(near) > 0 {
		text += " " + c.Say(words.DidYouMean, near[0])
	}
	return c.Misuse(cmd, text)
}

// Explain turns any error into a text and an exit code. Texts of the hub may quote
// an agent, so they are made visible, never printed raw.
func (c *Console) Explain(err error) (text string, exit int) {
	var ready *failure
	if errors.As(err, &ready) {
		return ready.text, ready.exit
	}
	var coded interface{ ExitCode() int }
	if errors.As(err, &coded) { // a command of another package with a text of its own
		return err.Error(), coded.ExitCode()
	}
	if errors.Is(err, client.ErrNoHub) {
		return c.noHub(err), ExitFailed
	}
	message := nod.Visible(PlainMessage(err))
	switch nod.CodeOf(err) {
	case nod.Unauthorized:
		return c.Say(words.WhoAreYou, c.where()), ExitFailed
	case nod.Forbidden:
		return c.Say(words.MayNot, message), ExitFailed
	case nod.ProofNeeded:
		return c.Say(words.PasskeyNeeded), ExitFailed
	case nod.Conflict:
		if r := nod.WinnerOf(err); r != nil {
			return c.SettledOutcome(r)
		}
		return c.Say(words.WentWrong, message), ExitLate
	case nod.NotFound, nod.Gone:
		return c.Say(words.WentWrong, message), ExitGone
	}
	return c.Say(words.WentWrong, message), ExitFailed
}

// noHub distinguishes "never reached" from "broke off": only in the first case it is
// certain that nothing was sent.
func (c *Console) noHub(err error) string {
	if NeverReached(err) {
		return c.Say(words.HubAway, c.where())
	}
	return c.Say(words.HubBroke, c.where())
}

// NeverReached reports whether it is certain that the hub got nothing.
func NeverReached(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

func (c *Console) where() string {
	if cl, err := c.Hub(); err == nil {
		return cl.Where()
	}
	return "?"
}

// PlainMessage is the message of our own errors, and the text of others: a terminal
// has no log to put them in.
func PlainMessage(err error) string {
	var e *nod.Error
	if errors.As(err, &e) {
		return e.Message
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return "timeout"
	}
	return err.Error()
}

// The exit codes that scripts rely on.
const (
	exitOK     = 0
	ExitFailed = 1
	exitUsage  = 2
	ExitLate   = 3 // someone else was first
	ExitGone   = 4 // unknown, or no longer waiting

	endedBySignal   = 128 // plus the number of the signal
	ExitInterrupted = 130
)

// SettledOutcome tells who was first, or why no answer is needed any more. Only
// the former is a lost race; everything else is gone.
func (c *Console) SettledOutcome(r *nod.Request) (text string, exit int) {
	exit = ExitGone
	atTerminal := r.Withdrawal != nil && (r.Withdrawal.Reason == nod.WithdrawnTerminal || r.Withdrawal.Reason == nod.WithdrawnHost)
	if r.Status == nod.Decided || atTerminal {
		exit = ExitLate
	}
	return show.SettledText(c.Page(), r), exit
}
