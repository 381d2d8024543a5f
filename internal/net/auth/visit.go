package auth

import (
	"context"
	"maps"
	"slices"
	"time"

	"nod"
)

// visit is one use of a token that is still open, such as a stream of events.
type visit struct{ end context.CancelCauseFunc }

// Admit checks the text of a token and tells who came through which door. The
// context it returns ends when the token is revoked or expires, with the reason
// as its cause; leave must be called when the visit is over.
func (k *Credentials) Admit(ctx context.Context, text, via string) (in context.Context, who nod.Actor, leave func(), err error) {
	s, ok := ParseSecret(text)
	if !ok {
		return nil, nod.Actor{}, nil, errUnknown()
	}
	// Enter first, look afterwards: a revocation in between finds this visit.
	in, cancel := context.WithCancelCause(ctx)
	v := &visit{end: cancel}
	k.enter(s.id, v)
	leave = func() {
		k.leave(s.id, v)
		cancel(nil)
	}
	t, err := k.check(ctx, s)
	if err != nil {
		leave()
		return nil, nod.Actor{}, nil, err
	}
	k.touch(ctx, t)
	if t.Expires != nil {
		var stop context.CancelFunc
		in, stop = context.WithDeadlineCause(in, *t.Expires, errExpired())
		inner := leave
		leave = func() { stop(); inner() }
	}
	return in, nod.Actor{Kind: nod.ActorDevice, Name: t.Name, Via: Door(via, "api"), ID: t.ID, Room: t.Room, Rights: t.Rights}, leave, nil
}

func (k *Credentials) enter(id string, v *visit) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.visits[id] == nil {
		k.visits[id] = map[*visit]struct{}{}
	}
	k.visits[id][v] = struct{}{}
}

func (k *Credentials) leave(id string, v *visit) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.visits[id], v)
	if len(k.visits[id]) == 0 {
		delete(k.visits, id)
	}
}

// end closes everything that is open with a token.
func (k *Credentials) end(id string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.touched, id)
	k.known.forget(id)
	for v := range k.visits[id] {
		v.end(nod.Errorf(nod.Unauthorized, "this token was revoked"))
	}
}

// Watch ends what is open with a credential that another hub of the same vault has
// revoked, until ctx ends.
func (k *Credentials) Watch(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for _, id := range k.open() {
			if _, err := k.vault.Get(ctx, id); nod.CodeOf(err) == nod.NotFound && err != nil {
				k.end(id)
			}
		}
	}
}

// open lists the credentials that are in use now.
func (k *Credentials) open() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Collect(maps.Keys(k.visits))
}
