// Package uplink lets the people at a hub elsewhere answer the agents of this machine.
// Agents here still ask the hub here. It keeps working while the other one cannot be
// reached, and reports afterwards what happened meanwhile. Only this side connects.
package uplink

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"nod"
	"nod/internal/agent/link/wire"
	"nod/internal/hub/adapter"
	"nod/internal/sys/pause"

	"github.com/prometheus/client_golang/prometheus"
)

// Far is the hub elsewhere.
type Far interface {
	Hello(ctx context.Context, h wire.Hello) (wire.Welcome, error)
	Tell(ctx context.Context, f wire.Facts) (heard nod.Seq, err error)
	// Orders calls take for each event that concerns this host, until ctx or the
	// connection ends.
	Orders(ctx context.Context, after nod.Seq, take func(nod.Event) error) error
}

// Newer is what a hub of the previous release does not have: it answers NotFound.
type Newer interface {
	// Offer reports the assistants here.
	Offer(ctx context.Context, o wire.Offer) error
	// Stand reports the state here, where the log does not reach back far enough.
	Stand(ctx context.Context, s wire.Standing) (heard nod.Seq, err error)
	// Draft sends what agents here are writing. The answer names the agents whose draft
	// must be sent from its beginning.
	Draft(ctx context.Context, d wire.Drafts) (again []nod.AgentID, err error)
}

// Needs is what the surface needs of others.
type Needs struct {
	Far        Far
	Newer      Newer           // the same hub
	Assistants []nod.Assistant // with whom people elsewhere can open conversations

	// Files that people elsewhere send to agents here. Without these two, messages with
	// files fail.
	Fetch func(ctx context.Context, message nod.MessageID, file string) (io.ReadCloser, error)
	Keep  func(ctx context.Context, name string, r io.Reader) (nod.Attachment, error)
}

// Surface is the connection of this machine to a hub elsewhere.
type Surface struct {
	*link
	orders  orders
	up      atomic.Bool
	problem atomic.Pointer[nod.Error] // why it is not up; nil: it is, or nothing was tried yet
}

// New makes the surface; Run connects it.
func New(c Config, d adapter.Deps, n Needs) *Surface {
	d.Fill()
	l := &link{Deps: d, Needs: n, where: c.Hub, notes: notesFile{file: d.File("link.json")}, failed: make(chan struct{}, 1)}
	return &Surface{link: l, orders: orders{link: l, fetch: make(chan struct{}, 1)}}
}

// Health reports why the hub elsewhere is not connected.
func (u *Surface) Health() error {
	if p := u.problem.Load(); p != nil {
		return p
	}
	return nil
}

// Metrics say whether the hub elsewhere can be heard now.
func (u *Surface) Metrics() []prometheus.Collector {
	o := prometheus.GaugeOpts{Name: "nod_uplink_up", Help: "1 while the hub elsewhere, to which this machine is linked, is there."}
	return []prometheus.Collector{prometheus.NewGaugeFunc(o, func() float64 {
		if u.up.Load() {
			return 1
		}
		return 0
	})}
}

// The back-off between attempts to connect. After a connection of at least goodVisit it
// is short again: what ended it, such as a restart of that hub, is soon over.
const (
	firstWait = 500 * time.Millisecond
	longWait  = 15 * time.Second
	goodVisit = 2 * time.Second
)

// Run keeps connected until ctx ends.
func (u *Surface) Run(ctx context.Context) {
	wait := firstWait
	for ctx.Err() == nil {
		began := time.Now()
		err := u.visit(ctx)
		visited := u.up.Swap(false)
		if visited && time.Since(began) > goodVisit {
			wait = firstWait
		}
		if ctx.Err() == nil {
			u.problem.Store(u.unreached(err))
		}
		switch {
		case visited:
			u.Log.Warn("the hub elsewhere is away; agents here are asked and answered on this machine", "hub", u.where, "err", err)
		case refused(err):
			u.Log.Warn("the hub elsewhere does not let this machine in", "hub", u.where, "err", err, "again", wait)
		case ctx.Err() == nil:
			u.Log.Info("the hub elsewhere cannot be reached", "hub", u.where, "err", err, "again", wait)
		}
		if !pause.For(ctx, wait/2+rand.N(wait)) { // not all machines at once
			return
		}
		wait = min(2*wait, longWait)
	}
}

