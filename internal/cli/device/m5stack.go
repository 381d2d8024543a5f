package device

import (
	"context"

	"github.com/spf13/cobra"

	"nod/internal/cli/console"
	"nod/internal/client"
	"nod/internal/present/words"
)

// The screen of an M5Stack.
const (
	m5stackWidth  = 320
	m5stackHeight = 240
)

func m5stackCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("m5stack [--language LANGUAGE] [--once FILE] [--pixels HOW]", words.TopicM5Stack)
	language := cmd.Flags().String("language", "", c.Say(words.FlagDeviceLanguage))
	s := newSimulation(c, cmd, words.DeviceKeys, leastColumns, leastColumns*3/8+1)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if _, ok := words.WebLang(*language); !ok && *language != "" {
			return c.Misuse(cmd, c.Say(words.DeviceLanguageBad, *language))
		}
		if err := s.checkFlags(cmd); err != nil {
			return err
		}
		cl, err := c.Client("screen")
		if err != nil {
			return err
		}
		hello := m5stackHello(c, *language)
		picture := func(ctx context.Context) ([]byte, error) { return m5stackPicture(ctx, cl, hello) }
		return s.run(cmd, picture, func(ctx context.Context) (func(context.Context, *display, <-chan []byte) error, error) {
			hello.Spare = true
			first, err := cl.Screen(ctx, hello)
			return func(ctx context.Context, d *display, keys <-chan []byte) error {
				sim := &screenSimulator{hub: cl, hello: hello, display: d, keys: keys}
				return sim.run(ctx, first)
			}, err
		})
	}
	return cmd
}

func m5stackHello(c *console.Console, language string) client.ScreenHello {
	if language == "" {
		language = [...]string{words.English: "en", words.Polish: "pl", words.Japanese: "ja"}[c.Lang()]
	}
	return client.ScreenHello{Width: m5stackWidth, Height: m5stackHeight, Format: "png", Buttons: 3, Language: language, Name: "m5stack"}
}

// m5stackPicture is what the device shows now: the first whole frame, which is a
// PNG file already.
func m5stackPicture(ctx context.Context, cl *client.Client, hello client.ScreenHello) ([]byte, error) {
	s, err := cl.Screen(ctx, hello)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	for {
		part, _, err := s.Next(ctx)
		if err != nil {
			return nil, err
		}
		if part != nil && part.Whole {
			return part.Data, nil
		}
	}
}
