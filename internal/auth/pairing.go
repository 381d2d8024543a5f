package auth

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"slices"
	"time"

	"nod"
)

const (
	codeLength   = 12 // letters: 60 bits
	codeLife     = 2 * time.Minute
	maxCodes     = 4
	triesAllowed = 5 // wrong codes of one source in a minute
)

// Paired is what a device gets when nobody says otherwise.
var Paired = nod.RightsOf(nod.View, nod.Answering)

// pairing is one code that waits for its device. Only in memory: a restart ends it.
type pairing struct {
	hash    [32]byte
	rights  nod.Rights
	expires time.Time
}

// Pairing is a code as it is told to whoever may admit a device.
type Pairing struct {
	Code    string    `json:"code"`
	Expires time.Time `json:"expires_at"`
}

// Pair makes a one-time code that admits one device with these rights.
func (k *Keeper) Pair(by nod.Actor, rights nod.Rights) (Pairing, error) {
	if rights == 0 {
		rights = Paired
	}
	if err := mayHandOut(by, rights); err != nil {
		return Pairing{}, err
	}
	code := plain(letters(codeLength))
	k.mu.Lock()
	defer k.mu.Unlock()
	now := k.now()
	k.forget(now)
	if len(k.codes) >= maxCodes {
		return Pairing{}, nod.Errorf(nod.Unavailable, "%d pairing codes wait already: use one of them, or wait until one is %d minutes old", maxCodes, int(codeLife.Minutes()))
	}
	p := pairing{hash: sha256.Sum256([]byte(code)), rights: rights, expires: now.Add(codeLife)}
	k.codes = append(k.codes, p)
	return Pairing{Code: code[:4] + "-" + code[4:8] + "-" + code[8:], Expires: p.expires}, nil
}

// Redeem trades a code for a token, once. from names the other side (its
// address): after a few wrong codes it has to wait.
func (k *Keeper) Redeem(ctx context.Context, code, name, from string) (Secret, Token, error) {
	if _, err := label("name", name); err != nil { // before the code is spent
		return Secret{}, Token{}, err
	}
	rights, err := k.spend(code, from)
	if err != nil {
		return Secret{}, Token{}, err
	}
	if name == "" {
		name = "paired device"
	}
	return k.create(ctx, name, rights, "")
}

// spend takes a code out of the list of those that wait.
func (k *Keeper) spend(code, from string) (nod.Rights, error) {
	hash := sha256.Sum256([]byte(plain(code)))
	k.mu.Lock()
	defer k.mu.Unlock()
	now := k.now()
	k.forget(now)
	if wait := k.tries.wait(from, now); wait > 0 {
		return 0, nod.Errorf(nod.Unavailable, "too many wrong pairing codes: try again in %d seconds", int(wait.Seconds())+1)
	}
	found := -1
	for i, p := range k.codes { // all of them, so that the time does not tell
		if subtle.ConstantTimeCompare(hash[:], p.hash[:]) == 1 {
			found = i
		}
	}
	if found < 0 {
		k.tries.miss(from, now)
		k.log.Warn("a wrong pairing code was tried", "from", from)
		return 0, nod.Errorf(nod.Unauthorized, "this pairing code is wrong, used or older than %d minutes: make a new one with `nod pair`", int(codeLife.Minutes()))
	}
	rights := k.codes[found].rights
	k.codes = slices.Delete(k.codes, found, found+1)
	return rights, nil
}

// forget drops codes whose time is over.
func (k *Keeper) forget(now time.Time) {
	k.codes = slices.DeleteFunc(k.codes, func(p pairing) bool { return !p.expires.After(now) })
}
