package hubtest

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/store/mem"
)

// Judge is a policy that is one function.
type Judge func(r *nod.Request, leases []*nod.Lease) hub.Judgement

// Judge implements hub.Policy.
func (j Judge) Judge(r *nod.Request, leases []*nod.Lease) hub.Judgement { return j(r, leases) }

// Check implements hub.Policy: a lease can have any rule.
func (Judge) Check([]string) error { return nil }

// Faulty is a store that fails on demand.
type Faulty struct {
	*mem.Store
	append, read atomic.Pointer[nod.Error]
}

// NewFaulty is an empty one that works.
func NewFaulty() *Faulty { return &Faulty{Store: mem.New()} }

// FailAppend makes every append fail with err; nil: no more.
func (f *Faulty) FailAppend(err *nod.Error) { f.append.Store(err) }

// FailRead makes every read fail with err; nil: no more.
func (f *Faulty) FailRead(err *nod.Error) { f.read.Store(err) }

// Append implements hub.Store.
func (f *Faulty) Append(ctx context.Context, after nod.Seq, es []nod.Event) error {
	if err := f.append.Load(); err != nil {
		return err
	}
	return f.Store.Append(ctx, after, es)
}

// Read implements hub.Store.
func (f *Faulty) Read(ctx context.Context, after nod.Seq, limit int) ([]nod.Event, error) {
	if err := f.read.Load(); err != nil {
		return nil, err
	}
	return f.Store.Read(ctx, after, limit)
}

// Logs keeps what several goroutines log.
type Logs struct {
	mu sync.Mutex
	b  strings.Builder
}

// Write implements io.Writer.
func (l *Logs) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

// String is everything that was logged.
func (l *Logs) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
