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
	codeLength   = 12 // characters: 60 bits
	codeLifetime = 2 * time.Minute
	maxCodes     = 4
	maxFailures  = 5 // wrong codes per source and minute
)

// Paired are the rights that a device gets by default.
var Paired = nod.RightsOf(nod.View, nod.Answering)

// An open code is in the store, so that every hub of the log knows it. It is stored
// as a token that is never accepted: it has no rights and a room that no surface
// uses, and its name holds the rights the device will get.
const (
	codeID   = "pair-"
	codeRoom = "pair:"
)

func codeTokenID(hash [32]byte) string { return codeID + hex.EncodeToString(hash[:8]) }

// Pairing is a one-time code and its expiry.
type Pairing struct {
	Code    string    `json:"code"`
	Expires time.Time `json:"expires_at"`
}

// Pair makes a one-time code for one device with these rights.
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

// Offer is Pair for a hub that starts. It drops the oldest code if there are too
// many, because a hub that is restarted often must still start.
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

// Redeem exchanges a code for a token, once. from is the caller's address: after a
// few wrong codes it has to wait.
func (k *Credentials) Redeem(ctx context.Context, code, name, from string) (Secret, Token, error) {
	if _, err := cleanLabel("name", name); err != nil { // before the code is used up
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

// takeCode removes a code from the store; only one of several callers gets it.
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

// openCodes lists the valid codes, oldest first, and deletes the expired ones.
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
