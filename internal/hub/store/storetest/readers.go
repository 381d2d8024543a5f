package storetest

import (
	"context"
	"fmt"
	"testing"

	"golang.org/x/sync/errgroup"

	"nod"
	"nod/internal/hub"
)

// readersAndWriter lets some follow the log while one writes: each must see
// every event once, in order, and never an end that is not there.
func readersAndWriter(t *testing.T, s hub.Store) {
	const total, readers = 300, 3
	var c Chain
	es := c.Notes(t, total)
	last := es[total-1]
	all, ctx := errgroup.WithContext(t.Context())
	wakes := make([]chan struct{}, readers)
	for i := range wakes {
		wakes[i] = make(chan struct{}, 1)
		all.Go(func() error { return followTo(ctx, s, wakes[i], 7*i+1, last) })
	}
	all.Go(func() error {
		for len(es) > 0 {
			n := min(len(es), 1+int(es[0].Seq%9))
			if err := s.Append(ctx, es[0].Seq-1, es[:n]); err != nil {
				return err
			}
			es = es[n:]
			for _, wake := range wakes {
				select {
				case wake <- struct{}{}:
				default:
				}
			}
		}
		return nil
	})
	if err := all.Wait(); err != nil {
		t.Error(err)
	}
}

func followTo(ctx context.Context, s hub.Store, wake <-chan struct{}, step int, last nod.Event) error {
	var seq nod.Seq
	var hash nod.Hash
	for seq < last.Seq {
		es, err := s.Read(ctx, seq, step)
		if err != nil {
			return err
		}
		for i := range es {
			if err := es[i].Verify(seq, hash); err != nil {
				return err
			}
			seq, hash = es[i].Seq, es[i].Hash
		}
		if len(es) > 0 {
			continue
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if hash != last.Hash {
		return fmt.Errorf("a reader ended with another hash than the writer")
	}
	return nil
}
