package auth

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"time"

	"nod"
)

const (
	codeLength   = 12 // letters: 60 bits
	codeLifetime = 2 * time.Minute
	maxCodes     = 4
	maxFailures  = 5 // wrong codes of one source in a minute
)

// Paired is what a device gets when nobody says otherwise.
var Paired = nod.RightsOf(nod.View, nod.Answering)

// A code that waits for its device lies in the vault, so that every hub of a log
// knows it. It is kept as a token that opens nothing: it has no rights, its room is
// nobody's, and what the device will get stands in its name.
const (
	codeID   = "pair-"
	codeRoom = "pair:"
)

func codeTokenID(hash [32]byte) string { return codeID + hex.EncodeToString(hash[:8]) }

// Pairing is a code as it is told to whoever may admit a device.
type Pairing struct {
	Code    string    `json:"code"`
	Expires time.Time `json:"expires_at"`
}

// Pair makes a one-time code that admits one device with these rights.
func (k *Credentials) Pair(ctx context.Context, by nod.Actor, rights nod.Rights) (Pairing, error) {
	waiting, err := k.openCodes(ctx)
	if err == nil && len(waiting) >= maxCodes {
		err = nod.Errorf(nod.Unavailable, "%d pairing codes wait already: use one of them, or wait until one is %d minutes old", maxCodes, int(codeLifetime.Minutes()))
	}
	if err != nil {
		return Pairing{}, err
	}
	return k.pair(ctx, by, rights)
}

// Offer is Pair for a hub that starts: where many codes wait the oldest gives way,
// because one that is started again and again must start each time.
func (k *Credentials) Offer(ctx context.Context, by nod.Actor, rights nod.Rights) (Pairing, error) {
	waiting, err := k.openCodes(ctx)
	for ; err == nil && len(waiting) >= maxCodes; waiting = waiting[1:] {
		err = k.deleteCode(ctx, waiting[0].ID)
	}
	if err != nil {
		return Pairing{}, err
	}
	return k.pair(ctx, by, rights)
}

func (k *Credentials) pair(ctx context.Context, by nod.Actor, rights nod.Rights) (Pairing, error) {
	if rights == 0 {
		rights = Paired
	}
	if err := mayGrant(by, rights); err != nil {
		return Pairing{}, err
	}
	code := normalizeCode(randomBase32(codeLength))
	hash, now := sha256.Sum256([]byte(code)), k.now()
	expires := now.Add(codeLifetime)
	err := k.store.Put(ctx, Token{ID: codeTokenID(hash), Name: rights.String(), Room: codeRoom, Hash: hash, Created: now, Expires: &expires})
	if err != nil {
		return Pairing{}, err
	}
	return Pairing{Code: code[:4] + "-" + code[4:8] + "-" + code[8:], Expires: expires}, nil
}

// Redeem trades a code for a token, once. from names the other side (its
// address): after a few wrong codes it has to wait.
func (k *Credentials) Redeem(ctx context.Context, code, name, from string) (Secret, Token, error) {
	if _, err := cleanLabel("name", name); err != nil { // before the code is spent
		return Secret{}, Token{}, err
	}
	rights, err := k.takeCode(ctx, code, from)
	if err != nil {
		return Secret{}, Token{}, err
	}
	if name == "" {
		name = "paired device"
	}
	return k.create(ctx, name, rights, "")
}

// takeCode takes a code out of the vault; of two who have it, one gets it.
func (k *Credentials) takeCode(ctx context.Context, code, from string) (nod.Rights, error) {
	if wait := k.retryAfter(from); wait > 0 {
		return 0, nod.Errorf(nod.Unavailable, "too many wrong pairing codes: try again in %d seconds", int(wait.Seconds())+1)
	}
	hash := sha256.Sum256([]byte(normalizeCode(code)))
	t, err := k.store.Get(ctx, codeTokenID(hash))
	if err == nil {
		err = k.store.Delete(ctx, t.ID)
	}
	if err != nil && nod.CodeOf(err) != nod.NotFound {
		return 0, err
	}
	rights, unread := nod.ParseRights(t.Name)
	over := t.Expires == nil || !t.Expires.After(k.now())
	if err != nil || unread != nil || over || subtle.ConstantTimeCompare(hash[:], t.Hash[:]) != 1 {
		k.countFailure(from)
		return 0, nod.Errorf(nod.Unauthorized, "this pairing code is wrong, used or older than %d minutes: make a new one with `nod pair`", int(codeLifetime.Minutes()))
	}
	return rights, nil
}

func (k *Credentials) retryAfter(from string) time.Duration {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.failures.wait(from, k.now())
}

func (k *Credentials) countFailure(from string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.failures.fail(from, k.now())
	k.log.Warn("a wrong pairing code was tried", "from", from)
}

// openCodes are those that wait, oldest first; those whose time is over are dropped.
func (k *Credentials) openCodes(ctx context.Context) (waiting []Token, err error) {
	list, err := k.store.List(ctx)
	for _, t := range list {
		switch {
		case t.Room != codeRoom:
		case t.Expires != nil && t.Expires.After(k.now()):
			waiting = append(waiting, t)
		default:
			err = errors.Join(err, k.deleteCode(ctx, t.ID))
		}
	}
	return waiting, err
}

func (k *Credentials) deleteCode(ctx context.Context, id string) error {
	if err := k.store.Delete(ctx, id); err != nil && nod.CodeOf(err) != nod.NotFound {
		return err
	}
	return nil
}