// unreached is why there is no connection, in words for a person.
func (u *Surface) unreached(err error) *nod.Error {
	if refused(err) {
		return nod.Errorf(nod.Unavailable, "the hub at %s does not let this machine in: %s", u.where, nod.MessageOf(err)).Because(err)
	}
	why := ""
	var ours *nod.Error
	if errors.As(err, &ours) {
		why = ": " + ours.Message
	}
	return nod.Errorf(nod.Unavailable, "the hub at %s cannot be reached; agents here are asked and answered on this machine%s", u.where, why).Because(err)
}

// refused reports whether the hub elsewhere said no, rather than nothing.
func refused(err error) bool {
	switch nod.CodeOf(err) {
	case nod.Unauthorized, nod.Forbidden, nod.Conflict:
		return err != nil
	}
	return false
}

// visit is one connection: say hello, then report and take orders until either breaks.
func (u *Surface) visit(ctx context.Context) error {
	known, err := u.notes.get()
	if err != nil {
		return err
	}
	if known.Log, err = u.logName(ctx, known.Log); err != nil {
		return err
	}
	welcome, err := u.Far.Hello(ctx, wire.Hello{Version: u.Version, Log: known.Log, Pending: u.pending()})
	if err != nil {
		return err
	}
	err = u.Newer.Offer(ctx, wire.Offer{Assistants: append([]nod.Assistant{}, u.Assistants...)})
	if err != nil && nod.CodeOf(err) != nod.NotFound { // without offers, the connection still works
		u.Log.Warn("nobody can open conversations here from elsewhere", "hub", u.where, "err", err)
	}
	u.up.Store(true)
	u.problem.Store(nil)
	u.Log.Info("linked", "hub", u.where, "known", welcome.Heard)
	for _, r := range welcome.Decided {
		if err := u.orders.decide(ctx, &r); err != nil {
			return err
		}
	}
	if known.Orders == 0 || known.Orders > welcome.Head { // never linked, or the log there is a new one
		known.Orders = welcome.Head
	}
	if err := u.notes.change(func(n *notes) { n.Log, n.Orders = known.Log, known.Orders }); err != nil {
		return err
	}
	return runAll(ctx,
		func(ctx context.Context) error { return (&reporter{u.link, known.Log}).run(ctx, welcome.Heard) },
		u.orders.runErrands,
		u.sendDrafts,
		func(ctx context.Context) error { return u.orders.listen(ctx, known.Orders) })
}

// runAll runs functions until the first of them ends, and returns why it did.
func runAll(ctx context.Context, things ...func(context.Context) error) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	var all sync.WaitGroup
	for _, do := range things {
		all.Go(func() { end(do(ctx)) })
	}
	all.Wait()
	return context.Cause(ctx)
}

// logName identifies this host's log by its first event, so that a new log is not mistaken
// for the old one. A log whose beginning was pruned keeps its name.
func (u *Surface) logName(ctx context.Context, before string) (string, error) {
	for e, err := range u.Hub.Link("uplink").Follow(ctx, 0) {
		if err != nil && nod.CodeOf(err) == nod.Gone {
			base, err := u.Hub.Desk(u.viewer()).Base(ctx)
			if err == nil && !base.IsZero() {
				return cmp.Or(before, base.Hash.String()), nil
			}
			return cmp.Or(before, "pruned"), err
		}
		return e.Hash.String(), err
	}
	return "", context.Cause(ctx)
}

func (u *Surface) pending() []nod.RequestID {
	ids := []nod.RequestID{}
	u.Hub.Look(func(s *nod.State) {
		for _, r := range s.PendingOf("") {
			ids = append(ids, r.ID)
		}
	})
	return ids
}
