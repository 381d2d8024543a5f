package run

import (
	"context"
	"errors"
	"os"
	"time"

	"nod/internal/sys/pause"
)

const (
	// quietTime is how long the person must not have typed before nod types.
	quietTime = 300 * time.Millisecond
	// quietTimeout is how long nod waits for that.
	quietTimeout = 5 * time.Second
	// pasteTimeout is after how long a paste of the person without an end counts as over.
	pasteTimeout = 3 * time.Second
	// writeTimeout is how long a program may leave what nod types unread.
	writeTimeout = 10 * time.Second
	// escapeGap keeps what the person types next from being read as one key with an Escape.
	escapeGap = 50 * time.Millisecond
)

// inputWriter is where a keyboard writes. Not every system's terminals have deadlines.
type inputWriter interface {
	Write([]byte) (int, error)
	SetWriteDeadline(time.Time) error
}

// keyboard is the one way into the program. Whoever has the turn writes alone;
// nod takes it only while the person is quiet.
type keyboard struct {
	to   inputWriter
	lock chan struct{} // full: someone writes; guards what is below

	detector   typingDetector
	lastInput  time.Time // when the person last typed
	typedCount uint64    // grows with what the person types
	unfinished []byte    // what must come first because a write of nod's broke off
}

func newKeyboard(to inputWriter) *keyboard {
	return &keyboard{to: to, lock: make(chan struct{}, 1), detector: newTypingDetector()}
}

// forward passes on what the person types.
func (k *keyboard) forward(b []byte) error {
	k.lock <- struct{}{}
	defer func() { <-k.lock }()
	typed := k.detector.read(b)
	if k.lastInput = time.Now(); typed {
		k.typedCount++
	}
	if err := k.finishPaste(); err != nil {
		return err
	}
	_, err := k.to.Write(b)
	return err
}

// finishPaste ends what nod could not: the person's keys must not land in a paste.
func (k *keyboard) finishPaste() error {
	if len(k.unfinished) == 0 {
		return nil
	}
	_ = k.to.SetWriteDeadline(time.Time{})
	_, err := k.to.Write(k.unfinished)
	k.unfinished = nil
	return err
}

// tryReply answers a query of the program as its terminal would: at once, but not
// inside of a key or a paste of the person. It never waits, because whoever
// calls it is the one that the program's output goes through.
func (k *keyboard) tryReply(text string) bool {
	select {
	case k.lock <- struct{}{}:
	default:
		return false
	}
	defer func() { <-k.lock }()
	if k.detector.midSequence() || len(k.unfinished) > 0 {
		return false
	}
	_ = k.to.SetWriteDeadline(time.Now().Add(escapeGap))
	_, err := k.to.Write([]byte(text))
	_ = k.to.SetWriteDeadline(time.Time{})
	return err == nil
}

// injection is something that nod types.
type injection struct {
	text       string
	ifTyped    *uint64       // only if the person has not typed since
	quiet      time.Duration // how long the person must have been quiet
	pauseAfter time.Duration // how long nobody else types afterwards
	closing    string        // what repairs a text that broke off
}

// inject types in one piece, once the person is quiet.
func (k *keyboard) inject(ctx context.Context, s injection) (count uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, quietTimeout)
	defer cancel()
	for {
		select {
		case k.lock <- struct{}{}:
		case <-ctx.Done():
			return 0, Typing
		}
		wait := k.untilQuiet(s.quiet)
		switch {
		case s.ifTyped != nil && *s.ifTyped != k.typedCount:
			count, err = k.typedCount, Typed
		case wait <= 0:
			count, err = k.typedCount, k.write(s)
		}
		<-k.lock
		if wait <= 0 || err != nil {
			return count, err
		}
		if !pause.For(ctx, wait) {
			return count, Typing
		}
	}
}

// untilQuiet is how long it will take at least until the person has been quiet.
func (k *keyboard) untilQuiet(quiet time.Duration) time.Duration {
	if k.lastInput.IsZero() {
		return 0
	}
	since := time.Since(k.lastInput)
	if k.detector.pasting && since < pasteTimeout {
		return min(pasteTimeout-since, 50*time.Millisecond) // it may end at any time
	}
	return quiet - since
}

func (k *keyboard) write(s injection) error {
	if err := k.finishPaste(); err != nil {
		return Ended
	}
	_ = k.to.SetWriteDeadline(time.Now().Add(writeTimeout)) // without deadlines it waits as long as it takes
	n, err := k.to.Write([]byte(s.text))
	_ = k.to.SetWriteDeadline(time.Time{})
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		if n > 0 {
			k.unfinished = []byte(s.closing)
		}
		return Stuck
	case err != nil:
		return Ended
	}
	if s.pauseAfter > 0 {
		time.Sleep(s.pauseAfter)
	}
	return nil
}

// typed is how often the person has typed.
func (k *keyboard) typed() uint64 {
	k.lock <- struct{}{}
	defer func() { <-k.lock }()
	return k.typedCount
}
