package device

import (
	"context"
	"errors"
	"image/png"
	"os"
	"slices"

	"github.com/spf13/cobra"
	xterm "golang.org/x/term"

	"nod"
	"nod/internal/cli/console"
	"nod/internal/client"
	"nod/internal/present/words"
)

func keyboardCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("keyboard [--address HOST] [--once FILE] [--pixels HOW]", words.TopicDeviceKeyboard)
	address := cmd.Flags().String("address", "", c.Say(words.FlagKeyboardAddress))
	once := cmd.Flags().String("once", "", c.Say(words.FlagDeviceOnce))
	pixels := cmd.Flags().String("pixels", "auto", c.Say(words.FlagDevicePixels))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if !slices.Contains([]string{"auto", "blocks", "sixel"}, *pixels) {
			return c.Misuse(cmd, c.Say(words.DevicePixelsBad, *pixels))
		}
		dial := func(ctx context.Context) (*client.Keyboard, error) { return client.KeyboardAt(ctx, *address) }
		if *address == "" {
			cl, err := c.Client("keyboard")
			if err != nil {
				return err
			}
			dial = cl.Keyboard
		}
		sim := &padSimulator{dial: dial, pad: newKeypad(), now: c.Now}
		if *once != "" {
			return keyboardScreenshot(cmd.Context(), c, sim, *once)
		}
		if _, ok := c.Width(); !ok {
			return c.Misuse(cmd, c.Say(words.NeedsTerminal))
		}
		return simulateKeyboard(cmd.Context(), c, sim, *pixels)
	}
	return cmd
}

// simulateKeyboard is the keyboard in this terminal, until somebody has enough of it.
func simulateKeyboard(ctx context.Context, c *console.Console, sim *padSimulator, pixels string) error {
	in, ok := c.Stdin.(*os.File)
	if !ok || !xterm.IsTerminal(int(in.Fd())) {
		return nod.Errorf(nod.Invalid, "%s", c.Say(words.NeedsTerminal))
	}
	first, err := sim.dial(ctx) // before the terminal changes its looks
	if err != nil {
		return err
	}
	before, err := xterm.MakeRaw(int(in.Fd()))
	if err != nil {
		return err
	}
	defer func() { _ = xterm.Restore(int(in.Fd()), before) }()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	keys := make(chan []byte)
	go readKeys(ctx, in, keys)
	t := &display{out: c.Stdout, hint: c.Say(words.KeyboardKeys), small: c.Say(words.DeviceSmall, padColumns, padColumns/7+4), size: func() (int, int) { return terminalSize(c.Stdout) }}
	t.open()
	defer t.close()
	t.sixel = pixels == "sixel" || pixels == "auto" && t.asks(ctx, keys)
	sim.tube, sim.keys = t, keys
	err = sim.run(ctx, first)
	if errors.Is(err, errQuit) || ctx.Err() != nil {
		return nil
	}
	return err
}

// keyboardScreenshot writes what the keys show once they show something.
func keyboardScreenshot(ctx context.Context, c *console.Console, sim *padSimulator, file string) error {
	ctx, cancel := context.WithTimeout(ctx, onceLimit)
	defer cancel()
	conn, err := sim.dial(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := sim.register(ctx, conn); err != nil {
		return err
	}
	for sim.pad.session == "" && sim.pad.notes == [padKeys]*padMessage{} {
		text, err := conn.Next(ctx)
		if err != nil {
			return err
		}
		sim.hear(ctx, conn, text)
	}
	f, err := os.Create(file)
	if err != nil {
		return nod.Errorf(nod.Invalid, "cannot write %s", file).Because(err)
	}
	err = png.Encode(f, sim.pad.paint(sim.now()))
	if bad := f.Close(); err == nil {
		err = bad
	}
	if err != nil {
		return nod.Errorf(nod.Invalid, "cannot write %s", file).Because(err)
	}
	return c.Println(c.Say(words.DeviceSaved, file))
}
