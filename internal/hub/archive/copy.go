package archive

import (
	"bytes"
	"context"
	"slices"

	"nod"
	"nod/internal/net/passkey"
)

// Copied is what Copy has done.
type Copied struct {
	Seq      nod.Seq  // where both logs end
	Hash     nod.Hash // and with what
	Events   nod.Seq  // copied by this call
	Tokens   int
	Passkeys int
}

// Copy makes a second store of one, with the same bytes and hashes. The target
// must be empty, or hold the beginning of the same log, which an earlier try
// has left: then it goes on from there. Both chains are checked to their ends.
func Copy(ctx context.Context, from, to Store, progress func(done, total nod.Seq)) (Copied, error) {
	total, _, err := from.Verify(ctx)
	if err != nil {
		return Copied{}, err
	}
	seq, hash, err := begin(ctx, from, to)
	if err != nil {
		return Copied{}, err
	}
	start := seq
	err = each(ctx, from, seq, hash, func(es []nod.Event) error {
		if err := to.Append(ctx, es[0].Seq-1, es); err != nil {
			return err
		}
		seq, hash = es[len(es)-1].Seq, es[len(es)-1].Hash
		progress(seq, max(seq, total))
		return nil
	})
	if err != nil {
		return Copied{}, err
	}
	done := Copied{Events: seq - start}
	if err := copyCredentials(ctx, from, to, &done); err != nil {
		return Copied{}, err
	}
	if err := copyState(ctx, from, to); err != nil {
		return Copied{}, err
	}
	return done, compare(ctx, from, to, &done)
}

// begin finds where to go on in the target.
func begin(ctx context.Context, from, to Store) (nod.Seq, nod.Hash, error) {
	base, err := from.Base(ctx)
	if err != nil {
		return 0, nod.Hash{}, err
	}
	theirs, err := to.Base(ctx)
	if err != nil {
		return 0, nod.Hash{}, err
	}
	seq, hash, err := to.Verify(ctx)
	if err != nil {
		return 0, nod.Hash{}, err
	}
	if seq == 0 {
		if err := noCredentials(ctx, to); err != nil || base.IsZero() {
			return 0, nod.Hash{}, err
		}
		return base.Seq, base.Hash, to.Restore(ctx, base)
	}
	if base.Seq == theirs.Seq && base.Hash == theirs.Hash {
		if seq == base.Seq && hash == base.Hash {
			return seq, hash, nil
		}
		es, err := from.Read(ctx, seq-1, 1)
		if err == nil && len(es) == 1 && es[0].Hash == hash {
			return seq, hash, nil
		}
		if err != nil && nod.CodeOf(err) != nod.Gone {
			return 0, nod.Hash{}, err
		}
	}
	return 0, nod.Hash{}, notEmpty()
}

func notEmpty() error {
	return nod.Errorf(nod.Conflict, "the target is not empty, and is no unfinished copy of this log: choose an empty one")
}

func noCredentials(ctx context.Context, to Store) error {
	tokens, err := to.List(ctx)
	if err != nil {
		return err
	}
	keys, err := to.Passkeys(ctx)
	if err != nil {
		return err
	}
	push, err := to.PeekPushKey(ctx)
	if err == nil && (len(tokens) > 0 || len(keys) > 0 || push != nil) {
		err = notEmpty()
	}
	return err
}

// copyCredentials copies what is not in the log: tokens, subscriptions, passkeys.
func copyCredentials(ctx context.Context, from, to Store, done *Copied) error {
	tokens, err := from.List(ctx)
	if err != nil {
		return err
	}
	for _, t := range tokens {
		if err := to.Put(ctx, t); err != nil {
			return err
		}
	}
	done.Tokens = len(tokens)
	subscribers, err := from.Subscribers(ctx)
	if err != nil {
		return err
	}
	for _, n := range subscribers {
		if err := to.PutSubscriber(ctx, n); err != nil {
			return err
		}
		if err := to.NoteTold(ctx, n.Token, n.Subscription.Endpoint, n.Told); err != nil {
			return err
		}
	}
	if err := copyPasskeys(ctx, from, to, done); err != nil {
		return err
	}
	key, err := from.PeekPushKey(ctx)
	if err != nil || key == nil {
		return err
	}
	kept, err := to.PushKey(ctx, key)
	if err == nil && !bytes.Equal(kept, key) {
		err = notEmpty()
	}
	return err
}

func copyPasskeys(ctx context.Context, from, to Store, done *Copied) error {
	keys, err := from.Passkeys(ctx)
	if err != nil {
		return err
	}
	there, err := to.Passkeys(ctx)
	if err != nil {
		return err
	}
	for _, k := range keys {
		if slices.ContainsFunc(there, func(t passkey.Key) bool { return t.ID == k.ID }) {
			continue // of an earlier try
		}
		if err := to.PutPasskey(ctx, k); err != nil {
			return err
		}
	}
	done.Passkeys = len(keys)
	return nil
}

// copyState saves the next start some time.
func copyState(ctx context.Context, from, to Store) error {
	state, err := from.Load(ctx)
	if err != nil || state.Seq == 0 {
		return err
	}
	return to.Save(ctx, state)
}

// compare checks both chains to their ends, which must be one.
func compare(ctx context.Context, from, to Store, done *Copied) (err error) {
	if done.Seq, done.Hash, err = to.Verify(ctx); err != nil {
		return err
	}
	seq, hash, err := from.Verify(ctx)
	if err == nil && (seq != done.Seq || hash != done.Hash) {
		err = nod.Errorf(nod.Conflict, "somebody wrote to the source meanwhile: stop every hub that uses it, and run this again; it goes on where it stopped")
	}
	return err
}
