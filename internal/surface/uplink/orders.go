package uplink

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"nod"
	"nod/internal/hub"
)

// listen does what is ordered elsewhere, until ctx or the connection ends.
func (u *Uplink) listen(ctx context.Context, known notes) error {
	err := u.Far.Orders(ctx, known.Orders, func(e nod.Event) error {
		// Noted before it is done: a key that is pressed twice is worse than one that
		// is not pressed, and decisions and words carry ids of their own.
		if err := u.notes.write(notes{Log: known.Log, Orders: e.Seq}); err != nil {
			return err
		}
		u.obey(ctx, &e)
		return nil
	})
	if nod.CodeOf(err) == nod.Gone && err != nil {
		// Its log does not reach back that far: what was decided is told at the next hello.
		return errors.Join(err, u.notes.write(notes{Log: known.Log}))
	}
	return err
}

// obey does one order. What cannot be done is said, where it matters to somebody.
func (u *Uplink) obey(ctx context.Context, e *nod.Event) {
	desk := u.Hub.Desk(u.in(e.By))
	var err error
	switch e.Kind {
	case nod.RequestDecided:
		if e.Decision != nil {
			u.decide(ctx, &nod.Request{ID: e.RequestID, Decision: e.Decision})
		}
	case nod.MessageSaid:
		if e.Message != nil {
			u.say(ctx, desk, *e.Message)
		}
	case nod.StopPressed:
		if e.AgentID == "" {
			_, err = desk.StopAll(ctx)
		} else {
			_, err = desk.Interrupt(ctx, e.AgentID)
		}
	case nod.KeyPressed:
		err = desk.Press(ctx, e.AgentID, e.Note)
	case nod.AgentChanged:
		err = desk.Leave(ctx, e.AgentID)
	}
	if err != nil && nod.CodeOf(err) != nod.NotFound {
		u.Log.Warn("an order could not be followed", "order", e.Kind, "agent", e.AgentID, "err", err)
	}
}

// in is a person of the hub elsewhere as an actor here. That they may is for that
// hub to know; this one trusts it for the agents of this machine.
func (u *Uplink) in(by *nod.Actor) nod.Actor {
	actor := u.viewer()
	if by != nil {
		actor.Kind, actor.Name, actor.Via = by.Kind, by.Name, by.Via
	}
	return actor
}

// decide hands in a decision. If somebody here was first, their answer stands, and
// the hub elsewhere hears of it through the log.
func (u *Uplink) decide(ctx context.Context, r *nod.Request) {
	d := r.Decision
	answer := d.Answer
	answer.Lease = nil // it holds elsewhere, where the next request is judged again
	by := u.viewer()
	by.Kind, by.Name, by.Via = nod.Person, d.By, d.Via
	_, err := u.Hub.Desk(by).Decide(ctx, r.ID, answer)
	switch nod.CodeOf(err) {
	case nod.Conflict, nod.Gone, nod.NotFound:
		u.Log.Info("a decision from elsewhere came too late", "request", r.ID, "by", d.By, "err", err)
	default:
		if err != nil {
			u.Log.Error("a decision from elsewhere was refused", "request", r.ID, "by", d.By, "err", err)
		}
	}
}

// say hands in words; those that cannot even be taken have failed, and that is told.
func (u *Uplink) say(ctx context.Context, desk hub.Desk, m nod.Message) {
	if len(m.Files) > 0 {
		u.unsaid(ctx, m, "files do not reach agents on another machine yet")
		return
	}
	if _, err := desk.Say(ctx, m); err != nil {
		u.unsaid(ctx, m, nod.MessageOf(err))
	}
}

func (u *Uplink) unsaid(ctx context.Context, m nod.Message, why string) {
	m.Status, m.Problem = nod.Undone, why
	select {
	case u.failed <- m:
	case <-ctx.Done():
	}
}

// notes are what must be known after a restart.
type notes struct {
	Log    string  `json:"log,omitempty"` // what this machine's log was called
	Orders nod.Seq `json:"orders"`        // the last order that was taken
}

type notebook struct{ file string }

func (n notebook) read() (notes, error) {
	var known notes
	body, err := os.ReadFile(n.file)
	if errors.Is(err, os.ErrNotExist) {
		return known, nil
	}
	if err == nil {
		err = json.Unmarshal(body, &known)
	}
	return known, err
}

func (n notebook) write(now notes) error {
	body, err := json.Marshal(now)
	if err != nil {
		return err
	}
	half := filepath.Join(filepath.Dir(n.file), ".link-new")
	if err := os.WriteFile(half, body, 0o600); err != nil {
		return err
	}
	return os.Rename(half, n.file)
}
