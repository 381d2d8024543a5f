// Package hub is the engine of the house: it alone writes the log, and it is
// the only place where a rule meets a fact. It calls no adapter; surfaces and
// drivers follow the log, so a slow one is merely late.
package hub

import (
	"context"
	"crypto/rand"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"nod"
)

// Hub holds the state that the log says, and a way to add to the log.
type Hub struct {
	store  Store
	name   string // empty when it is alone
	host   string
	holder string // of leases between hubs
	shared bool   // other hubs write to the same log
	away   bool   // the shared log cannot be read; the writer's

	beatenAt  time.Time    // when another hub was first, the last time; the writer's
	turnsTill time.Time    // until when hubs take turns; the writer's
	turnAt    atomic.Int64 // when this hub last had a turn, in nanoseconds
	busy      atomic.Bool  // it has one turn after the other

	clock  clock
	now    func() time.Time
	log    *slog.Logger
	policy Policy
	proof  proof
	count  func(Commit) // nil: nobody counts

	assistants []nod.Assistant
	drafts     drafts

	commands chan *command // to the writer
	closing  chan struct{}
	done     chan struct{} // the writer has ended

	mu      sync.RWMutex // over everything below; held for memory work only
	state   nod.State    // committed facts only
	tail    []nod.Event  // the newest committed events, contiguous up to state.Seq
	weight  int          // bytes of the tail
	wake    chan struct{}
	settled map[nod.RequestID]chan struct{} // closed when that request is settled
	viewers map[*viewer]struct{}

	expiry    expiry
	elsewhere atomic.Bool // somebody follows another hub, and could answer
	saving    sync.Mutex  // held while the state is saved
	beside    sync.WaitGroup
	end       context.CancelFunc // of what runs beside the writer
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
	Count      func(Commit)    // hears of every commit, in the writer: it only counts; nil: nobody
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
	_, shared := store.(Watcher)
	if !shared {
		opt.Name = ""
	}
	h := &Hub{
		store: store, name: opt.Name, host: opt.Host, holder: opt.Name + "/" + rand.Text(), shared: shared, log: opt.Log, policy: withoutLeases(opt.Policy, opt.Proof), proof: opt.Proof,
		assistants: opt.Assistants, count: opt.Count, drafts: drafts{of: map[nod.AgentID]*draft{}, between: newBetween(store)},
		commands: make(chan *command, 1024),
		closing:  make(chan struct{}),
		done:     make(chan struct{}),
		state:    state,
		wake:     make(chan struct{}),
		settled:  map[nod.RequestID]chan struct{}{},
		viewers:  map[*viewer]struct{}{},
	}
	life, end := context.WithCancel(context.Background())
	h.end = end
	h.clock.now = opt.Now
	h.now = h.clock.read
	h.setClock(ctx)
	for _, r := range state.PendingOf("") {
		h.settled[r.ID] = make(chan struct{})
	}
	h.expiry.start(h, &state)
	go h.write(state.Clone())
	err = h.commit(ctx, func(_ *nod.State, now time.Time) ([]nod.Event, error) {
		e := nod.Event{Kind: nod.HubStarted, Note: opt.Version}
		if h.name == "" {
			return []nod.Event{e}, nil
		}
		e.By = &nod.Actor{Kind: nod.ActorSystem, Name: h.name}
		return []nod.Event{e, h.present(opt.Version, now)}, nil
	})
	if err != nil {
		_ = h.Close(context.WithoutCancel(ctx))
		return nil, err
	}
	if shared {
		h.beside.Go(func() { h.keepUp(life, state.Seq) })
		h.beside.Go(func() { h.meetOthers(life) })
		h.beside.Go(func() { h.AsLeader("presence", h.missOthers)(life) })
	}
	if crier, ok := store.(Broadcaster); ok && shared {
		h.beside.Go(func() { h.tellWriting(life, crier) })
		h.beside.Go(func() { h.hearWriting(life, crier) })
	}
	return h, nil
}

// Name tells this hub from others that share its log; it is empty when there are
// none.
func (h *Hub) Name() string { return h.name }

// replay is the state at the head of the log: the newest saved one, brought up
// to date. A saved state that does not fit the log is left aside, because the
// log is the truth and the saved state only saves time.
func replay(ctx context.Context, store Store) (nod.State, error) {
	state, err := store.Load(ctx)
	if err != nil {
		return nod.State{}, err
	}
	fromSaved := state.Current()
	for anew := !fromSaved; ; {
		if anew {
			if state, err = beginning(ctx, store); err != nil {
				return nod.State{}, err
			}
			anew, fromSaved = false, false
		}
		es, err := store.Read(ctx, state.Seq, 1000)
		if err != nil && nod.CodeOf(err) == nod.Gone && fromSaved {
			anew = true
			continue
		}
		if err != nil {
			return nod.State{}, err
		}
		if len(es) == 0 {
			return state, nil
		}
		for i := range es {
			if err := es[i].Verify(state.Seq, state.Hash); err != nil {
				if anew = fromSaved; anew { // maybe only the saved state is wrong
					break
				}
				return nod.State{}, nod.Errorf(nod.Internal, "the log is damaged: %s. Look at it with `nod log verify`; a copy of nod.db from before the damage can be put back", nod.MessageOf(err)).Because(err)
			}
			state.Apply(&es[i])
		}
	}
}

// beginning is the state before the first event that is kept: none, or that of the
// checkpoint which stands for what was pruned.
func beginning(ctx context.Context, store Store) (nod.State, error) {
	p, ok := store.(Pruned)
	if !ok {
		return nod.NewState(), nil
	}
	c, err := p.Base(ctx)
	return c.Base(), err
}

// Close ends the writer after what it has taken, and saves the state so that
// the next start is quick.
func (h *Hub) Close(ctx context.Context) error {
	select {
	case <-h.closing:
	default:
		close(h.closing)
	}
	<-h.done
	h.end()
	h.beside.Wait()
	h.expiry.stop()
	h.mu.RLock()
	state := h.state
	h.mu.RUnlock()
	return h.store.Save(ctx, state)
}

// Head is the place and hash of the newest fact.
func (h *Hub) Head() (nod.Seq, nod.Hash) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.state.Seq, h.state.Hash
}

// Viewers counts the doors that follow the log now and could answer; all those
// at other hubs count as one. A driver asks it before it holds back the agent's
// own dialog for a remote answer.
func (h *Hub) Viewers() int {
	h.mu.RLock()
	defer h.mu.RUnlock()
	n := 0
	for v := range h.viewers {
		if v.answers {
			n++
		}
	}
	if h.elsewhere.Load() {
		n++
	}
	return n
}

// Look shows the committed state without copying it; f must not keep or change
// what it sees, nor take its time.
func (h *Hub) Look(f func(s *nod.State)) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	f(&h.state)
}
