package stdio

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Command is how a program is started. Its environment is exactly Env.
type Command struct {
	Program string
	Args    []string
	Env     []string
	Dir     string
}

// Session is one running program.
type Session struct {
	cmd      *exec.Cmd
	write    chan line
	messages chan Message
	gone     chan struct{} // closed when the program has ended and was waited for
	stop     sync.Once
	stopped  chan struct{} // closed by Stop
	stderr   tail

	mu      sync.Mutex
	waiting map[string]chan Message // by the id of our control request
	exit    error
}

// line is something to write, and where to send the result.
type line struct {
	text []byte
	done chan error
}

// ErrGone is returned when the program has ended.
var ErrGone = errors.New("the program has ended")

// Start starts a program in a process group of its own, so that all it starts can
// be ended with it.
func Start(c Command) (*Session, error) {
	s := &Session{
		cmd: exec.Command(c.Program, c.Args...), write: make(chan line), messages: make(chan Message, 64),
		gone: make(chan struct{}), stopped: make(chan struct{}), waiting: map[string]chan Message{},
	}
	s.cmd.Env, s.cmd.Dir, s.cmd.Stderr = c.Env, c.Dir, &s.stderr
	// Children of the program may hold its output open after its end.
	s.cmd.WaitDelay = 5 * time.Second
	ownGroup(s.cmd)
	stdin, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, lines := io.Pipe()
	s.cmd.Stdout = lines
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go s.feed(stdin)
	go s.read(out)
	go func() {
		err := s.cmd.Wait()
		sweepGroup(s.cmd.Process.Pid)
		_ = lines.Close()
		s.mu.Lock()
		s.exit = err
		s.mu.Unlock()
		close(s.gone)
	}()
	return s, nil
}

// PID is the program's process id, and that of its group.
func (s *Session) PID() int { return s.cmd.Process.Pid }

// Messages are those of the program, without the answers to our own requests.
// The channel is closed at its end.
func (s *Session) Messages() <-chan Message { return s.messages }

// Gone is closed when the program has ended.
func (s *Session) Gone() <-chan struct{} { return s.gone }

// Last is the last that the program wrote beside the protocol, and how it ended.
func (s *Session) Last() (words string, exit error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stderr.String(), s.exit
}

// feed is the only goroutine that writes. Callers wait for it without holding a lock.
func (s *Session) feed(stdin io.WriteCloser) {
	defer stdin.Close()
	for {
		select {
		case l := <-s.write:
			_, err := stdin.Write(l.text)
			l.done <- err
		case <-s.gone:
			return
		}
	}
}

func (s *Session) read(out io.Reader) {
	defer close(s.messages)
	lines := newReader(out)
	for {
		m, err := lines.next()
		if err != nil {
			return
		}
		if m.Type == TypeAnswer {
			s.answered(m)
			continue
		}
		select {
		case s.messages <- m:
		case <-s.stopped: // messages are not read any more
		}
	}
}

func (s *Session) answered(m Message) {
	if m.Response == nil {
		return
	}
	s.mu.Lock()
	waiter := s.waiting[m.Response.RequestID]
	delete(s.waiting, m.Response.RequestID)
	s.mu.Unlock()
	if waiter != nil {
		waiter <- m // it is buffered
	}
}

// Send writes one message and returns when the program has it in its input.
func (s *Session) Send(ctx context.Context, v any) error {
	text, err := encode(v)
	if err != nil {
		return err
	}
	l := line{text, make(chan error, 1)}
	for write := s.write; ; {
		select {
		case write <- l:
			write = nil
		case err := <-l.done:
			return err
		case <-s.gone:
			return ErrGone
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Control asks the program something and waits for its answer.
func (s *Session) Control(ctx context.Context, subtype string, fields map[string]any) (json.RawMessage, error) {
	id, answer := rand.Text(), make(chan Message, 1)
	s.mu.Lock()
	s.waiting[id] = answer
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.waiting, id)
	}()
	request := map[string]any{"subtype": subtype}
	for name, value := range fields {
		request[name] = value
	}
	if err := s.Send(ctx, map[string]any{"type": TypeControl, "request_id": id, "request": request}); err != nil {
		return nil, err
	}
	select {
	case m := <-answer:
		if m.Response.Subtype != "success" {
			return nil, fmt.Errorf("%s was refused: %s", subtype, m.Response.Error)
		}
		return m.Response.Response, nil
	case <-s.gone:
		return nil, ErrGone
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Initialize comes before everything else.
func (s *Session) Initialize(ctx context.Context) error {
	_, err := s.Control(ctx, "initialize", nil)
	return err
}

// Interrupt ends the turn that runs. Its result comes as a message of its own.
func (s *Session) Interrupt(ctx context.Context) error {
	_, err := s.Control(ctx, "interrupt", nil)
	return err
}

// Say gives the program a person's words, exactly as they are: a slash or an at
// sign at the beginning means nothing. Further words are not the person's.
func (s *Session) Say(ctx context.Context, uuid, words string, further ...string) error {
	var content any = words
	if further = notEmpty(further); len(further) > 0 {
		blocks := []map[string]string{{"type": "text", "text": words}}
		for _, text := range further {
			blocks = append(blocks, map[string]string{"type": "text", "text": text})
		}
		content = blocks
	}
	return s.Send(ctx, map[string]any{
		"type": TypeUser, "message": map[string]any{"role": "user", "content": content},
		"parent_tool_use_id": nil, "session_id": "", "uuid": uuid,
		"origin": map[string]any{"kind": "human"}, "client_composed": true,
	})
}

func notEmpty(texts []string) []string {
	var some []string
	for _, text := range texts {
		if strings.TrimSpace(text) != "" {
			some = append(some, text)
		}
	}
	return some
}

// Answer answers a request of the program's.
func (s *Session) Answer(ctx context.Context, requestID string, response any) error {
	return s.Send(ctx, map[string]any{"type": TypeAnswer, "response": map[string]any{
		"subtype": "success", "request_id": requestID, "response": response,
	}})
}

// Refuse says that a request cannot be answered here.
func (s *Session) Refuse(ctx context.Context, requestID, why string) error {
	return s.Send(ctx, map[string]any{"type": TypeAnswer, "response": map[string]any{
		"subtype": "error", "request_id": requestID, "error": why,
	}})
}

// Stop ends the program with everything in its group, and returns when it is gone. It
// asks first, and kills after grace.
func (s *Session) Stop(grace time.Duration) {
	s.stop.Do(func() { close(s.stopped) })
	select {
	case <-s.gone:
		return // its process id may belong to another process by now
	default:
	}
	termGroup(s.PID())
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-s.gone:
	case <-timer.C:
		KillGroup(s.PID())
		<-s.gone
	}
}
