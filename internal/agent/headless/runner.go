package headless

import (
	"context"
	"errors"
	"nod"
	"nod/internal/agent/claude/stdio"
	"nod/internal/hub"
	"time"
)

// runner is the program behind a conversation: it starts one when there is a message,
// and talks to it.
type runner struct {
	*conversation
	prog        *program        // its program, while it runs
	fresh       bool            // the program knows nothing of this conversation yet
	starting    chan started    // a program is being started
	freed       <-chan struct{} // closed when a slot may be free; nil: not waiting for one
	interrupted chan struct{}   // an interrupt that the program has not answered
	idle        time.Time       // since when the program has nothing to do
}

// started is what came of starting a program.
type started struct {
	prog *program
	err  error
}

func (r *runner) messages() <-chan stdio.Message {
	if r.prog == nil {
		return nil
	}
	return r.prog.Messages()
}

// fetch gets a program; false when that takes a while, or is impossible.
func (r *runner) fetch(ctx context.Context, a *nod.Agent, m *nod.Message) bool {
	if r.freed != nil {
		return false
	}
	who, ok := r.find(a.Talk.Assistant)
	if !ok {
		r.insist(ctx, hub.UnheardFor(m.ID, "There is no assistant "+a.Talk.Assistant+" any more. Begin a new conversation with another one.", nod.TroubleProgram))
		return false
	}
	r.used(who.Name)
	if a.Talk.Folder != "" {
		there := *who
		there.Cwd, who = a.Talk.Folder, &there
	} else if a.Talk.Session == "" {
		if prog := r.pool.takeSpare(who.Name, r.nudge); prog != nil {
			r.adopt(ctx, prog, true)
			return true
		}
	}
	ok, r.freed = r.pool.claim(true)
	if !ok {
		return false
	}
	result := make(chan started, 1)
	r.starting = result
	r.all.Go(func() {
		prog, err := r.start(ctx, who, a.Talk.Session)
		if err == nil {
			r.pool.enter(prog, r.nudge)
		} else {
			r.pool.unclaim()
		}
		result <- started{prog, err}
	})
	return false
}

// startDone takes the result of a start.
func (r *runner) startDone(ctx context.Context, s started) {
	r.starting = nil
	a, queued := r.look()
	switch {
	case a == nil:
		if s.prog != nil {
			r.dismiss(s.prog)
		}
	case s.err == nil:
		r.adopt(ctx, s.prog, a.Talk.Session == "")
	case errors.Is(s.err, errForgotten):
		r.sessionLost(ctx, a)
	case ctx.Err() == nil:
		r.Log.Warn("Claude Code did not start", "agent", r.id, "err", s.err)
		if m := pick(queued); m != nil {
			r.insist(ctx, hub.UnheardFor(m.ID, noProgram(s.err), nod.TroubleProgram))
		}
	}
}

// adopt makes a program this conversation's.
func (r *runner) adopt(ctx context.Context, prog *program, fresh bool) {
	r.prog, r.fresh, r.idle = prog, fresh, r.Now()
	r.note(ctx, talk(r.id, func(a *nod.Agent, _ time.Time) {
		process := prog.process
		a.Process, a.Talk.Session, a.Talk.Warm = &process, prog.id, true
	}))
}

// say writes a message to the program. One that does not read it is ended, and run
// notices that like any other end.
func (r *runner) say(ctx context.Context, uuid, words string, further ...string) {
	patience, cancel := context.WithTimeout(ctx, r.timing.write)
	defer cancel()
	if err := r.prog.Say(patience, uuid, words, further...); err != nil && ctx.Err() == nil {
		r.Log.Warn("Claude Code did not take what was said to it", "agent", r.id, "err", err)
		r.stopProgram()
	}
}

// stopProgram ends the program; run notices when it has ended.
func (r *runner) stopProgram() {
	prog := r.prog
	r.all.Go(func() { prog.Stop(r.timing.grace) })
}

// interrupt tells the program to stop what it does.
func (r *runner) interrupt(ctx context.Context) {
	done, prog := make(chan struct{}), r.prog
	r.interrupted = done
	r.all.Go(func() {
		defer close(done)
		patience, cancel := context.WithTimeout(ctx, r.timing.grace)
		defer cancel()
		if err := prog.Interrupt(patience); err != nil && ctx.Err() == nil {
			r.Log.Warn("Claude Code did not take an order to stop", "agent", r.id, "err", err)
		}
	})
}

// write sends something to the program, if it is there.
func (r *runner) write(ctx context.Context, send func(context.Context) error) bool {
	if r.prog == nil {
		return false
	}
	patience, cancel := context.WithTimeout(ctx, r.timing.write)
	defer cancel()
	err := send(patience)
	if err != nil && ctx.Err() == nil {
		r.Log.Warn("Claude Code did not take an answer", "agent", r.id, "err", err)
	}
	return err == nil
}

func (r *runner) reply(ctx context.Context, k *ask, response map[string]any) bool {
	return r.write(ctx, func(ctx context.Context) error { return r.prog.Answer(ctx, k.control, response) })
}
