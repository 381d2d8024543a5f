package cli

import (
	"context"
	"errors"
	"net"

	"github.com/spf13/cobra"

	"nod"
	"nod/internal/client"
	"nod/internal/present/words"
)

// failure is an error whose words are ready for the person.
type failure struct {
	text string
	exit int
}

func (f *failure) Error() string { return f.text }

func fail(exit int, text string) error { return &failure{text, exit} }

// misuse is a command line that cannot be right.
func (c *console) misuse(cmd *cobra.Command, text string) error {
	return fail(exitUsage, text+"\n"+c.Say(words.SeeHelp, cmd.CommandPath()))
}

func (c *console) noSuchCommand(cmd *cobra.Command, name string) error {
	text := c.Say(words.NoSuchCommand, name)
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(name); len(near) > 0 {
		text += " " + c.Say(words.DidYouMean, near[0])
	}
	return c.misuse(cmd, text)
}

// explain turns any error into words and an exit code. Texts of the hub may
// quote an agent, so they are drawn, never printed raw.
func (c *console) explain(err error) (text string, exit int) {
	var ready *failure
	if errors.As(err, &ready) {
		return ready.text, ready.exit
	}
	var said interface{ ExitCode() int }
	if errors.As(err, &said) { // a command from elsewhere that has found its own words
		return err.Error(), said.ExitCode()
	}
	if errors.Is(err, client.ErrNoHub) {
		return c.noHub(err), exitFailed
	}
	message := nod.Visible(plainMessage(err))
	switch nod.CodeOf(err) {
	case nod.Unauthorized:
		return c.Say(words.WhoAreYou, c.where()), exitFailed
	case nod.Forbidden:
		return c.Say(words.MayNot, message), exitFailed
	case nod.ProofNeeded:
		return c.Say(words.PasskeyNeeded), exitFailed
	case nod.Conflict:
		if r := nod.WinnerOf(err); r != nil {
			return settledOutcome(c, r)
		}
		return c.Say(words.WentWrong, message), exitLate
	case nod.NotFound, nod.Gone:
		return c.Say(words.WentWrong, message), exitGone
	}
	return c.Say(words.WentWrong, message), exitFailed
}

// noHub tells "never reached" from "broke off": only after the first it is sure
// that nothing was sent.
func (c *console) noHub(err error) string {
	if neverReached(err) {
		return c.Say(words.HubAway, c.where())
	}
	return c.Say(words.HubBroke, c.where())
}

// neverReached reports whether it is sure that the hub heard nothing.
func neverReached(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

func (c *console) where() string {
	if cl, err := c.Client("terminal"); err == nil {
		return cl.Where()
	}
	return "?"
}

// plainMessage is the message of our own errors, and the text of foreign ones:
// in a terminal the person is the log.
func plainMessage(err error) string {
	var e *nod.Error
	if errors.As(err, &e) {
		return e.Message
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return "timeout"
	}
	return err.Error()
}
