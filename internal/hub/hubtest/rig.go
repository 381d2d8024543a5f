// Package hubtest is for tests alone: a hub on a store in memory, and what nearly
// every test of an adapter does with it.
//
//	g := hubtest.New(t, hubtest.Options{})                  // a hub that closes with the test
//	g := hubtest.New(t, hubtest.Options{Settle: synctest.Wait}) // in a synctest bubble
//	g.Run(surface.Run)                                      // runs beside the test, ends before the hub
//	g.Agent("garden", nod.AgentWorking)                     // an agent reports
//	g.Ask(hubtest.Approval("r1"))                           // and asks
//	g.Decide("r1", nod.VerdictAllow)                        // Anna answers
//	g.Await(func(e *nod.Event) bool { … })                  // a fact is in the log
//	g.Close(); g.Open()                                     // a restart on the same store
//	web := g.Serve(surface.Routes()...)                     // routes behind a gate, see Web
//	hubs := hubtest.Several(t, hub.Options{}, store, store) // hubs on a shared store
//
// An adapter's rig embeds *Rig and adds what is its own. Judge makes a policy of a
// function, Faulty is a store that fails on demand, Shared one for several hubs, Logs a log
// to look into.
package hubtest

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/store/mem"
)

// All is every right.
var All = nod.RightsOf(nod.Raise, nod.View, nod.Answering, nod.Admin)

// Anna is a person who sees and answers.
var Anna = nod.Actor{Kind: nod.ActorPerson, Name: "anna", Via: "web", Rights: nod.RightsOf(nod.View, nod.Answering)}

// Options say what a hub is opened with.
type Options struct {
	hub.Options
	Store  hub.Store // nil: an empty one in memory
	Settle func()    // called after everything the rig does: synctest.Wait in a bubble; nil: nothing
}

// Rig is a hub, a driver that asks and a person who answers.
type Rig struct {
	testing.TB
	Options Options // a change counts from the next Open
	Hub     *hub.Hub
	Link    hub.Link // of a driver called "test"
	Logs    *Logs    // what the hub says, and everything that uses Log

	open  bool
	stops []func()
}

// New opens a hub that closes with the test.
func New(t testing.TB, o Options) *Rig {
	t.Helper()
	if o.Store == nil {
		o.Store = mem.New()
	}
	o.Version = cmp.Or(o.Version, "test")
	g := &Rig{TB: t, Options: o, Logs: &Logs{}}
	g.Open()
	t.Cleanup(g.Close)
	return g
}

// Open opens the hub again after Close, on the same store.
func (g *Rig) Open() {
	g.Helper()
	o := g.Options.Options
	if o.Log == nil {
		o.Log = g.Log()
	}
	h, err := hub.Open(g.Context(), g.Options.Store, o)
	if err != nil {
		g.Fatal(err)
	}
	g.Hub, g.Link, g.open = h, h.Link("test"), true
}

// Close ends everything that runs, and then the hub.
func (g *Rig) Close() {
	g.Helper()
	g.Stop()
	if !g.open {
		return
	}
	g.open = false
	if err := g.Hub.Close(context.Background()); err != nil {
		g.Error(err)
	}
}

// Run does some work until Stop or the end of the test.
func (g *Rig) Run(work func(context.Context)) {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { work(ctx) })
	g.stops = append(g.stops, func() { cancel(); running.Wait() })
	g.settle()
}

// Stop ends everything that Run started, the last first.
func (g *Rig) Stop() {
	for _, stop := range slices.Backward(g.stops) {
		stop()
	}
	g.stops = nil
}

// Log is a log that Logs keeps.
func (g *Rig) Log() *slog.Logger {
	return slog.New(slog.NewTextHandler(g.Logs, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// Deps is what adapters are built on.
func (g *Rig) Deps() hub.Deps { return hub.Deps{Hub: g.Hub, Log: g.Log()} }

func (g *Rig) settle() {
	if g.Options.Settle != nil {
		g.Options.Settle()
	}
}

func (g *Rig) must(err error) {
	g.Helper()
	if err != nil {
		g.Fatal(err)
	}
	g.settle()
}

// Report records facts as a driver does.
func (g *Rig) Report(facts ...hub.Fact) {
	g.Helper()
	g.must(g.Link.Report(g.Context(), facts...))
}

// Agent brings an agent into a state. A new one is called like its id.
func (g *Rig) Agent(id nod.AgentID, state nod.AgentState, change ...func(*nod.Agent)) {
	g.Helper()
	g.Report(hub.Agent(id, func(a *nod.Agent, now time.Time) {
		a.Kind, a.Name = cmp.Or(a.Kind, "claude"), cmp.Or(a.Name, string(id))
		a.Enter(state, now)
		for _, f := range change {
			f(a)
		}
	}))
}

// Ask raises a request.
func (g *Rig) Ask(r nod.Request) *nod.Request {
	g.Helper()
	raised, err := g.Link.Ask(g.Context(), r)
	g.must(err)
	return raised
}

// Desk is that of Anna.
func (g *Rig) Desk() hub.Desk { return g.Hub.Desk(Anna) }

// Decide has Anna allow or deny a request.
func (g *Rig) Decide(id nod.RequestID, v nod.Verdict) {
	g.Helper()
	g.Answer(Anna, id, nod.Answer{Verdict: v})
}

// Answer has an actor answer a request.
func (g *Rig) Answer(by nod.Actor, id nod.RequestID, a nod.Answer) {
	g.Helper()
	_, err := g.Hub.Desk(by).Decide(g.Context(), id, a)
	g.must(err)
}

// Request finds a request as it is now.
func (g *Rig) Request(id nod.RequestID) *nod.Request {
	g.Helper()
	r, err := g.Link.Request(g.Context(), id)
	if err != nil {
		g.Fatal(err)
	}
	return r
}

// awaitTime is how long Await waits before the test fails.
const awaitTime = time.Minute

// Await waits for a fact, from the beginning of the log.
func (g *Rig) Await(is func(e *nod.Event) bool) nod.Event {
	g.Helper()
	ctx, cancel := context.WithTimeout(g.Context(), awaitTime)
	defer cancel()
	for e, err := range g.Link.Follow(ctx, 0) {
		if err != nil {
			g.Fatal(err)
		}
		if is(&e) {
			return e
		}
	}
	g.Fatal("the fact is not in the log")
	return nod.Event{}
}

// Several opens hubs on a store that they share: hub0 on host0, and so on. They close
// with the test.
func Several(t testing.TB, opt hub.Options, stores ...hub.Store) []*hub.Hub {
	t.Helper()
	var hubs []*hub.Hub
	for i, s := range stores {
		own := opt
		own.Name, own.Host = fmt.Sprint("hub", i), fmt.Sprint("host", i)
		hubs = append(hubs, New(t, Options{Options: own, Store: s}).Hub)
	}
	return hubs
}
