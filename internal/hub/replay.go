package hub

import (
	"context"

	"nod"
)

// Pruned is an extra power of a Store: to say what stands in the place of
// events that were taken out.
type Pruned interface {
	Base(ctx context.Context) (nod.Checkpoint, error)
}

// Base is the checkpoint that the log begins with; zero when it is whole.
func (d Desk) Base(ctx context.Context) (nod.Checkpoint, error) {
	if err := d.require(ctx, nod.View, "read the log"); err != nil {
		return nod.Checkpoint{}, err
	}
	if p, ok := d.hub.store.(Pruned); ok {
		return p.Base(ctx)
	}
	return nod.Checkpoint{}, nil
}

// replay is the state at the head of the log: the newest saved one, brought up to
// date. A saved state that does not fit the log is ignored: the log is the truth, and
// the saved state only saves time.
func replay(ctx context.Context, store Store) (nod.State, error) {
	state, err := store.Load(ctx)
	if err != nil {
		return nod.State{}, err
	}
	fromSaved := state.Current()
	for restart := !fromSaved; ; {
		if restart {
			if state, err = beginning(ctx, store); err != nil {
				return nod.State{}, err
			}
			restart, fromSaved = false, false
		}
		es, err := store.Read(ctx, state.Seq, 1000)
		if err != nil && nod.CodeOf(err) == nod.Gone && fromSaved {
			restart = true
			continue
		}
		if err != nil {
			return nod.State{}, err
		}
		if len(es) == 0 {
			return state, nil
		}
		for i := range es {
			if err := es[i].Verify(state.Seq, state.Hash); err != nil {
				if restart = fromSaved; restart { // maybe only the saved state is wrong
					break
				}
				return nod.State{}, nod.Errorf(nod.Internal, "the log is damaged: %s. Look at it with `nod log verify`; a copy of nod.db from before the damage can be put back", nod.MessageOf(err)).Because(err)
			}
			state.Apply(&es[i])
		}
	}
}

// beginning is the state before the first event that is kept: none, or that of the
// checkpoint which stands for what was pruned.
func beginning(ctx context.Context, store Store) (nod.State, error) {
	p, ok := store.(Pruned)
	if !ok {
		return nod.NewState(), nil
	}
	c, err := p.Base(ctx)
	return c.Base(), err
}
