package device

import (
	"bytes"
	"context"
	"image/png"

	"github.com/spf13/cobra"

	"nod/internal/cli/console"
	"nod/internal/client"
	"nod/internal/present/words"
)

func keyboardCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("keyboard [--address HOST] [--once FILE] [--pixels HOW]", words.TopicDeviceKeyboard)
	address := cmd.Flags().String("address", "", c.Say(words.FlagKeyboardAddress))
	s := newSimulation(c, cmd, words.KeyboardKeys, leastPadColumns, leastPadColumns/7+4)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := s.checkFlags(cmd); err != nil {
			return err
		}
		sim := &keyboardSimulator{pad: newKeypad(), now: c.Now}
		sim.dial = func(ctx context.Context) (*client.Keyboard, error) { return client.KeyboardAt(ctx, *address) }
		if *address == "" {
			cl, err := c.Client("keyboard")
			if err != nil {
				return err
			}
			sim.dial = cl.Keyboard
		}
		return s.run(cmd, sim.picture, func(ctx context.Context) (func(context.Context, *display, <-chan []byte) error, error) {
			first, err := sim.dial(ctx)
			return func(ctx context.Context, d *display, keys <-chan []byte) error {
				sim.display, sim.keys = d, keys
				return sim.run(ctx, first)
			}, err
		})
	}
	return cmd
}

// picture is what the keys show as soon as they show anything.
func (s *keyboardSimulator) picture(ctx context.Context) ([]byte, error) {
	conn, err := s.dial(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if err := s.register(ctx, conn); err != nil {
		return nil, err
	}
	for s.pad.session == "" && s.pad.notes == [padKeys]*hubMessage{} {
		text, err := conn.Next(ctx)
		if err != nil {
			return nil, err
		}
		s.receive(ctx, conn, text)
	}
	var b bytes.Buffer
	err = png.Encode(&b, s.pad.draw(s.now()))
	return b.Bytes(), err
}
