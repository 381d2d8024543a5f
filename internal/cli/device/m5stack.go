package device

import (
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
	"nod/internal/client"
	"nod/internal/present/words"
)

// The screen of an M5Stack.
const (
	m5stackWidth  = 320
	m5stackHeight = 240
	onceLimit     = 10 * time.Second
)

func m5stackCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("m5stack [--language LANGUAGE] [--once FILE] [--pixels HOW]", words.TopicM5Stack)
	language := cmd.Flags().String("language", "", c.Say(words.FlagDeviceLanguage))
	once := cmd.Flags().String("once", "", c.Say(words.FlagDeviceOnce))
	pixels := cmd.Flags().String("pixels", "auto", c.Say(words.FlagDevicePixels))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if _, ok := words.WebLang(*language); !ok && *language != "" {
			return c.Misuse(cmd, c.Say(words.DeviceLanguageBad, *language))
		}
		if !slices.Contains([]string{"auto", "blocks", "sixel"}, *pixels) {
			return c.Misuse(cmd, c.Say(words.DevicePixelsBad, *pixels))
		}
		cl, err := c.Client("screen")
		if err != nil {
			return err
		}
		hello := m5stackHello(c, *language)
		if *once != "" {
			return m5stackScreenshot(cmd.Context(), c, cl, hello, *once)
		}
		if _, ok := c.Width(); !ok {
			return c.Misuse(cmd, c.Say(words.NeedsTerminal))
		}
		return simulateM5Stack(cmd.Context(), c, cl, hello, *pixels)
	}
	return cmd
}

func m5stackHello(c *console.Console, language string) client.ScreenHello {
	if language == "" {
		language = [...]string{words.English: "en", words.Polish: "pl", words.Japanese: "ja"}[c.Lang()]
	}
	return client.ScreenHello{Width: m5stackWidth, Height: m5stackHeight, Format: "png", Buttons: 3, Language: language, Name: "m5stack"}
}

// m5stackScreenshot writes what the device shows now: the first frame is whole, and a
// file as it is.
func m5stackScreenshot(ctx context.Context, c *console.Console, cl *client.Client, hello client.ScreenHello, file string) error {
	ctx, cancel := context.WithTimeout(ctx, onceLimit)
	defer cancel()
	s, err := cl.Screen(ctx, hello)
	if err != nil {
		return err
	}
	defer s.Close()
	for {
		part, _, err := s.Next(ctx)
		if err != nil {
			return err
		}
		if part == nil || !part.Whole {
			continue
		}
		if err := os.WriteFile(file, part.Data, 0o644); err != nil {
			return nod.Errorf(nod.Invalid, "cannot write %s", file).Because(err)
		}
		return c.Println(c.Say(words.DeviceSaved, file))
	}
}

// simulateM5Stack is the device in this terminal, until somebody has enough of it.
func simulateM5Stack(ctx context.Context, c *console.Console, cl *client.Client, hello client.ScreenHello, pixels string) error {
	in, ok := c.Stdin.(*os.File)
	if !ok || !xterm.IsTerminal(int(in.Fd())) {
		return nod.Errorf(nod.Invalid, "%s", c.Say(words.NeedsTerminal))
	}
	hello.Spare = true
	// The first connection tells whether there is a hub at all, before the terminal
	// changes its looks.
	first, err := cl.Screen(ctx, hello)
	if err != nil {
		return err
	}
	before, err := xterm.MakeRaw(int(in.Fd()))
	if err != nil {
		return err
	}
	defer func() { _ = xterm.Restore(int(in.Fd()), before) }()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	keys := make(chan []byte)
	go readKeys(ctx, in, keys)
	t := &display{out: c.Stdout, hint: c.Say(words.DeviceKeys), small: c.Say(words.DeviceSmall, leastColumns, leastColumns*3/8+1), size: func() (int, int) { return terminalSize(c.Stdout) }}
	t.open()
	defer t.close()
	t.sixel = pixels == "sixel" || pixels == "auto" && t.asks(ctx, keys)
	sim := &simulator{hub: cl, hello: hello, tube: t, keys: keys}
	err = sim.run(ctx, first)
	if errors.Is(err, errQuit) || ctx.Err() != nil {
		return nil
	}
	return err
}

// terminalSize is how large the terminal is now; people resize windows.
func terminalSize(out io.Writer) (columns, rows int) {
	if f, ok := out.(*os.File); ok {
		if columns, rows, err := xterm.GetSize(int(f.Fd())); err == nil {
			return columns, rows
		}
	}
	return term.PipeColumns, 24
}

func readKeys(ctx context.Context, in *os.File, keys chan<- []byte) {
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
