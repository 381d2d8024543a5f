// Package applescript types into the frontmost window on a Mac, through System Events: the last resort for an agent
// that nothing else reaches. Any window that is in front gets the text, so it is off unless the user asks for it.
package applescript

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
	"unicode"
)

// Program is its path on every Mac.
const Program = "/usr/bin/osascript"

// Words that stand for keys.
const (
	Stop       = "STOP"       // Escape
	Background = "BACKGROUND" // Control and B
)

const (
	longest  = 2000 // more than people type
	patience = 10 * time.Second
)

// ErrUntypable: there is nothing to type, or more than people would.
var ErrUntypable = errors.New("this cannot be typed")

// Type types a text and presses Return.
func Type(ctx context.Context, text string) error { return typeWith(ctx, Program, text) }

func typeWith(ctx context.Context, program, text string) error {
	script, err := Script(text)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "-") // the script comes through a pipe: no command line, no shell
	cmd.Stdin, cmd.Env = strings.NewReader(script), []string{"PATH=/usr/bin:/bin", "LANG=en_US.UTF-8"}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("osascript: %w: %.200s", err, out)
	}
	return nil
}

// Script is the program that types a text. The text is data in it, whatever it contains.
func Script(text string) (string, error) {
	var keys string
	switch text {
	case Stop:
		keys = "key code 53"
	case Background:
		keys = `keystroke "b" using control down`
	default:
		line := oneLine(text)
		if line == "" || len(line) > longest {
			return "", ErrUntypable
		}
		keys = "keystroke " + quote(line) + "\n\tdelay 0.05\n\tkey code 36"
	}
	return "tell application \"System Events\"\n\t" + keys + "\nend tell\n", nil
}

// oneLine removes what would act as a key: a line end sends half-typed text, a tab completes it, and control
// characters are invisible.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	return strings.TrimSpace(text)
}

// quote makes a string literal: AppleScript has two special characters inside of one.
func quote(line string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(line) + `"`
}
