package headless

import (
	"context"
	"time"
)

// wakeMaintenance makes maintain look at the programs.
func (d *Driver) wakeMaintenance() {
	select {
	case d.maintenance <- struct{}{}:
	default:
	}
}

// maintain keeps the programs within their memory, and one of them ready for the next
// new conversation. It starts that one when the others have been idle for a moment,
// because a person who waits for an answer needs the machine more.
func (d *Driver) maintain(ctx context.Context) {
	quiet := time.NewTimer(0)
	defer quiet.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.maintenance:
			d.pool.trim()
			quiet.Reset(d.timing.quiet)
		case <-quiet.C:
			if d.Spare && d.wanted() && !d.pool.anyBusy() {
				d.keepSpare(ctx)
			}
		}
	}
}

// wanted reports whether a spare program is worth its memory: nod.toml has an
// assistant, or a person has talked to the usual one.
func (d *Driver) wanted() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.Assistants) > 0 && (d.written || d.latest != "")
}

// used remembers the assistant that people talk to, for the spare program.
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
	default: // another assistant's
		if old := d.pool.takeSpare(d.pool.spareFor(), func() {}); old != nil {
			d.dismiss(old)
		}
	}
	if ok, _ := d.pool.claim(false); !ok {
		return
	}
	prog, err := d.start(ctx, who, "")
	if err != nil {
		d.pool.unclaim()
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
		d.pool.remove(prog) // also if a conversation has it by now
	})
}

// warmUp makes a program load what its first answer needs, without calling the model:
// it counts the tokens of its context. An error does no harm.
func (d *Driver) warmUp(ctx context.Context, prog *program) {
	patience, cancel := context.WithTimeout(ctx, d.timing.write)
	defer cancel()
	_, _ = prog.Control(patience, "get_context_usage", map[string]any{"detail": "summary"})
}

// dropSpare ends the spare program, which was started under other conditions.
func (d *Driver) dropSpare() {
	if prog := d.pool.takeSpare(d.pool.spareFor(), func() {}); prog != nil {
		d.dismiss(prog)
	}
}

// dismiss ends a program without waiting for it.
func (d *Driver) dismiss(prog *program) { d.all.Go(func() { d.end(prog) }) }

func (d *Driver) end(prog *program) {
	prog.Stop(d.timing.grace)
	d.pool.remove(prog)
	d.wakeMaintenance() // there may be room for a spare one now
}
