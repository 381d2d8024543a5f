package tmux

import (
	"context"
	"crypto/rand"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Pane is one pane. A sequence of looks and keys belongs between Hold and its
// release: two hands on one keyboard write nonsense.
type Pane struct {
	tmux    *Tmux
	address address
	lock    chan struct{}
}

// Lock waits until nobody else types here.
func (p *Pane) Lock(ctx context.Context) (release func(), err error) {
	select {
	case p.lock <- struct{}{}:
		return func() { <-p.lock }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// View is a pane at one moment.
type View struct {
	PID      int    // of the process that was started in it
	Dead     bool   // that process has ended, and the pane was kept
	CopyMode bool   // copy mode, or another that takes the keys for itself
	Screen   string // what is on it, with its colours
}

// viewFormat is read back by parseView.
const viewFormat = "#{pane_id} #{pane_pid} #{pane_dead} #{pane_in_mode}"

// Capture is what the pane shows now.
func (p *Pane) Capture(ctx context.Context) (View, error) {
	out, err := p.run(ctx, "", "display-message", "-p", "-t", p.address.id, viewFormat, ";",
		"capture-pane", "-p", "-e", "-t", p.address.id)
	if err != nil {
		return View{}, err
	}
	return parseView(out, p.address.id)
}

func parseView(out, id string) (View, error) {
	first, screen, _ := strings.Cut(out, "\n")
	fields := strings.Fields(first)
	if len(fields) != 4 || fields[0] != id {
		return View{}, fmt.Errorf("%w: tmux told of %q", ErrGone, first) // a target that is not there may mean another one
	}
	pid, err := strconv.Atoi(fields[1])
	if err != nil {
		return View{}, fmt.Errorf("tmux told the process %q", fields[1])
	}
	return View{PID: pid, Dead: fields[2] == "1", CopyMode: fields[3] != "0", Screen: screen}, nil
}

// LeaveCopyMode leaves copy mode and its like, which swallow keys without a word.
func (p *Pane) LeaveCopyMode(ctx context.Context) error {
	if _, err := p.run(ctx, "", "copy-mode", "-q", "-t", p.address.id); err == nil {
		return nil
	}
	_, err := p.run(ctx, "", "send-keys", "-t", p.address.id, "-X", "cancel") // before tmux 3.2
	return err
}

// Paste puts text in as a bracketed paste, so that no line of it is an Enter. It
// goes through a buffer of its own: arguments have a length, a leading dash and a
// trailing semicolon, standard input has not.
func (p *Pane) Paste(ctx context.Context, text string) error {
	if err := checkPlain(text); err != nil {
		return err
	}
	buffer := "nod-" + rand.Text()
	_, err := p.run(ctx, text, "load-buffer", "-b", buffer, "-", ";",
		"paste-buffer", "-p", "-d", "-b", buffer, "-t", p.address.id)
	return err
}

// longestTyped is far below the length of a command that tmux takes.
const longestTyped = 1000

// Type puts one line in key by key, for fields that take no paste.
func (p *Pane) Type(ctx context.Context, line string) error {
	if err := checkPlain(line); err != nil {
		return err
	}
	if strings.ContainsAny(line, "\n\t") {
		return fmt.Errorf("only one line can be typed")
	}
	for len(line) > 0 {
		n := min(len(line), longestTyped)
		for n < len(line) && !runeStart(line[n]) {
			n--
		}
		part := line[:n]
		line = line[n:]
		if strings.HasSuffix(part, ";") { // the last one would end the command
			part = strings.TrimSuffix(part, ";") + `\;`
		}
		if _, err := p.run(ctx, "", "send-keys", "-t", p.address.id, "-l", "--", part); err != nil {
			return err
		}
	}
	return nil
}

func runeStart(b byte) bool { return b&0xC0 != 0x80 }

// SendKeys sends keys by their tmux names, such as Enter, Escape or C-s.
func (p *Pane) SendKeys(ctx context.Context, keys ...string) error {
	_, err := p.run(ctx, "", append([]string{"send-keys", "-t", p.address.id, "--"}, keys...)...)
	return err
}

// checkPlain refuses what a terminal would take for a key or for the end of a paste.
func checkPlain(text string) error {
	for _, r := range text {
		if r != '\n' && r != '\t' && unicode.IsControl(r) {
			return fmt.Errorf("control character %U in a text to type", r)
		}
	}
	return nil
}

func (p *Pane) run(ctx context.Context, stdin string, args ...string) (string, error) {
	return p.tmux.run(ctx, p.address.socket, stdin, args...)
}
