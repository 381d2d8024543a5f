// Package device is everything about small screens, keyboards and Home Assistant:
// devices simulated in a terminal, and the files that real ones need.
package device

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"
	xterm "golang.org/x/term"

	"nod"
	"nod/internal/cli/console"
	"nod/internal/cli/term"
	"nod/internal/present/words"
)

// Command is `nod device`.
func Command(c *console.Console) *cobra.Command {
	return c.Group("device m5stack|keyboard|esphome", words.TopicDevice, "device ", m5stackCommand(c), keyboardCommand(c), esphomeCommand(c))
}

const (
	onceLimit   = 10 * time.Second       // how long --once waits for a picture
	redrawEvery = 500 * time.Millisecond // lights blink, and windows change their size
)

// errQuit means that the person ended the simulation.
var errQuit = errors.New("ended by its person")

// quits reports whether the person typed q, Ctrl+C, Ctrl+D or Escape alone.
func quits(keys []byte) bool {
	return bytes.ContainsAny(keys, "q\x03\x04") || string(keys) == "\x1b"
}

// simulation is what all simulated devices have in common.
type simulation struct {
	c            *console.Console
	once, pixels *string
	hint         words.Message // below the picture
	columns      int           // the least that shows anything
	rows         int
}

func newSimulation(c *console.Console, cmd *cobra.Command, hint words.Message, columns, rows int) *simulation {
	return &simulation{c: c, hint: hint, columns: columns, rows: rows,
		once:   cmd.Flags().String("once", "", c.Say(words.FlagDeviceOnce)),
		pixels: cmd.Flags().String("pixels", "auto", c.Say(words.FlagDevicePixels)),
	}
}

func (s *simulation) checkFlags(cmd *cobra.Command) error {
	if !slices.Contains([]string{"auto", "blocks", "sixel"}, *s.pixels) {
		return s.c.Misuse(cmd, s.c.Say(words.DevicePixelsBad, *s.pixels))
	}
	return nil
}

// run writes one picture with --once, and otherwise shows the device in this
// terminal until the person quits. connect comes before the terminal changes, so
// that its error can be read.
func (s *simulation) run(cmd *cobra.Command, picture func(context.Context) ([]byte, error), connect func(context.Context) (func(context.Context, *display, <-chan []byte) error, error)) error {
	if *s.once != "" {
		return s.save(cmd.Context(), picture)
	}
	if _, ok := s.c.Width(); !ok {
		return s.c.Misuse(cmd, s.c.Say(words.NeedsTerminal))
	}
	in, ok := s.c.Stdin.(*os.File)
	if !ok || !xterm.IsTerminal(int(in.Fd())) {
		return nod.Errorf(nod.Invalid, "%s", s.c.Say(words.NeedsTerminal))
	}
	ctx, cancel := context.WithCancel(cmd.Context())
	defer cancel()
	serve, err := connect(ctx)
	if err != nil {
		return err
	}
	before, err := xterm.MakeRaw(int(in.Fd()))
	if err != nil {
		return err
	}
	defer func() { _ = xterm.Restore(int(in.Fd()), before) }()
	keys := make(chan []byte)
	go readKeys(ctx, in, keys)
	d := &display{
		out: s.c.Stdout, size: func() (int, int) { return terminalSize(s.c.Stdout) },
		hint: s.c.Say(s.hint), tooSmall: s.c.Say(words.DeviceSmall, s.columns, s.rows),
	}
	d.open()
	defer d.close()
	d.sixel = *s.pixels == "sixel" || *s.pixels == "auto" && d.detectSixel(ctx, keys)
	if err = serve(ctx, d, keys); errors.Is(err, errQuit) || ctx.Err() != nil {
		return nil
	}
	return err
}

func (s *simulation) save(ctx context.Context, picture func(context.Context) ([]byte, error)) error {
	ctx, cancel := context.WithTimeout(ctx, onceLimit)
	defer cancel()
	data, err := picture(ctx)
	if err != nil {
		return err
	}
	if err := os.WriteFile(*s.once, data, 0o644); err != nil {
		return nod.Errorf(nod.Invalid, "cannot write %s", *s.once).Because(err)
	}
	return s.c.Println(s.c.Say(words.DeviceSaved, *s.once))
}

// terminalSize asks every time, because people resize windows.
func terminalSize(out io.Writer) (columns, rows int) {
	if f, ok := out.(*os.File); ok {
		if columns, rows, err := xterm.GetSize(int(f.Fd())); err == nil {
			return columns, rows
		}
	}
	return term.PipeColumns, 24
}

func readKeys(ctx context.Context, in io.Reader, keys chan<- []byte) {
	for {
		b := make([]byte, 256)
		n, err := in.Read(b)
		if err != nil {
			return
		}
		select {
		case keys <- b[:n]:
		case <-ctx.Done():
			return
		}
	}
}

// received is one message of the hub, or the end of the connection.
type received[T any] struct {
	message T
	err     error
}

// listen reads a connection until it ends.
func listen[T any](ctx context.Context, next func(context.Context) (T, error)) <-chan received[T] {
	all := make(chan received[T])
	go func() {
		for {
			message, err := next(ctx)
			select {
			case all <- received[T]{message, err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return all
}

// waitToReconnect passes the time until the next try. No key is sent meanwhile,
// but the person can quit.
func waitToReconnect(ctx context.Context, keys <-chan []byte, delay time.Duration, redraw func()) error {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	tick := time.NewTicker(redrawEvery)
	defer tick.Stop()
	for {
		redraw()
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-timer.C:
			return nil
		case <-tick.C:
		case b := <-keys:
			if quits(b) {
				return errQuit
			}
		}
	}
}
