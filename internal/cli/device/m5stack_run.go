package device

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/draw"
	"image/png"
	"time"

	"nod"
	"nod/internal/cli/follow"
	"nod/internal/client"
)

// errQuit: the person has ended it.
var errQuit = errors.New("ended by its person")

// simulator is a device made of a terminal. What it does, firmware does too: it
// shows, it tells, it comes back.
type simulator struct {
	hub   *client.Client
	hello client.ScreenHello
	tube  *display
	keys  <-chan []byte

	screen, spare *image.RGBA
	frame         uint32
	hold          time.Duration
	held          *heldButton // being held
}

// heldButton is a button that is down, and what was shown when it went down.
type heldButton struct {
	button string
	frame  uint32
}

// screenNews is what came from the hub.
type screenNews struct {
	part *client.ScreenPart
	word *client.ScreenWord
	err  error
}

func (s *simulator) run(ctx context.Context, connected *client.Screen) error {
	s.screen, s.hold = image.NewRGBA(image.Rect(0, 0, s.hello.Width, s.hello.Height)), time.Second
	for pause := follow.FirstDelay; ; pause = min(2*pause, follow.LongestDelay) {
		if connected != nil {
			err := s.live(ctx, connected)
			connected.Close()
			if code := nod.CodeOf(err); errors.Is(err, errQuit) || ctx.Err() != nil || code == nod.Unauthorized || code == nod.Forbidden {
				return err
			}
			pause, s.frame, s.held = follow.FirstDelay, 0, nil
		}
		if s.spare != nil {
			s.tube.show(s.spare)
		}
		if err := s.wait(ctx, pause); err != nil {
			return err
		}
		connected, _ = s.hub.Screen(ctx, s.hello)
	}
}

// wait passes the time until the next try; keys still end it.
func (s *simulator) wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-timer.C:
			return nil
		case b := <-s.keys:
			if quits(b) {
				return errQuit
			}
		}
	}
}

// live shows what comes and tells what is pressed, as long as the connection lasts.
func (s *simulator) live(ctx context.Context, screen *client.Screen) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	news := make(chan screenNews)
	go listen(ctx, screen, news)
	resize := time.NewTicker(time.Second)
	defer resize.Stop()
	var ripe <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case n := <-news:
			if err := s.take(n); err != nil {
				return err
			}
		case b := <-s.keys:
			if quits(b) {
				return errQuit
			}
			down, err := s.typed(ctx, screen, b)
			if err != nil {
				return err
			}
			if down {
				ripe = time.After(s.hold)
			}
		case <-ripe:
			held := *s.held
			s.held, ripe = nil, nil
			if err := screen.Press(ctx, held.button, "hold", held.frame); err != nil {
				return err
			}
		case <-resize.C:
			if s.frame > 0 {
				s.tube.show(s.screen)
			}
		}
	}
}

func listen(ctx context.Context, screen *client.Screen, news chan<- screenNews) {
	for {
		part, word, err := screen.Next(ctx)
		select {
		case news <- screenNews{part, word, err}:
		case <-ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

func (s *simulator) take(n screenNews) error {
	switch {
	case n.err != nil:
		return n.err
	case n.word != nil && n.word.Type == "beep":
		s.tube.beep()
	case n.word != nil && n.word.HoldMS > 0:
		s.hold = time.Duration(n.word.HoldMS) * time.Millisecond
	case n.part != nil:
		return s.paint(n.part)
	}
	return nil
}

// paint puts a rectangle where it belongs; the terminal is drawn when the frame
// is complete.
func (s *simulator) paint(part *client.ScreenPart) error {
	onto := s.screen
	if part.Spare {
		s.spare = image.NewRGBA(s.screen.Rect)
		onto = s.spare
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
		s.tube.show(s.screen)
	}
	return nil
}

// typed presses buttons: small letters click, capital ones hold. It reports
// whether one is being held now.
func (s *simulator) typed(ctx context.Context, screen *client.Screen, keys []byte) (down bool, err error) {
	if len(keys) > 0 && keys[0] == 0x1b {
		return false, nil // an arrow, or a late answer of the terminal: its letters are no keys
	}
	for _, k := range keys {
		switch {
		case s.held != nil || s.frame == 0: // one finger
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

// quits: q, Ctrl+C, Ctrl+D or Escape alone.
func quits(keys []byte) bool {
	return bytes.ContainsAny(keys, "q\x03\x04") || string(keys) == "\x1b"
}
