package device

import (
	"context"
	"errors"
	"time"

	"nod/internal/client"
)

// padSimulator is a keyboard made of a terminal.
type padSimulator struct {
	dial func(context.Context) (*client.Keyboard, error)
	pad  *keypad
	tube *display
	keys <-chan []byte
	now  func() time.Time
}

// The firmware's own pace.
const (
	padReconnect = 5 * time.Second
	padPing      = 15 * time.Second
	padPong      = 3 * time.Second
	padFetch     = 5 * time.Second // its watchdog ends it after this
	padBlink     = 500 * time.Millisecond
	padMisses    = 2
)

var errPadRestart = errors.New("keys 1 and 4 were pressed together")

func (s *padSimulator) run(ctx context.Context, conn *client.Keyboard) error {
	for {
		if conn != nil {
			err := s.live(ctx, conn)
			conn.Close()
			s.pad.connected = false
			if errors.Is(err, errQuit) || ctx.Err() != nil {
				return err
			}
			if errors.Is(err, errPadRestart) {
				s.pad.restart()
			}
		}
		if err := s.wait(ctx); err != nil {
			return err
		}
		conn, _ = s.dial(ctx)
	}
}

// wait passes the time until the next try. Keys that are pressed now are lost,
// as they are on the desk; the red lights say so.
func (s *padSimulator) wait(ctx context.Context) error {
	timer := time.NewTimer(padReconnect)
	defer timer.Stop()
	blink := time.NewTicker(padBlink)
	defer blink.Stop()
	for {
		s.tube.showPad(s.pad, s.now())
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-timer.C:
			return nil
		case <-blink.C:
		case b := <-s.keys:
			if quits(b) {
				return errQuit
			}
		}
	}
}

func (s *padSimulator) register(ctx context.Context, conn *client.Keyboard) error {
	s.pad.connect(s.now())
	return conn.Send(ctx, map[string]string{"type": "register", "device": "tkeyboard", "version": "1.0"})
}

// padNews is what came from the hub.
type padNews struct {
	text []byte
	err  error
}

func (s *padSimulator) live(ctx context.Context, conn *client.Keyboard) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if err := s.register(ctx, conn); err != nil {
		return err
	}
	news := make(chan padNews)
	go padListen(ctx, conn, news)
	go padBeat(ctx, conn, cancel)
	blink := time.NewTicker(padBlink)
	defer blink.Stop()
	for {
		s.tube.showPad(s.pad, s.now())
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case n := <-news:
			if n.err != nil {
				return n.err
			}
			s.hear(ctx, conn, n.text)
		case b := <-s.keys:
			if quits(b) {
				return errQuit
			}
			if err := s.typed(ctx, conn, b); err != nil {
				return err
			}
		case <-blink.C:
		}
	}
}

func padListen(ctx context.Context, conn *client.Keyboard, news chan<- padNews) {
	for {
		text, err := conn.Next(ctx)
		select {
		case news <- padNews{text, err}:
		case <-ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

// padBeat gives up on a hub that has not answered twice.
func padBeat(ctx context.Context, conn *client.Keyboard, lost context.CancelCauseFunc) {
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

// hear takes a message in and fetches the pictures it names, one after the
// other, before it does anything else: as the firmware does.
func (s *padSimulator) hear(ctx context.Context, conn *client.Keyboard, text []byte) {
	s.pad.hear(text, s.now())
	for _, name := range s.pad.wanted() {
		fetch, cancel := context.WithTimeout(ctx, padFetch)
		if body, err := conn.Image(fetch, name); err == nil { // otherwise the key shows its text
			s.pad.flash[name] = body
		}
		cancel()
	}
}

// typed presses keys: digits click, digits with Shift hold. Which signs those
// are depends on the keyboard in front of the person, so those of an American,
// a Polish and a Japanese one count.
func (s *padSimulator) typed(ctx context.Context, conn *client.Keyboard, keys []byte) error {
	if len(keys) > 0 && keys[0] == 0x1b {
		return nil // an arrow, or a late answer of the terminal
	}
	for _, b := range keys {
		key, hold := padKey(b)
		if key == 0 {
			continue
		}
		said, restarts := s.pad.press(key, hold, s.now())
		if restarts {
			return errPadRestart
		}
		if said != nil {
			if err := conn.Send(ctx, said); err != nil {
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
