// Package hub is the engine of nod: it alone writes the log, and it is
// the only place where a rule meets a fact. It calls no adapter; surfaces and
// drivers follow the log, so a slow one is merely late.
package hub

import (
	"cmp"
	"context"
	"crypto/rand"
	"log/slog"
	"sync"
	"time"

	"nod"
)

// Hub holds the state that the log says, and a way to add to the log. Its parts have
// their own fields and locks; the Hub opens and closes them.
type Hub struct {
	store  Store
	name   string // of this hub, where several share a log; otherwise empty
	host   string
	log    *slog.Logger
	clock  clock
	view   *published
	writer *writer
	judge  judge

	history    history
	viewers    viewers
	drafts     drafts
	assistants []nod.Assistant
	leases     *hubLeases // nil: this hub is alone on its log

	beside sync.WaitGroup // what runs beside the writer
	end    context.CancelFunc
}

// Options are the things a Hub cannot know by itself.
type Options struct {
	Now     func() time.Time // nil: time.Now
	Log     *slog.Logger     // nil: discard
	Policy  Policy           // nil: everything is a person's
	Proof   []string         // levels of risk that take a passkey to allow
	Version string           // noted in the log at start
	Name    string           // which of several hubs on one log this is: its own, and the same at every start
	Host    string           // what agents on this machine call it

	Assistants []nod.Assistant // whom conversations can be opened with
	Count      func(Commit)    // called for every commit, in the writer: it must be quick; nil: none
}

// Open reads the log and starts the writer. Close ends it.
func Open(ctx context.Context, store Store, opt Options) (*Hub, error) {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	state, err := replay(ctx, store)
	if err != nil {
		return nil, err
	}
	state.Index()
	watcher, shared := store.(Watcher)
	if !shared {
		opt.Name = ""
	}
	h := &Hub{
		store: store, name: opt.Name, host: opt.Host, log: opt.Log, clock: clock{local: opt.Now},
		judge: judge{withoutLeases(opt.Policy, opt.Proof), opt.Proof}, assistants: opt.Assistants,
		drafts: drafts{of: map[nod.AgentID]*draft{}},
	}
	h.clock.set(ctx, store, h.log)
	expiry := newExpiry(h.clock.now)
	h.view = newPublished(state, expiry.watch)
	h.history = history{store, h.view}
	h.writer = newWriter(h, shared, opt.Count)
	life, end := context.WithCancel(context.Background())
	h.end = end
	go h.writer.run(state.Clone())
	if err := h.recordStart(ctx, opt.Version); err != nil {
		_ = h.Close(context.WithoutCancel(ctx))
		return nil, err
	}
	h.beside.Go(func() { expiry.run(life, h.writer, h.log) })
	if shared {
		h.joinPeers(life, watcher, state.Seq)
	}
	return h, nil
}

func (h *Hub) recordStart(ctx context.Context, version string) error {
	return h.writer.commit(ctx, func(_ *nod.State, now time.Time) ([]nod.Event, error) {
		e := nod.Event{Kind: nod.HubStarted, Note: version}
		if h.name == "" {
			return []nod.Event{e}, nil
		}
		e.By = &nod.Actor{Kind: nod.ActorSystem, Name: h.name}
		here := &nod.Host{Name: cmp.Or(h.host, h.name), Hub: h.name, Version: version, Up: true, Since: now}
		return []nod.Event{e, {Kind: nod.HostChanged, Host: here}}, nil
	})
}

// joinPeers starts what hubs on one log do for each other, until ctx ends.
func (h *Hub) joinPeers(ctx context.Context, watcher Watcher, from nod.Seq) {
	holder := h.name + "/" + rand.Text()
	h.beside.Go(func() { h.writer.peers.run(ctx, watcher, from, h.writer.commands) })
	h.beside.Go(func() { h.clock.run(ctx, h.store, h.log) })
	if leaser, ok := h.store.(Leaser); ok {
		h.leases = &hubLeases{store: leaser, holder: holder, log: h.log}
		p := &presence{name: h.name, leases: h.leases, view: h.view, commit: h.writer.commit, log: h.log}
		h.beside.Go(func() { p.announce(ctx, &h.viewers) })
		h.beside.Go(func() { h.leases.runAsLeader(ctx, "presence", p.watch) })
	}
	if broadcaster, ok := h.store.(Broadcaster); ok {
		x := newDraftExchange(&h.drafts, broadcaster, holder, h.elsewhere)
		h.beside.Go(func() { x.send(ctx) })
		h.beside.Go(func() { x.receive(ctx) })
	}
}

// Close ends the writer after what it has taken, and saves the state so that
// the next start is quick.
func (h *Hub) Close(ctx context.Context) error {
	h.writer.close()
	h.end()
	h.beside.Wait()
	return h.store.Save(ctx, h.view.copyWith())
}

// Name is the name of this hub among those that share its log; empty when it is alone.
func (h *Hub) Name() string { return h.name }

// shared reports whether other hubs may write to the same log.
func (h *Hub) shared() bool { return h.writer.peers.shared }

// Now is the time by which this hub goes, and all that share its log: deadlines of
// requests and leases refer to it.
func (h *Hub) Now() time.Time { return h.clock.now() }

// Head is the place and hash of the newest fact.
func (h *Hub) Head() (nod.Seq, nod.Hash) { return h.view.head() }

// Look shows the committed state without copying it; f must not keep or change
// what it sees, nor take its time.
func (h *Hub) Look(f func(s *nod.State)) { h.view.look(f) }
