package tmux

import (
	"context"
	"crypto/rand"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Pane is one pane. A sequence of captures and keys must hold its lock, or two callers
// would mix their keys.
type Pane struct {
	tmux    *Tmux
	address address
	lock    chan struct{}
}

// Lock waits until no other caller types here.
func (p *Pane) Lock(ctx context.Context) (unlock func(), err error) {
	select {
	case p.lock <- struct{}{}:
		return func() { <-p.lock }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// View is a pane at one moment.
type View struct {
	PID      int    // of the first process in it
	Dead     bool   // that process has ended, and the pane is kept
	CopyMode bool   // or another mode that takes the keys for itself
	Screen   string // with its styles
}

// viewFormat is parsed by parseView.
const viewFormat = "#{pane_id} #{pane_pid} #{pane_dead} #{pane_in_mode}"

// Capture reads what the pane shows.
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
		return View{}, fmt.Errorf("%w: tmux told of %q", ErrGone, first) // for a missing target tmux may take another
	}
	pid, err := strconv.Atoi(fields[1])
	if err != nil {
		return View{}, fmt.Errorf("tmux told the process %q", fields[1])
	}
	return View{PID: pid, Dead: fields[2] == "1", CopyMode: fields[3] != "0", Screen: screen}, nil
}

// LeaveCopyMode leaves copy mode and similar ones, which swallow keys.
func (p *Pane) LeaveCopyMode(ctx context.Context) error {
	if _, err := p.run(ctx, "", "copy-mode", "-q", "-t", p.address.id); err == nil {
		return nil
	}
	_, err := p.run(ctx, "", "send-keys", "-t", p.address.id, "-X", "cancel") // before tmux 3.2
	return err
}

// Paste makes a bracketed paste, so that no line end is an Enter. The text goes through a
// buffer from standard input, because in an argument its length, a leading dash and a
// trailing semicolon would matter.
func (p *Pane) Paste(ctx context.Context, text string) error {
	if err := checkPlain(text); err != nil {
		return err
	}
	buffer := "nod-" + rand.Text()
	_, err := p.run(ctx, text, "load-buffer", "-b", buffer, "-", ";",
		"paste-buffer", "-p", "-d", "-b", buffer, "-t", p.address.id)
	return err
}

// maxTyped is far below the longest command of tmux.
const maxTyped = 1000

// Type types one line key by key, for fields that take no paste.
func (p *Pane) Type(ctx context.Context, line string) error {
	if err := checkPlain(line); err != nil {
		return err
	}
	if strings.ContainsAny(line, "\n\t") {
		return fmt.Errorf("only one line can be typed")
	}
	for len(line) > 0 {
		n := min(len(line), maxTyped)
		for n < len(line) && !runeStart(line[n]) {
			n--
		}
		part := line[:n]
		line = line[n:]
		if strings.HasSuffix(part, ";") { // a last one would end the command
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

// checkPlain refuses control characters, which would be keys or end a paste.
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
