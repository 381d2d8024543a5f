package run

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"slices"
	"sync"
	"time"

	"nod/internal/sys/pause"
)

// server gives the hub the keyboard and the screen of one program.
type server struct {
	keyboard   *keyboard
	monitor    *monitor
	isAllowed  func(*net.UnixConn) bool // may this process type here?
	checkReady func(pid int) error      // can this process be typed to?
	program    func() Program

	mu        sync.Mutex // one paste at a time
	pastedIDs []string   // of the latest messages
}

const (
	// maxConnections at once; the hub needs two.
	maxConnections = 16
	// maxPastedIDs is far more than are ever underway.
	maxPastedIDs = 256
)

// serve answers until the listener is closed. Every goroutine it starts defers guard.
func (s *server) serve(ctx context.Context, l *net.UnixListener, guard func()) {
	slots := make(chan struct{}, maxConnections)
	for {
		conn, err := l.AcceptUnix()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // such as too many open files
			if !pause.For(ctx, 100*time.Millisecond) {
				return
			}
			continue
		}
		select {
		case slots <- struct{}{}:
			go func() {
				defer guard()
				defer func() { <-slots }()
				s.handle(ctx, conn)
			}()
		default:
			_ = conn.Close()
		}
	}
}

// handle answers one connection, request by request.
func (s *server) handle(ctx context.Context, conn *net.UnixConn) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	defer conn.Close()
	out := json.NewEncoder(conn)
	if !s.isAllowed(conn) {
		_ = out.Encode(reply{Error: Stranger})
		// Unread input would turn the answer into a connection reset.
		_ = conn.CloseWrite()
		_ = conn.SetReadDeadline(time.Now().Add(time.Second))
		_, _ = io.Copy(io.Discard, io.LimitReader(conn, maxLine))
		return
	}
	in := bufio.NewScanner(conn)
	in.Buffer(nil, maxLine)
	for in.Scan() {
		var r request
		if json.Unmarshal(in.Bytes(), &r) != nil {
			_ = out.Encode(reply{Error: Garbled})
			return
		}
		if r.Type == typeFollow {
			s.follow(ctx, cancel, in, out)
			return
		}
		if out.Encode(s.answer(ctx, r)) != nil {
			return
		}
	}
}

func (s *server) answer(ctx context.Context, r request) (a reply) {
	if r.Until > 0 {
		var cancel func()
		ctx, cancel = context.WithDeadline(ctx, time.UnixMilli(r.Until))
		defer cancel()
	}
	if ctx.Err() != nil { // the sender has given up
		return reply{Error: Late}
	}
	var err error
	switch r.Type {
	case typeText:
		a.Typed, a.Again, err = s.pasteText(ctx, r)
	case typeKey:
		a.Typed, err = s.sendKeys(ctx, r)
	case typeLine:
		a.Typed, err = s.typeLine(ctx, r)
	case typeScreen:
		a.Typed = s.keyboard.typed()
		a.Screen, err = s.readScreen(r)
	case typeStatus:
		a.Typed = s.keyboard.typed()
		now, _ := s.monitor.currentStatus()
		a.Status = &now
	case typeProgram:
		p := s.program()
		a.Program = &p
	default:
		err = Garbled
	}
	if a.OK = err == nil; !a.OK && !errors.As(err, &a.Error) {
		a.Error = Ended
	}
	return a
}

// pasteText pastes a message, once for each id.
func (s *server) pasteText(ctx context.Context, r request) (typed uint64, again bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.ID != "" && slices.Contains(s.pastedIDs, r.ID) {
		return s.keyboard.typed(), true, nil
	}
	text, ok := encodePaste(r.Text)
	if !ok {
		return 0, false, Garbled
	}
	if err := s.checkReady(r.PID); err != nil {
		return 0, false, err
	}
	if pastes, _ := s.monitor.inputModes(); !pastes {
		return 0, false, NoPaste
	}
	typed, err = s.keyboard.inject(ctx, injection{text: text, ifTyped: r.Typed, quiet: quietTime, closing: pasteEnd})
	// A message that was typed in part is not typed again either.
	if r.ID != "" && (err == nil || errors.Is(err, Stuck)) {
		if s.pastedIDs = append(s.pastedIDs, r.ID); len(s.pastedIDs) > maxPastedIDs {
			s.pastedIDs = s.pastedIDs[1:]
		}
	}
	return typed, false, err
}

func (s *server) readScreen(r request) (*Screen, error) {
	if r.PID != 0 {
		if err := s.checkReady(r.PID); err != nil {
			return nil, err
		}
	}
	screen, ok := s.monitor.snapshot()
	if !ok {
		return nil, Blind
	}
	return &screen, nil
}

func (s *server) sendKeys(ctx context.Context, r request) (typed uint64, err error) {
	names := r.Keys
	if r.Key != "" {
		names = []string{r.Key}
	}
	_, arrows := s.monitor.inputModes()
	text, ok := encodeKeys(names, arrows)
	if !ok {
		return 0, Garbled
	}
	if err := s.checkReady(r.PID); err != nil {
		return 0, err
	}
	in := injection{text: text, ifTyped: r.Typed, quiet: quietTime}
	if text[len(text)-1] == keys["escape"][0] {
		in.pauseAfter = escapeGap
	}
	return s.keyboard.inject(ctx, in)
}

func (s *server) typeLine(ctx context.Context, r request) (typed uint64, err error) {
	if !isPlain(r.Text, "") {
		return 0, Garbled
	}
	if err := s.checkReady(r.PID); err != nil {
		return 0, err
	}
	return s.keyboard.inject(ctx, injection{text: r.Text, ifTyped: r.Typed, quiet: quietTime})
}

// follow sends the status now and after every change, until the client hangs up.
func (s *server) follow(ctx context.Context, stop func(), in *bufio.Scanner, out *json.Encoder) {
	go func() {
		defer stop()
		for in.Scan() { // only the end is expected
		}
	}()
	for {
		now, changed := s.monitor.currentStatus()
		if out.Encode(reply{OK: true, Status: &now}) != nil {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}
