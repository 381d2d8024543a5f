package headless

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"nod"
	"nod/internal/agent/claude/stdio"
	"nod/internal/sys/peer"
)

// program is a running Claude Code.
type program struct {
	*stdio.Session
	id      string // its own name for the conversation, by which it is resumed
	who     string // the assistant it was started as
	process nod.Process
}

// errForgotten means that Claude Code has no record of the conversation.
var errForgotten = errors.New("no such conversation")

// start starts a program and returns when it is ready. The program never outlives
// ctx, which is the driver's.
func (d *Driver) start(ctx context.Context, who *Assistant, resume string) (*program, error) {
	dir, err := d.home(who)
	if err != nil {
		return nil, err
	}
	mcp, err := d.servers(who)
	if err != nil {
		return nil, err
	}
	p := &program{id: resume, who: who.Name}
	flag := "--resume=" + resume
	if resume == "" {
		p.id = newUUID()
		flag = "--session-id=" + p.id
	}
	p.Session, err = stdio.Start(stdio.Command{Program: d.Claude, Args: who.args(mcp, flag), Env: d.environ(), Dir: dir})
	if err != nil {
		return nil, err
	}
	d.all.Go(func() {
		select {
		case <-ctx.Done():
			p.Stop(d.timing.grace)
		case <-p.Gone():
		}
	})
	p.process = nod.Process{PID: p.PID(), Local: true}
	if id, err := peer.Identify(p.PID()); err == nil {
		p.process.Start = id.Start
	}
	patience, cancel := context.WithTimeout(ctx, d.timing.start)
	defer cancel()
	if err := p.Initialize(patience); err != nil {
		p.Stop(d.timing.grace)
		return nil, p.whyNot(err)
	}
	return p, nil
}

// whyNot explains why a program did not start, from its last output.
func (p *program) whyNot(err error) error {
	last, exit := p.Last()
	for m := range p.Messages() {
		last = strings.TrimSpace(last + " " + strings.Join(m.Errors, " "))
	}
	switch {
	case strings.Contains(last, "No conversation found"):
		return errForgotten
	case last != "":
		return fmt.Errorf("%w (%v): %s", err, exit, last)
	}
	return fmt.Errorf("%w (%v)", err, exit)
}

// newUUID is a random UUID, version 4.
func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
