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

// service is what the hub reaches: the keyboard and the screen of one program.
type service struct {
	keyboard *keyboard
	tap      *tap
	admit    func(*net.UnixConn) bool // may this process type here?
	ready    func(pid int) error      // can this process be typed to?
	who      func() Who

	mu   sync.Mutex // one text after the other
	done []string   // the ids of the latest texts
}

const (
	// crowd is how many may be connected at once: the hub needs two.
	crowd = 16
	// remembered is how many ids are known: far more than are ever under way.
	remembered = 256
)

// serve answers until the listener is closed. guard is deferred in everything
// that it starts.
func (s *service) serve(ctx context.Context, l *net.UnixListener, guard func()) {
	seats := make(chan struct{}, crowd)
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
				s.talk(ctx, conn)
			}()
		default:
			_ = conn.Close()
		}
	}
}

// talk answers one connection, request by request.
func (s *service) talk(ctx context.Context, conn *net.UnixConn) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	defer conn.Close()
	out := json.NewEncoder(conn)
	if !s.admit(conn) {
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

func (s *service) answer(ctx context.Context, r request) (a reply) {
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
		a.Typed, a.Again, err = s.text(ctx, r)
	case typeKey:
		a.Typed, err = s.key(ctx, r)
	case typeLine:
		a.Typed, err = s.line(ctx, r)
	case typeScreen:
		a.Typed = s.keyboard.typed()
		a.Screen, err = s.screen(r)
	case typeStatus:
		a.Typed = s.keyboard.typed()
		now, _ := s.tap.hear()
		a.Status = &now
	case typeWho:
		who := s.who()
		a.Who = &who
	default:
		err = Garbled
	}
	if a.OK = err == nil; !a.OK && !errors.As(err, &a.Error) {
		a.Error = Ended
	}
	return a
}

// text pastes a message, once for each id.
func (s *service) text(ctx context.Context, r request) (typed uint64, again bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.ID != "" && slices.Contains(s.done, r.ID) {
		return s.keyboard.typed(), true, nil
	}
	text, ok := paste(r.Text)
	if !ok {
		return 0, false, Garbled
	}
	if err := s.ready(r.PID); err != nil {
		return 0, false, err
	}
	if pastes, _ := s.tap.keys(); !pastes {
		return 0, false, NoPaste
	}
	typed, err = s.keyboard.byNod(ctx, stroke{text: text, after: r.Typed, quiet: quiet, close: pasteEnd})
	// What may have been typed in part is not typed again either.
	if r.ID != "" && (err == nil || errors.Is(err, Stuck)) {
		if s.done = append(s.done, r.ID); len(s.done) > remembered {
			s.done = s.done[1:]
		}
	}
	return typed, false, err
}

func (s *service) screen(r request) (*Screen, error) {
	if r.PID != 0 {
		if err := s.ready(r.PID); err != nil {
			return nil, err
		}
	}
	look, ok := s.tap.look()
	if !ok {
		return nil, Blind
	}
	return &look, nil
}

func (s *service) key(ctx context.Context, r request) (typed uint64, err error) {
	names := r.Keys
	if r.Key != "" {
		names = []string{r.Key}
	}
	_, arrows := s.tap.keys()
	text, ok := press(names, arrows)
	if !ok {
		return 0, Garbled
	}
	if err := s.ready(r.PID); err != nil {
		return 0, err
	}
	st := stroke{text: text, after: r.Typed, quiet: quiet}
	if text[len(text)-1] == keys["escape"][0] {
		st.rest = apart
	}
	return s.keyboard.byNod(ctx, st)
}

func (s *service) line(ctx context.Context, r request) (typed uint64, err error) {
	if !plain(r.Text, "") {
		return 0, Garbled
	}
	if err := s.ready(r.PID); err != nil {
		return 0, err
	}
	return s.keyboard.byNod(ctx, stroke{text: r.Text, after: r.Typed, quiet: quiet})
}

// follow tells the status now and after every change, until the other side has
// enough.
func (s *service) follow(ctx context.Context, stop func(), in *bufio.Scanner, out *json.Encoder) {
	go func() {
		defer stop()
		for in.Scan() { // nothing more is expected but the end
		}
	}()
	for {
		now, changed := s.tap.hear()
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
