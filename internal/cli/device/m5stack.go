package device

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/draw"
	"image/png"
	"time"

	"github.com/spf13/cobra"

	"nod"
	"nod/internal/cli/console"
	"nod/internal/cli/follow"
	"nod/internal/client"
	v1 "nod/internal/client/v1"
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

func m5stackHello(c *console.Console, language string) v1.ScreenHello {
	if language == "" {
		language = [...]string{words.English: "en", words.Polish: "pl", words.Japanese: "ja"}[c.Lang()]
	}
	return v1.ScreenHello{Width: m5stackWidth, Height: m5stackHeight, Format: "png", Buttons: 3, Language: language, Name: "m5stack"}
}

// m5stackPicture is what the device shows now: the first whole frame, which is a
// PNG file already.
func m5stackPicture(ctx context.Context, cl *client.Client, hello v1.ScreenHello) ([]byte, error) {
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

// screenSimulator does in a terminal what the firmware does: it shows pictures,
// reports buttons and reconnects.
type screenSimulator struct {
	hub     *client.Client
	hello   v1.ScreenHello
	display *display
	keys    <-chan []byte

	screen, offline *image.RGBA
	frame           uint32
	hold            time.Duration
	held            *heldButton // being held
}

// heldButton is a button that is down, and what was shown when it went down.
type heldButton struct {
	button string
	frame  uint32
}

// screenMessage is a part of a picture or a word of the hub.
type screenMessage struct {
	part *client.ScreenPart
	word *v1.ScreenNote
}

func (s *screenSimulator) run(ctx context.Context, connected *client.Screen) error {
	s.screen, s.hold = image.NewRGBA(image.Rect(0, 0, s.hello.Width, s.hello.Height)), time.Second
	for delay := follow.FirstDelay; ; delay = min(2*delay, follow.LongestDelay) {
		if connected != nil {
			err := s.serve(ctx, connected)
			connected.Close()
			if code := nod.CodeOf(err); errors.Is(err, errQuit) || ctx.Err() != nil || code == nod.Unauthorized || code == nod.Forbidden {
				return err
			}
			delay, s.frame, s.held = follow.FirstDelay, 0, nil
		}
		if err := waitToReconnect(ctx, s.keys, delay, s.showOffline); err != nil {
			return err
		}
		connected, _ = s.hub.Screen(ctx, s.hello)
	}
}

// serve shows pictures and reports buttons as long as the connection lasts.
func (s *screenSimulator) serve(ctx context.Context, screen *client.Screen) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	messages := listen(ctx, func(ctx context.Context) (m screenMessage, err error) {
		m.part, m.word, err = screen.Next(ctx)
		return m, err
	})
	resize := time.NewTicker(time.Second)
	defer resize.Stop()
	var heldLong <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case r := <-messages:
			if r.err != nil {
				return r.err
			}
			if err := s.receive(r.message); err != nil {
				return err
			}
		case b := <-s.keys:
			if quits(b) {
				return errQuit
			}
			down, err := s.press(ctx, screen, b)
			if err != nil {
				return err
			}
			if down {
				heldLong = time.After(s.hold)
			}
		case <-heldLong:
			held := *s.held
			s.held, heldLong = nil, nil
			if err := screen.Press(ctx, held.button, "hold", held.frame); err != nil {
				return err
			}
		case <-resize.C:
			if s.frame > 0 {
				s.display.show(s.screen)
			}
		}
	}
}

// showOffline shows the picture that the hub sent for when it cannot be reached.
func (s *screenSimulator) showOffline() {
	if s.offline != nil {
		s.display.show(s.offline)
	}
}

func (s *screenSimulator) receive(n screenMessage) error {
	switch {
	case n.word != nil && n.word.Type == "beep":
		s.display.beep()
	case n.word != nil && n.word.HoldMS > 0:
		s.hold = time.Duration(n.word.HoldMS) * time.Millisecond
	case n.part != nil:
		return s.paint(n.part)
	}
	return nil
}

// paint draws a rectangle into the picture; the terminal shows it when the frame
// is complete.
func (s *screenSimulator) paint(part *client.ScreenPart) error {
	onto := s.screen
	if part.Spare {
		s.offline = image.NewRGBA(s.screen.Rect)
		onto = s.offline
	}
	if len(part.Data) > 0 {
		p, err := png.Decode(bytes.NewReader(part.Data))
		if err != nil {
			return nod.Errorf(nod.Internal, "the hub sent a picture that cannot be read").Because(err)
		}
		draw.Draw(onto, part.At, p, p.Bounds().Min, draw.Src)
	}
	if part.Last && !part.Spare {
		s.frame = part.Frame
		s.display.show(s.screen)
	}
	return nil
}

// press presses buttons: small letters click, capital ones hold. It reports
// whether one is held now.
func (s *screenSimulator) press(ctx context.Context, screen *client.Screen, keys []byte) (down bool, err error) {
	if len(keys) > 0 && keys[0] == 0x1b {
		return false, nil // an arrow key or a late reply of the terminal: its letters are no buttons
	}
	for _, k := range keys {
		switch {
		case s.held != nil || s.frame == 0: // only one button at a time
		case k >= 'a' && k <= 'c':
			err = screen.Press(ctx, string(k-'a'+'A'), "click", s.frame)
		case k >= 'A' && k <= 'C':
			s.held, down = &heldButton{string(k), s.frame}, true
			err = screen.Press(ctx, string(k), "down", s.frame)
		}
		if err != nil {
			return down, err
		}
	}
	return down, nil
}
