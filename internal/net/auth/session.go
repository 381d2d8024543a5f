package auth

import (
	"context"
	"maps"
	"slices"
	"time"

	"nod"
)

// session is one open use of a token, such as a stream of events.
type session struct{ end context.CancelCauseFunc }

// Admit checks the text of a token and identifies the caller. The context it
// returns ends when the token is revoked or expires, with the reason as its cause;
// leave must be called at the end of the session.
func (k *Credentials) Admit(ctx context.Context, text, via string) (in context.Context, who nod.Actor, leave func(), err error) {
	s, ok := ParseSecret(text)
	if !ok {
		return nil, nod.Actor{}, nil, errUnknown()
	}
	// Track the session before the check: a revocation in between ends it.
	in, cancel := context.WithCancelCause(ctx)
	v := &session{end: cancel}
	k.track(s.id, v)
	leave = func() {
		k.untrack(s.id, v)
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
	return in, nod.Actor{Kind: nod.ActorDevice, Name: t.Name, Via: ViaName(via, "api"), ID: t.ID, Room: t.Room, Rights: t.Rights}, leave, nil
}

func (k *Credentials) track(id string, v *session) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.sessions[id] == nil {
		k.sessions[id] = map[*session]struct{}{}
	}
	k.sessions[id][v] = struct{}{}
}

func (k *Credentials) untrack(id string, v *session) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.sessions[id], v)
	if len(k.sessions[id]) == 0 {
		delete(k.sessions, id)
	}
}

// endSessions ends everything that is open with a token.
func (k *Credentials) endSessions(id string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.touched, id)
	k.cache.invalidate(id)
	for v := range k.sessions[id] {
		v.end(nod.Errorf(nod.Unauthorized, "this token was revoked"))
	}
}

// Watch ends the sessions of tokens that another hub with the same store has
// revoked. It runs until ctx ends.
func (k *Credentials) Watch(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for _, id := range k.openTokens() {
			if _, err := k.store.Get(ctx, id); nod.CodeOf(err) == nod.NotFound && err != nil {
				k.endSessions(id)
			}
		}
	}
}

// openTokens lists the tokens that have open sessions.
func (k *Credentials) openTokens() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Collect(maps.Keys(k.sessions))
}
