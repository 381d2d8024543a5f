package headless

import (
	"context"
	"time"
)

// look makes the keeper look at the programs.
func (d *Driver) look() {
	select {
	case d.tidy <- struct{}{}:
	default:
	}
}

// keep sees to it that programs do not hold too much, and that one is ready for
// the next first question. It starts that one when nothing else has run for a
// moment: whoever waits for an answer needs the machine more.
func (d *Driver) keep(ctx context.Context) {
	quiet := time.NewTimer(0)
	defer quiet.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.tidy:
			d.pool.trim()
			quiet.Reset(d.timing.quiet)
		case <-quiet.C:
			if d.Spare && d.wanted() && !d.pool.hot() {
				d.keepSpare(ctx)
			}
		}
	}
}

// wanted reports whether a spare program is worth its memory: where somebody wrote
// down an assistant, or has talked to the usual one.
func (d *Driver) wanted() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.Assistants) > 0 && (d.written || d.latest != "")
}

// used remembers whom people talk to: the spare program is theirs.
func (d *Driver) used(who string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.latest = who
}

func (d *Driver) keepSpare(ctx context.Context) {
	d.mu.Lock()
	who, ok := d.find(d.latest)
	d.mu.Unlock()
	if !ok {
		who = &d.Assistants[0]
	}
	switch d.pool.spareFor() {
	case who.Name:
		return
	case "":
	default: // another's: it is taken for nobody, so it goes
		if old := d.pool.takeSpare(d.pool.spareFor(), func() {}); old != nil {
			d.dismiss(old)
		}
	}
	if ok, _ := d.pool.claim(false); !ok {
		return
	}
	prog, err := d.start(ctx, who, "")
	if err != nil {
		d.pool.forgo()
		if ctx.Err() == nil {
			d.Log.Warn("the spare program did not start; the next first question starts one", "assistant", who.Name, "err", err)
		}
		return
	}
	d.warmUp(ctx, prog)
	d.pool.enter(prog, func() { d.all.Go(func() { d.end(prog) }) })
	d.pool.setSpare(prog)
	d.all.Go(func() {
		<-prog.Gone()
		d.pool.out(prog) // whoever has it by now
	})
}

// warmUp makes a program get ready what its first answer needs, without a word to
// anybody: it counts what it would tell the model. That it cannot is no harm.
func (d *Driver) warmUp(ctx context.Context, prog *program) {
	patience, cancel := context.WithTimeout(ctx, d.timing.write)
	defer cancel()
	_, _ = prog.Control(patience, "get_context_usage", map[string]any{"detail": "summary"})
}

// dropSpare ends the spare program: what it was started with does not hold any more.
func (d *Driver) dropSpare() {
	if prog := d.pool.takeSpare(d.pool.spareFor(), func() {}); prog != nil {
		d.dismiss(prog)
	}
}

// dismiss ends a program in its own time.
func (d *Driver) dismiss(prog *program) { d.all.Go(func() { d.end(prog) }) }

func (d *Driver) end(prog *program) {
	prog.Stop(d.timing.grace)
	d.pool.out(prog)
	d.look() // there may be room for a spare one now
}
