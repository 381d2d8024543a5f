package run

import (
	"context"
	"errors"
	"os"
	"time"

	"nod/internal/sys/pause"
)

const (
	// quiet is how long the person must not have typed before nod types.
	quiet = 300 * time.Millisecond
	// patience is how long nod waits for that.
	patience = 5 * time.Second
	// abandoned is after how long a paste of the person without an end counts as over.
	abandoned = 3 * time.Second
	// unread is how long a program may leave what nod types unread.
	unread = 10 * time.Second
	// apart keeps what the person types next from being read as one key with an Escape.
	apart = 50 * time.Millisecond
)

// paper is where a keyboard writes. Not every system's terminals have deadlines.
type paper interface {
	Write([]byte) (int, error)
	SetWriteDeadline(time.Time) error
}

// keyboard is the one way into the program. Whoever has the turn writes alone;
// nod takes it only while the person is quiet.
type keyboard struct {
	to   paper
	turn chan struct{} // full: someone writes; guards what is below

	person typist
	last   time.Time // when the person last typed
	count  uint64    // grows with what the person types
	debt   []byte    // what must come first because a write of nod's broke off
}

func newKeyboard(to paper) *keyboard {
	return &keyboard{to: to, turn: make(chan struct{}, 1), person: newTypist()}
}

// byPerson passes on what the person types.
func (k *keyboard) byPerson(b []byte) error {
	k.turn <- struct{}{}
	defer func() { <-k.turn }()
	typed := k.person.read(b)
	if k.last = time.Now(); typed {
		k.count++
	}
	if err := k.settle(); err != nil {
		return err
	}
	_, err := k.to.Write(b)
	return err
}

// settle ends what nod could not: the person's keys must not land in a paste.
func (k *keyboard) settle() error {
	if len(k.debt) == 0 {
		return nil
	}
	_ = k.to.SetWriteDeadline(time.Time{})
	_, err := k.to.Write(k.debt)
	k.debt = nil
	return err
}

// reply answers a query of the program as its terminal would: at once, but not
// inside of a key or a paste of the person. It never waits, because whoever
// calls it is the one that the program's output goes through.
func (k *keyboard) reply(text string) bool {
	select {
	case k.turn <- struct{}{}:
	default:
		return false
	}
	defer func() { <-k.turn }()
	if k.person.amid() || len(k.debt) > 0 {
		return false
	}
	_ = k.to.SetWriteDeadline(time.Now().Add(apart))
	_, err := k.to.Write([]byte(text))
	_ = k.to.SetWriteDeadline(time.Time{})
	return err == nil
}

// stroke is something that nod types.
type stroke struct {
	text  string
	after *uint64       // only if the person has not typed since
	quiet time.Duration // how long the person must have been quiet
	rest  time.Duration // how long nobody else types afterwards
	close string        // what repairs a text that broke off
}

// byNod types in one piece, once the person is quiet.
func (k *keyboard) byNod(ctx context.Context, s stroke) (count uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		select {
		case k.turn <- struct{}{}:
		case <-ctx.Done():
			return 0, Typing
		}
		wait := k.noise(s.quiet)
		switch {
		case s.after != nil && *s.after != k.count:
			count, err = k.count, Typed
		case wait <= 0:
			count, err = k.count, k.write(s)
		}
		<-k.turn
		if wait <= 0 || err != nil {
			return count, err
		}
		if !pause.For(ctx, wait) {
			return count, Typing
		}
	}
}

// noise is how long it will take at least until the person has been quiet.
func (k *keyboard) noise(quiet time.Duration) time.Duration {
	if k.last.IsZero() {
		return 0
	}
	since := time.Since(k.last)
	if k.person.pasting && since < abandoned {
		return min(abandoned-since, 50*time.Millisecond) // it may end at any time
	}
	return quiet - since
}

func (k *keyboard) write(s stroke) error {
	if err := k.settle(); err != nil {
		return Ended
	}
	_ = k.to.SetWriteDeadline(time.Now().Add(unread)) // without deadlines it waits as long as it takes
	n, err := k.to.Write([]byte(s.text))
	_ = k.to.SetWriteDeadline(time.Time{})
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		if n > 0 {
			k.debt = []byte(s.close)
		}
		return Stuck
	case err != nil:
		return Ended
	}
	if s.rest > 0 {
		time.Sleep(s.rest)
	}
	return nil
}

// typed is how often the person has typed.
func (k *keyboard) typed() uint64 {
	k.turn <- struct{}{}
	defer func() { <-k.turn }()
	return k.count
}
