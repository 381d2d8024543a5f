// Package archive looks after a log as a whole: it copies one to another store,
// takes old events out of it and leaves a signed checkpoint in their place, and
// tells how it is. It sees stores by their ports alone.
package archive

import (
	"context"

	"nod"
	"nod/internal/hub"
	"nod/internal/net/auth"
	"nod/internal/net/passkey"
	"nod/internal/net/push"
)

// Store is a store with everything in it.
type Store interface {
	hub.Store
	auth.TokenStore
	push.Subscriptions
	passkey.KeyStore
	Maintainer
}

// Maintainer is what a store can do with its log as a whole.
type Maintainer interface {
	// Verify checks every link of the chain, from the checkpoint if there is one,
	// and returns where the log ends.
	Verify(ctx context.Context) (nod.Seq, nod.Hash, error)
	// Base is the checkpoint that the log begins with; zero when it is whole.
	Base(ctx context.Context) (nod.Checkpoint, error)
	// Prune puts a checkpoint in the place of all events up to it.
	Prune(ctx context.Context, c nod.Checkpoint) error
	// Restore begins an empty log with the checkpoint of another.
	Restore(ctx context.Context, c nod.Checkpoint) error
	// PeekPushKey is the key of push services, if there is one.
	PeekPushKey(ctx context.Context) ([]byte, error)
}

// reader is the part of a store that is needed to walk along its log.
type reader interface {
	Read(ctx context.Context, after nod.Seq, limit int) ([]nod.Event, error)
}

// page is how many events are taken at once.
const page = 500

// each walks along the log from a place, and checks every link of the chain.
func each(ctx context.Context, r reader, seq nod.Seq, hash nod.Hash, f func(es []nod.Event) error) error {
	for {
		es, err := r.Read(ctx, seq, page)
		if err != nil || len(es) == 0 {
			return err
		}
		for i := range es {
			if err := es[i].Verify(seq, hash); err != nil {
				return err
			}
			seq, hash = es[i].Seq, es[i].Hash
		}
		if err := f(es); err != nil {
			return err
		}
	}
}
