package run

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net"
	"time"
	"unicode/utf8"

	"nod"
)

// Terminal is the hub's end: the terminal of one program under `nod run`. One hand
// at a time: whoever pastes, looks and presses Enter holds a lock over all of it.
type Terminal struct {
	socket string
	pid    int
	typed  *uint64 // how much the person had typed when the last text went in
}

// Dial names a terminal. Nothing is opened before it is needed: a program can
// end and a hub can restart at any time.
func Dial(socket string) *Terminal { return &Terminal{socket: socket} }

// ForProcess is the same terminal, but only while the process pid reads its keyboard:
// not while it is suspended, nor while another program is in front of it.
func (p *Terminal) ForProcess(pid int) *Terminal { return &Terminal{socket: p.socket, pid: pid} }

// Paste puts a text into the program's input, without sending it off.
func (p *Terminal) Paste(ctx context.Context, text string) error { return p.PasteOnce(ctx, "", text) }

// PasteOnce is Paste for a message with an id: what is pasted again with it is
// not typed again, so a hub that was cut off can just ask again.
func (p *Terminal) PasteOnce(ctx context.Context, id, text string) error {
	if !utf8.ValidString(text) { // JSON would change it silently
		return Garbled.asError()
	}
	a, err := p.call(ctx, request{Type: typeText, ID: id, Text: text, PID: p.pid})
	if err != nil {
		return err
	}
	p.typed = &a.Typed
	return nil
}

// SendKeys presses several keys in one go. It knows the names of tmux too: Enter,
// C-u, BTab.
func (p *Terminal) SendKeys(ctx context.Context, names ...string) error {
	return p.sendKeys(ctx, time.Time{}, names)
}

// SendKeysWithin is Press for a key that means something else a moment later: if the
// person is typing it is not pressed when they are done, but refused.
func (p *Terminal) SendKeysWithin(ctx context.Context, limit time.Duration, names ...string) error {
	return p.sendKeys(ctx, time.Now().Add(limit), names)
}

func (p *Terminal) sendKeys(ctx context.Context, until time.Time, names []string) error {
	r := request{Type: typeKey, Keys: names, PID: p.pid}
	if !until.IsZero() {
		r.Until = until.UnixMilli()
	}
	if len(names) == 1 && keyName(names[0]) == "enter" {
		r.Typed, p.typed = p.typed, nil
	}
	_, err := p.call(ctx, r)
	return err
}

// Type puts one line in key by key, for fields that take no paste.
func (p *Terminal) Type(ctx context.Context, line string) error {
	if !utf8.ValidString(line) {
		return Garbled.asError()
	}
	_, err := p.call(ctx, request{Type: typeLine, Text: line, PID: p.pid})
	return err
}

// Screen is the screen as plain text too, with its size and its cursor. With For it
// is refused like a key: what another program shows is not what was asked for.
func (p *Terminal) Screen(ctx context.Context) (Screen, error) {
	a, err := p.call(ctx, request{Type: typeScreen, PID: p.pid})
	if err != nil || a.Screen == nil {
		return Screen{}, err
	}
	return *a.Screen, nil
}

// Status is what the program says about itself. Its State is empty if it never
// has.
func (p *Terminal) Status(ctx context.Context) (Status, error) {
	a, err := p.call(ctx, request{Type: typeStatus})
	if err != nil || a.Status == nil {
		return Status{}, err
	}
	return *a.Status, nil
}

// Program is the program that runs there.
func (p *Terminal) Program(ctx context.Context) (Program, error) {
	a, err := p.call(ctx, request{Type: typeProgram})
	if err != nil || a.Program == nil {
		return Program{}, err
	}
	return *a.Program, nil
}

// Follow tells the status now and whenever it changes, until ctx ends (its
// error) or the program does (Ended).
func (p *Terminal) Follow(ctx context.Context, tell func(Status)) error {
	conn, done, err := p.dial(ctx)
	if err != nil {
		return err
	}
	defer done()
	if err := json.NewEncoder(conn).Encode(request{Type: typeFollow}); err != nil {
		return Ended.asError()
	}
	for in := scanLines(conn); ; {
		a, err := readReply(ctx, in)
		if err != nil {
			return err
		}
		if a.Status != nil {
			tell(*a.Status)
		}
	}
}

// callTimeout is how long a request may take: the person may be typing, and then the
// program may not read.
const callTimeout = quietTimeout + writeTimeout + 5*time.Second

func (p *Terminal) call(ctx context.Context, r request) (reply, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	conn, done, err := p.dial(ctx)
	if err != nil {
		return reply{}, err
	}
	defer done()
	if deadline, ok := ctx.Deadline(); ok && r.Until == 0 {
		r.Until = deadline.UnixMilli()
	}
	if err := json.NewEncoder(conn).Encode(r); err != nil && ctx.Err() != nil {
		return reply{}, ctx.Err()
	} // otherwise: whoever hung up has said why
	return readReply(ctx, scanLines(conn))
}

func (p *Terminal) dial(ctx context.Context) (conn net.Conn, done func(), err error) {
	var d net.Dialer
	if conn, err = d.DialContext(ctx, "unix", p.socket); err != nil {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		return nil, nil, nod.Errorf(nod.Unreachable, "%s", Ended.Error()).Because(errors.Join(Ended, err))
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	return conn, func() { stop(); _ = conn.Close() }, nil
}

func scanLines(conn net.Conn) *bufio.Scanner {
	in := bufio.NewScanner(conn)
	in.Buffer(nil, maxLine)
	return in
}

func readReply(ctx context.Context, in *bufio.Scanner) (reply, error) {
	if !in.Scan() {
		if ctx.Err() != nil {
			return reply{}, ctx.Err()
		}
		return reply{}, Ended.asError()
	}
	var a reply
	if json.Unmarshal(in.Bytes(), &a) != nil {
		return reply{}, Garbled.asError()
	}
	if !a.OK {
		return a, a.Error.asError()
	}
	return a, nil
}
