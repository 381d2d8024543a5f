package device

import (
	"bytes"
	"context"
	"errors"
	"image/png"
	"time"

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

// keyboardSimulator does in a terminal what the firmware of the keyboard does.
type keyboardSimulator struct {
	dial    func(context.Context) (*client.Keyboard, error)
	pad     *keypad
	display *display
	keys    <-chan []byte
	now     func() time.Time
}

// The timing of the firmware.
const (
	padReconnect = 5 * time.Second
	padPing      = 15 * time.Second
	padPong      = 3 * time.Second
	padFetch     = 5 * time.Second // the watchdog of the firmware ends it then
	padMisses    = 2
)

var errPadRestart = errors.New("keys 1 and 4 were pressed together")

func (s *keyboardSimulator) run(ctx context.Context, conn *client.Keyboard) error {
	for {
		if conn != nil {
			err := s.serve(ctx, conn)
			conn.Close()
			s.pad.connected = false
			if errors.Is(err, errQuit) || ctx.Err() != nil {
				return err
			}
			if errors.Is(err, errPadRestart) {
				s.pad.restart()
			}
		}
		if err := waitToReconnect(ctx, s.keys, padReconnect, s.show); err != nil {
			return err
		}
		conn, _ = s.dial(ctx)
	}
}

func (s *keyboardSimulator) show() { s.display.showPad(s.pad, s.now()) }

func (s *keyboardSimulator) register(ctx context.Context, conn *client.Keyboard) error {
	s.pad.connect(s.now())
	return conn.Send(ctx, map[string]string{"type": "register", "device": "tkeyboard", "version": "1.0"})
}

func (s *keyboardSimulator) serve(ctx context.Context, conn *client.Keyboard) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if err := s.register(ctx, conn); err != nil {
		return err
	}
	messages := listen(ctx, conn.Next)
	go heartbeat(ctx, conn, cancel)
	blink := time.NewTicker(redrawEvery)
	defer blink.Stop()
	for {
		s.show()
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case r := <-messages:
			if r.err != nil {
				return r.err
			}
			s.receive(ctx, conn, r.message)
		case b := <-s.keys:
			if quits(b) {
				return errQuit
			}
			if err := s.press(ctx, conn, b); err != nil {
				return err
			}
		case <-blink.C:
		}
	}
}

// heartbeat gives up on a hub that missed two pings.
func heartbeat(ctx context.Context, conn *client.Keyboard, lost context.CancelCauseFunc) {
	every := time.NewTicker(padPing)
	defer every.Stop()
	for missed := 0; ; {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
		answer, cancel := context.WithTimeout(ctx, padPong)
		err := conn.Ping(answer)
		cancel()
		if missed++; err == nil {
			missed = 0
		}
		if missed == padMisses {
			lost(err)
			return
		}
	}
}

// receive handles a message and fetches the images that it names, one after the
// other, before anything else: as the firmware does.
func (s *keyboardSimulator) receive(ctx context.Context, conn *client.Keyboard, text []byte) {
	s.pad.receive(text, s.now())
	for _, name := range s.pad.missingImages() {
		fetch, cancel := context.WithTimeout(ctx, padFetch)
		if body, err := conn.Image(fetch, name); err == nil { // without it the key shows its text
			s.pad.images[name] = body
		}
		cancel()
	}
}

// press presses keys: digits click, digits with Shift hold. What Shift makes of a
// digit depends on the person's keyboard; American, Polish and Japanese ones work.
func (s *keyboardSimulator) press(ctx context.Context, conn *client.Keyboard, keys []byte) error {
	if len(keys) > 0 && keys[0] == 0x1b {
		return nil // an arrow key, or a late reply of the terminal
	}
	for _, b := range keys {
		key, hold := padKey(b)
		if key == 0 {
			continue
		}
		press, restarts := s.pad.press(key, hold, s.now())
		if restarts {
			return errPadRestart
		}
		if press != nil {
			if err := conn.Send(ctx, press); err != nil {
				return err
			}
		}
	}
	return nil
}

func padKey(b byte) (key int, hold bool) {
	switch b {
	case '1', '2', '3', '4':
		return int(b - '0'), false
	case '!':
		return 1, true
	case '@', '"':
		return 2, true
	case '#':
		return 3, true
	case '$':
		return 4, true
	}
	return 0, false
}
