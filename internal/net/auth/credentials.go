package auth

import (
	"context"
	"crypto/subtle"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"nod"
)

// touchEvery is the precision of a token's last use.
const touchEvery = time.Minute

// maxName is the longest name of a token or room, in characters.
const maxName = 64

// Credentials creates, checks and revokes the tokens of devices.
type Credentials struct {
	store TokenStore
	now   func() time.Time
	log   *slog.Logger

	mu       sync.Mutex // guards everything below; never held while the store is called
	sessions map[string]map[*session]struct{}
	touched  map[string]time.Time
	failures rateLimit
	cache    tokenCache
}

// NewCredentials keeps tokens in a store. now and log may be nil.
func NewCredentials(store TokenStore, now func() time.Time, log *slog.Logger) *Credentials {
	if now == nil {
		now = time.Now
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Credentials{
		store: store, now: now, log: log,
		sessions: map[string]map[*session]struct{}{},
		touched:  map[string]time.Time{},
		failures: rateLimit{},
	}
}

// Create makes a token. An actor can grant only rights it has.
func (k *Credentials) Create(ctx context.Context, by nod.Actor, name string, rights nod.Rights, room string) (Secret, Token, error) {
	if err := mayGrant(by, rights); err != nil {
		return Secret{}, Token{}, err
	}
	return k.create(ctx, name, rights, room)
}

func (k *Credentials) create(ctx context.Context, name string, rights nod.Rights, room string) (Secret, Token, error) {
	name, err := cleanLabel("name", name)
	if err == nil && name == "" {
		err = nod.Errorf(nod.Invalid, "a token needs a name by which you will know the device, such as \"kitchen phone\"")
	}
	if err != nil {
		return Secret{}, Token{}, err
	}
	if room, err = cleanLabel("room", room); err != nil {
		return Secret{}, Token{}, err
	}
	s := newSecret()
	t := Token{ID: s.id, Name: name, Rights: rights, Room: room, Hash: s.hash(), Created: k.now()}
	if err := k.store.Put(ctx, t); err != nil {
		return Secret{}, Token{}, err
	}
	return s, t, nil
}

// List returns all tokens, oldest first, without their secrets.
func (k *Credentials) List(ctx context.Context) ([]Token, error) {
	list, err := k.store.List(ctx)
	return slices.DeleteFunc(list, func(t Token) bool { return t.Room == codeRoom }), err
}

// Revoke deletes a token and ends its open sessions at once.
func (k *Credentials) Revoke(ctx context.Context, id string) error {
	if err := k.store.Delete(ctx, id); err != nil {
		if nod.CodeOf(err) == nod.NotFound {
			return nod.Errorf(nod.NotFound, "there is no token %q; `nod token list` lists them", id).Because(err)
		}
		return err
	}
	k.endSessions(id)
	return nil
}

// errUnknown is the same for every kind of wrong token, so that the error does not
// reveal which part was right.
func errUnknown() *nod.Error {
	return nod.Errorf(nod.Unauthorized, "this token is not known here: it was mistyped, revoked, or belongs to another hub")
}

func errExpired() *nod.Error {
	return nod.Errorf(nod.Unauthorized, "this token has expired: pair the device again with `nod pair`")
}

// check finds the token that belongs to a secret.
func (k *Credentials) check(ctx context.Context, s Secret) (Token, error) {
	t, err := k.lookup(ctx, s.id)
	unknown := err != nil && nod.CodeOf(err) == nod.NotFound
	if err != nil && !unknown {
		return Token{}, err
	}
	// An unknown id is compared with the zero hash, so that it takes the same time.
	hash := s.hash()
	same := subtle.ConstantTimeCompare(hash[:], t.Hash[:]) == 1
	switch {
	case unknown || !same || t.Room == codeRoom:
		return Token{}, errUnknown()
	case t.Expires != nil && !t.Expires.After(k.now()):
		return Token{}, errExpired()
	}
	return t, nil
}

// touch records the last use, at most once a minute. A failure is only logged.
func (k *Credentials) touch(ctx context.Context, t Token) {
	now := k.now()
	last := t.Used
	k.mu.Lock()
	if at, ok := k.touched[t.ID]; ok {
		last = &at
	}
	due := last == nil || now.Sub(*last) >= touchEvery
	if due {
		k.touched[t.ID] = now
	}
	k.mu.Unlock()
	if !due {
		return
	}
	if err := k.store.Touch(ctx, t.ID, now); err != nil && !errors.Is(err, context.Canceled) {
		k.log.Warn("the last use of a token was not noted", "token", t.ID, "err", err)
	}
}

func mayGrant(by nod.Actor, rights nod.Rights) error {
	switch {
	case !by.Can(nod.Admin):
		return nod.Errorf(nod.Forbidden, "%s may not admit devices: that takes the right %q", by.Name, nod.Admin)
	case rights == 0:
		return nod.Errorf(nod.Invalid, "a token needs at least one right: raise, view, answer, admin")
	case !rights.Within(by.Rights):
		return nod.Errorf(nod.Forbidden, "%s cannot hand out what it does not hold itself: %s", by.Name, rights&^by.Rights)
	}
	return nil
}

// cleanLabel checks a text that is shown wherever the device is mentioned.
func cleanLabel(what, s string) (string, error) {
	s = strings.TrimSpace(s)
	switch {
	case utf8.RuneCountInString(s) > maxName:
		return "", nod.Errorf(nod.Invalid, "the %s is longer than %d characters", what, maxName)
	case nod.OneLine(s) != s:
		return "", nod.Errorf(nod.Invalid, "the %s holds characters that do not show: %s", what, nod.OneLine(s))
	}
	return s, nil
}
