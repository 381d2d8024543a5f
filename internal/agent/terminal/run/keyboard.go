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
	// pasteTimeout is when a paste of the person counts as over without its end.
	pasteTimeout = 3 * time.Second
	// writeTimeout is how long a program may not read what nod types.
	writeTimeout = 10 * time.Second
	// escapeGap keeps an Escape and the person's next key from being read as one.
	escapeGap = 50 * time.Millisecond
)

// inputWriter is the program's input. On some systems terminals have no deadlines.
type inputWriter interface {
	Write([]byte) (int, error)
	SetWriteDeadline(time.Time) error
}

// keyboard is the only way into the program. Who holds the lock writes alone; nod
// takes it only while the person does not type.
type keyboard struct {
	to   inputWriter
	lock chan struct{} // full: locked; guards what follows

	detector   *typingDetector
	lastInput  time.Time // from the person's terminal
	typedCount uint64    // grows with what the person types
	unfinished []byte    // what ends a paste of nod that broke off
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

// finishPaste ends a paste of nod that broke off, so that the person's keys do not land
// in it.
func (k *keyboard) finishPaste() error {
	if len(k.unfinished) == 0 {
		return nil
	}
	_ = k.to.SetWriteDeadline(time.Time{})
	_, err := k.to.Write(k.unfinished)
	k.unfinished = nil
	return err
}

// tryReply answers a query of the program as its terminal would: at once, but not in
// the middle of a key or a paste. It never waits, because its caller copies the
// program's output.
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

// injection is input from nod.
type injection struct {
	text       string
	ifTyped    *uint64       // only while the person has typed so much and no more
	quiet      time.Duration // how long the person must have been quiet
	pauseAfter time.Duration // before anything else is typed
	closing    string        // ends a text that broke off
}

// inject types in one piece, once the person is quiet. count is how much the person had
// typed then.
func (k *keyboard) inject(ctx context.Context, in injection) (count uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, quietTimeout)
	defer cancel()
	for {
		select {
		case k.lock <- struct{}{}:
		case <-ctx.Done():
			return 0, Typing
		}
		wait := k.untilQuiet(in.quiet)
		switch {
		case in.ifTyped != nil && *in.ifTyped != k.typedCount:
			count, err = k.typedCount, Typed
		case wait <= 0:
			count, err = k.typedCount, k.write(in)
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

// untilQuiet is how long it takes at least until the person has been quiet.
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

func (k *keyboard) write(in injection) error {
	if err := k.finishPaste(); err != nil {
		return Ended
	}
	_ = k.to.SetWriteDeadline(time.Now().Add(writeTimeout)) // without deadlines it waits as long as it takes
	n, err := k.to.Write([]byte(in.text))
	_ = k.to.SetWriteDeadline(time.Time{})
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		if n > 0 {
			k.unfinished = []byte(in.closing)
		}
		return Stuck
	case err != nil:
		return Ended
	}
	if in.pauseAfter > 0 {
		time.Sleep(in.pauseAfter)
	}
	return nil
}

// typed counts what the person has typed.
func (k *keyboard) typed() uint64 {
	k.lock <- struct{}{}
	defer func() { <-k.lock }()
	return k.typedCount
}
