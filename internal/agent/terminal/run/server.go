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

// server is what the hub reaches: the keyboard and the screen of one program.
type server struct {
	keyboard   *keyboard
	monitor    *monitor
	isAllowed  func(*net.UnixConn) bool // may this process type here?
	checkReady func(pid int) error      // can this process be typed to?
	program    func() Program

	mu        sync.Mutex // one text after the other
	pastedIDs []string   // the ids of the latest texts
}

const (
	// maxConnections is how many may be connected at once: the hub needs two.
	maxConnections = 16
	// maxPastedIDs is how many ids are known: far more than are ever under way.
	maxPastedIDs = 256
)

// serve answers until the listener is closed. guard is deferred in everything
// that it starts.
func (s *server) serve(ctx context.Context, l *net.UnixListener, guard func()) {
	seats := make(chan struct{}, maxConnections)
	for {
		conn, err := l.AcceptUnix()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // out of files: there will be some again
			if !pause.For(ctx, 100*time.Millisecond) {
				return
			}
			continue
		}
		select {
		case seats <- struct{}{}:
			go func() {
				defer guard()
				defer func() { <-seats }()
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
		// What it has written already must not turn the answer into a reset.
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
	if ctx.Err() != nil { // its sender has given it up
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
		who := s.program()
		a.Program = &who
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
	// What may have been typed in part is not typed again either.
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
	look, ok := s.monitor.snapshot()
	if !ok {
		return nil, Blind
	}
	return &look, nil
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
	st := injection{text: text, ifTyped: r.Typed, quiet: quietTime}
	if text[len(text)-1] == keys["escape"][0] {
		st.pauseAfter = escapeGap
	}
	return s.keyboard.inject(ctx, st)
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

// follow tells the status now and after every change, until the other side has
// enough.
func (s *server) follow(ctx context.Context, stop func(), in *bufio.Scanner, out *json.Encoder) {
	go func() {
		defer stop()
		for in.Scan() { // nothing more is expected but the end
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
