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

// Terminal is a client of `nod run`: the terminal of one program. The caller must hold a
// lock from a paste to its Enter.
type Terminal struct {
	socket string
	pid    int
	typed  *uint64 // the count of the person's typing at the last paste
}

// Dial names a terminal. Each call makes a connection, because programs end and hubs restart
// at any time.
func Dial(socket string) *Terminal { return &Terminal{socket: socket} }

// ForProcess is the same terminal, but only while pid reads its keyboard: not while it is
// suspended, nor while another program is in the foreground.
func (t *Terminal) ForProcess(pid int) *Terminal { return &Terminal{socket: t.socket, pid: pid} }

// Paste puts a text into the program's input, without an Enter.
func (t *Terminal) Paste(ctx context.Context, text string) error { return t.PasteOnce(ctx, "", text) }

// PasteOnce pastes only once for each id, so that a hub whose connection broke can ask
// again.
func (t *Terminal) PasteOnce(ctx context.Context, id, text string) error {
	if !utf8.ValidString(text) { // JSON would change it silently
		return Garbled.asError()
	}
	a, err := t.call(ctx, request{Type: typeText, ID: id, Text: text, PID: t.pid})
	if err != nil {
		return err
	}
	t.typed = &a.Typed
	return nil
}

// SendKeys presses keys in one go, such as enter, escape or 1; the names of tmux (Enter,
// C-u, BTab) work too. An Enter after a Paste is refused (Typed) if the person has typed
// since: it would send their text too.
func (t *Terminal) SendKeys(ctx context.Context, names ...string) error {
	return t.sendKeys(ctx, time.Time{}, names)
}

// SendKeysWithin is for a key that would mean something else a moment later: while the
// person types it is refused instead of held back.
func (t *Terminal) SendKeysWithin(ctx context.Context, limit time.Duration, names ...string) error {
	return t.sendKeys(ctx, time.Now().Add(limit), names)
}

func (t *Terminal) sendKeys(ctx context.Context, until time.Time, names []string) error {
	r := request{Type: typeKey, Keys: names, PID: t.pid}
	if !until.IsZero() {
		r.Until = until.UnixMilli()
	}
	if len(names) == 1 && keyName(names[0]) == "enter" {
		r.Typed, t.typed = t.typed, nil
	}
	_, err := t.call(ctx, r)
	return err
}

// Type types one line key by key, for fields that take no paste.
func (t *Terminal) Type(ctx context.Context, line string) error {
	if !utf8.ValidString(line) {
		return Garbled.asError()
	}
	_, err := t.call(ctx, request{Type: typeLine, Text: line, PID: t.pid})
	return err
}

// Screen is what the program shows. After ForProcess it is refused like a key: another
// program's screen is not what was asked for.
func (t *Terminal) Screen(ctx context.Context) (Screen, error) {
	a, err := t.call(ctx, request{Type: typeScreen, PID: t.pid})
	if err != nil || a.Screen == nil {
		return Screen{}, err
	}
	return *a.Screen, nil
}

// Status is what the program says about itself. Its State is empty if it said nothing.
func (t *Terminal) Status(ctx context.Context) (Status, error) {
	a, err := t.call(ctx, request{Type: typeStatus})
	if err != nil || a.Status == nil {
		return Status{}, err
	}
	return *a.Status, nil
}

// Program is the program that runs there.
func (t *Terminal) Program(ctx context.Context) (Program, error) {
	a, err := t.call(ctx, request{Type: typeProgram})
	if err != nil || a.Program == nil {
		return Program{}, err
	}
	return *a.Program, nil
}

// Follow calls tell with the status now and whenever it changes, until ctx ends (its
// error) or the program does (Ended).
func (t *Terminal) Follow(ctx context.Context, tell func(Status)) error {
	conn, done, err := t.dial(ctx)
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

func (t *Terminal) call(ctx context.Context, r request) (reply, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	conn, done, err := t.dial(ctx)
	if err != nil {
		return reply{}, err
	}
	defer done()
	if deadline, ok := ctx.Deadline(); ok && r.Until == 0 {
		r.Until = deadline.UnixMilli()
	}
	if err := json.NewEncoder(conn).Encode(r); err != nil && ctx.Err() != nil {
		return reply{}, ctx.Err()
	} // otherwise the other side hung up, and its reply says why
	return readReply(ctx, scanLines(conn))
}

func (t *Terminal) dial(ctx context.Context) (conn net.Conn, done func(), err error) {
	var d net.Dialer
	if conn, err = d.DialContext(ctx, "unix", t.socket); err != nil {
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
