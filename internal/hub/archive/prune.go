package archive

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"strings"
	"time"

	"nod"
)

// Pruning says what Prune does.
type Pruning struct {
	Before   time.Time // events of an earlier time go
	Now      time.Time
	Key      ed25519.PrivateKey                      // signs the checkpoint
	Export   func(base nod.Checkpoint) (Sink, error) // nil: what goes is not kept elsewhere
	Progress func(looked nod.Seq)                    // nil: not reported
	Agree    func(plan Pruned) (bool, error)         // asked before anything is done; nil: yes
}

// Sink takes what is removed, oldest first. Close learns whether it was complete.
type Sink interface {
	Put(es []nod.Event) error
	Close(whole bool) error
}

// Pruned is what Prune has done.
type Pruned struct {
	Removed nod.Seq // how many events
	Kept    nod.Seq
	Upto    time.Time      // of the newest that goes
	Base    nod.Checkpoint // zero when nothing was that old, or Agree said no
}

// Plan is what Prune would do; it changes nothing.
func Plan(ctx context.Context, g Inspector, p Pruning) (Pruned, error) {
	_, _, plan, err := survey(ctx, g, p)
	return plan, err
}

// Prune removes what happened before a time, and leaves a checkpoint, if Agree says
// yes. It refuses with Conflict while a request of that time waits for an answer.
func Prune(ctx context.Context, s Store, p Pruning) (Pruned, error) {
	base, at, plan, err := survey(ctx, s, p)
	if err != nil || plan.Removed == 0 {
		return plan, err
	}
	if p.Agree != nil {
		if ok, err := p.Agree(plan); err != nil || !ok {
			return Pruned{Kept: plan.Removed + plan.Kept}, err
		}
	}
	if p.Export != nil {
		sink, err := p.Export(base)
		if err == nil {
			err = export(ctx, s, base, at.Seq, sink)
		}
		if err != nil {
			return Pruned{}, err
		}
	}
	if plan.Base, err = nod.NewCheckpoint(at, p.Now, p.Key); err != nil {
		return Pruned{}, err
	}
	return plan, s.Prune(ctx, plan.Base)
}

// survey finds out where the log is going to begin.
func survey(ctx context.Context, r interface {
	reader
	Base(ctx context.Context) (nod.Checkpoint, error)
}, p Pruning) (base nod.Checkpoint, at nod.State, plan Pruned, err error) {
	base, err = r.Base(ctx)
	if err == nil && !base.IsZero() {
		err = base.Verify()
	}
	if err != nil {
		return base, at, plan, err
	}
	c := &cut{before: p.Before, at: base.Base(), progress: p.Progress}
	if err := c.find(ctx, r); err != nil {
		return base, at, plan, err
	}
	plan = Pruned{Removed: c.at.Seq - base.Seq, Kept: c.end.Seq - c.at.Seq, Upto: c.at.At}
	if plan.Removed > 0 {
		err = c.waiting()
	}
	return base, c.at, plan, err
}

// cut is where a log is going to begin.
type cut struct {
	before   time.Time
	at       nod.State // of what goes
	end      nod.State // of the whole log
	progress func(nod.Seq)
}

// find walks along the whole log: what goes is what comes before the first
// event that stays, whatever the clocks said in between.
func (c *cut) find(ctx context.Context, r reader) error {
	c.end = c.at.Clone()
	stays := false
	return each(ctx, r, c.at.Seq, c.at.Hash, func(es []nod.Event) error {
		for i := range es {
			if stays = stays || !es[i].At.Before(c.before); !stays {
				c.at.Apply(&es[i])
			}
			c.end.Apply(&es[i])
		}
		if c.progress != nil {
			c.progress(c.end.Seq)
		}
		return nil
	})
}

// waiting refuses when a request that would be removed is still pending.
func (c *cut) waiting() error {
	var ids []string
	for _, r := range c.end.PendingOf("") {
		if r.Seq <= c.at.Seq {
			ids = append(ids, string(r.ID))
		}
	}
	if len(ids) == 0 {
		return nil
	}
	more := ""
	if len(ids) > 3 {
		more = fmt.Sprintf(" and %d more", len(ids)-3)
	}
	return nod.Errorf(nod.Conflict, "requests of that time still wait for an answer: %s%s. Answer them, or keep more", strings.Join(ids[:min(3, len(ids))], ", "), more)
}

// export hands over what goes. The sink knows whether it got all of it.
func export(ctx context.Context, r reader, base nod.Checkpoint, to nod.Seq, sink Sink) error {
	err := each(ctx, r, base.Seq, base.Hash, func(es []nod.Event) error {
		for len(es) > 0 && es[len(es)-1].Seq > to {
			es = es[:len(es)-1]
		}
		if err := sink.Put(es); err != nil {
			return err
		}
		if len(es) == 0 || es[len(es)-1].Seq == to {
			return errDone
		}
		return nil
	})
	if err == errDone {
		return sink.Close(true)
	}
	if err == nil {
		err = nod.Errorf(nod.Conflict, "the log changed meanwhile: nothing was taken out")
	}
	_ = sink.Close(false)
	return err
}

// errDone ends a walk.
var errDone = fmt.Errorf("done")
