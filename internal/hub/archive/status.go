package archive

import (
	"context"
	"time"

	"nod"
)

// Inspector shows a store without changing it.
type Inspector interface {
	Read(ctx context.Context, after nod.Seq, limit int) ([]nod.Event, error)
	Head(ctx context.Context) (nod.Seq, nod.Hash, error)
	Base(ctx context.Context) (nod.Checkpoint, error)
	Size(ctx context.Context) (int64, error)
	Place() string
}

// server is implemented by an Inspector whose store several hubs may share.
type server interface {
	Server(ctx context.Context) (version string, hubs int, err error)
}

// Status is how a store is.
type Status struct {
	Place     string        `json:"place"`
	Server    string        `json:"server,omitempty"`
	Hubs      int           `json:"hubs,omitempty"` // that listen to it now
	Events    nod.Seq       `json:"events"`
	Head      nod.Seq       `json:"head"`
	Hash      nod.Hash      `json:"hash"`
	Oldest    *time.Time    `json:"oldest,omitempty"`
	Newest    *time.Time    `json:"newest,omitempty"`
	Bytes     int64         `json:"bytes"`
	RoundTrip time.Duration `json:"round_trip_ns"` // one question and its answer

	Pruned *Beginning `json:"pruned,omitempty"`
}

// Beginning is what is left of the events that were taken out.
type Beginning struct {
	Seq    nod.Seq   `json:"seq"`
	At     time.Time `json:"at"`
	Signer string    `json:"signer"`
	Valid  bool      `json:"valid"` // the signature fits
}

// Look tells how a store is. It reads little.
func Look(ctx context.Context, g Inspector, now func() time.Time) (s Status, err error) {
	s.Place = g.Place()
	if s.Head, s.Hash, err = g.Head(ctx); err != nil {
		return s, err
	}
	began := now() // the first question may have had to connect
	base, err := g.Base(ctx)
	if err != nil {
		return s, err
	}
	s.RoundTrip, s.Events = now().Sub(began), s.Head-base.Seq
	if !base.IsZero() {
		s.Pruned = &Beginning{base.Seq, base.At, base.Signer(), base.Verify() == nil}
	}
	if s.Bytes, err = g.Size(ctx); err != nil {
		return s, err
	}
	if other, ok := g.(server); ok {
		if s.Server, s.Hubs, err = other.Server(ctx); err != nil {
			return s, err
		}
	}
	if s.Events == 0 {
		return s, nil
	}
	if s.Oldest, err = at(ctx, g, base.Seq); err != nil {
		return s, err
	}
	s.Newest, err = at(ctx, g, s.Head-1)
	return s, err
}

// at is when the event after a place happened; none if it is gone by now.
func at(ctx context.Context, g Inspector, after nod.Seq) (*time.Time, error) {
	es, err := g.Read(ctx, after, 1)
	if err != nil && nod.CodeOf(err) == nod.Gone || err == nil && len(es) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &es[0].At, nil
}
