// Package claude connects Claude Code to the hub through its hooks: what hooks report
// becomes facts, what they ask becomes requests, and decisions go back through the hook
// that waits.
package claude

import (
	"context"
	"sync"
	"time"

	"nod"
	"nod/internal/agent/claude/asking"
	"nod/internal/agent/claude/wire"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/net/httpd"
	"nod/internal/sys/timers"
)

// Kind is what an Agent of this driver says it is.
const Kind = asking.Kind

// Needs is what the driver needs of others.
type Needs struct{ Processes Processes }

// Processes is what the driver must know of processes on this machine.
type Processes interface {
	// Claude is the identity of the Claude Code process behind a hook's connection on
	// this machine: the claimed pid if it is a close ancestor of the process that
	// connected, otherwise that process's parent. A claim alone proves nothing; without
	// one (0) there is no Claude Code.
	Claude(ctx context.Context, claimed int) (pid int, start uint64, ok bool)
	// Alive reports whether the process with this pid and start time still runs.
	Alive(pid int, start uint64) bool
}

// Driver is the hub's side of the hooks.
type Driver struct {
	Config
	adapter.Deps
	Needs
	link   hub.Link
	intake *intake
	timing timing
	timers timers.Group // they end with Run

	mu       sync.Mutex
	sessions map[nod.AgentID]*session
}

// timing is how long a hook may be away before its request is withdrawn.
type timing struct {
	local  time.Duration // a hook on this machine
	remote time.Duration // a hook elsewhere, whose network may be away
}

const (
	// hookTimeout is how long Claude Code lets a waiting hook live.
	hookTimeout = 24 * time.Hour
	// expiry is a request's life: a little less than its hook's.
	expiry = hookTimeout - time.Minute
	// notifiedTime replaces hand_back when a person was notified, who needs time to
	// take out a phone.
	notifiedTime = 3 * time.Minute
	// lookInterval is how often the status files of busy agents are read.
	lookInterval = time.Second
)

// New makes the driver. Run must run beside its routes.
func New(c Config, d adapter.Deps, n Needs) *Driver {
	d.Fill()
	driver := &Driver{
		Config: c, Deps: d, Needs: n, link: d.Hub.Link(Kind), sessions: map[nod.AgentID]*session{},
		timing: timing{local: 5 * time.Second, remote: 2 * time.Minute},
	}
	driver.intake = &intake{driver: driver, waiting: newWaitingHooks(driver)}
	return driver
}

// Routes are the endpoints that hooks call.
func (d *Driver) Routes() []httpd.Route { return d.intake.routes() }

// Run serves the hooks that wait and watches the agents of this machine, until ctx
// ends.
func (d *Driver) Run(ctx context.Context) {
	defer d.timers.Close()
	var all sync.WaitGroup
	all.Go(func() { d.intake.run(ctx) })
	all.Go(func() { d.watchAgents(ctx) })
	all.Wait()
}

// Call is one run of a hook.
type Call struct {
	Payload wire.Payload
	Ask     nod.RequestID // chosen by a hook that waits
	Again   bool          // it has asked before
	Host    string
	PID     int
	Pane    string
	Tmux    string // socket of the tmux server that has the pane
	Run     string // socket of nod run; a claim to check before dialling
	Status  string // path of the session's status file
	Entry   string // how Claude Code was started, as it calls that itself
	Resets  int64  // when a usage limit ends, in seconds since 1970; 0 when unknown
	Local   bool   // it came through the Unix socket of this machine
}

func (c Call) agent() nod.AgentID { return nod.AgentID(c.Payload.Session) }

// Observe takes a hook that does not wait. It returns when the order of facts is fixed,
// without waiting for the disk.
func (d *Driver) Observe(ctx context.Context, c Call) error {
	facts := d.facts(ctx, c)
	return d.link.Note(ctx, facts...)
}

// Raise records what a waiting hook asks. When it returns nil the request is on
// disk and can be answered.
func (d *Driver) Raise(ctx context.Context, c Call) (*nod.Request, error) {
	if c.Again {
		// A busy hub soon forgets settled requests and would ask again; the log has them.
		if old, err := d.link.Recall(ctx, c.Ask); err == nil && old.ID == c.Ask && old.Settled() {
			return old, nil
		}
	}
	r, err := asking.Ask(c.Ask, c.Payload)
	if err != nil {
		return nil, err
	}
	r.Agent.Host = c.Host
	if c.Entry == wire.HeadlessEntry {
		r.Dialog = nod.DialogNever
	}
	r.Call = d.session(c.agent()).claim(c.Payload)
	expires := d.Now().Add(expiry)
	r.ExpiresAt = &expires
	if err := d.link.Note(ctx, d.present(ctx, c)); err != nil {
		return nil, err
	}
	return d.link.Ask(ctx, r)
}

// Watch handles a request while its hook waits, until stop is called. The channel closes
// when the request is settled.
func (d *Driver) Watch(r *nod.Request) (settled <-chan struct{}, stop func()) {
	stop = func() {}
	if r.Dialog != nod.DialogBeside {
		stop = d.handBackUnwatched(r.ID)
	}
	return d.link.Settled(r.ID), stop
}

// Outcome is what the hook writes for a settled request.
func (d *Driver) Outcome(ctx context.Context, id nod.RequestID) []byte {
	r, err := d.link.Request(ctx, id)
	if err != nil {
		d.Log.Error("a settled request was not found; the terminal decides", "request", id, "err", err)
		return nil
	}
	return d.Answer(r)
}

// Answer is what the hook writes for a settled request; nothing means that the
// terminal decides.
func (d *Driver) Answer(r *nod.Request) []byte {
	out, err := answer(r)
	if err != nil {
		d.Log.Error("a decision could not be put into Claude Code's words; the terminal decides", "request", r.ID, "err", err)
		return nil
	}
	return out
}

// handBackUnwatched withdraws a request that blocks its agent when no viewer has followed
// the log for a while: a person at the terminal must not wait for a dialog that the hook
// hides, nor a script for an answer that cannot come.
func (d *Driver) handBackUnwatched(id nod.RequestID) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		step := d.HandBack / 10
		tick := time.NewTicker(step)
		defer tick.Stop()
		for alone := time.Duration(0); alone < d.patience(id); {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if alone += step; d.Hub.Viewers() > 0 {
				alone = 0
			}
		}
		d.report(hub.Withdraw(id, nod.Withdrawal{Reason: nod.WithdrawnHandedBack}))
	}()
	return cancel
}

// patience is how long a request is held without a viewer.
func (d *Driver) patience(id nod.RequestID) time.Duration {
	patience := d.HandBack
	d.link.State(func(s *nod.State) {
		if r, ok := s.Requests[id]; ok {
			if _, told := r.Receipt(nod.StepTold); told {
				patience = max(patience, notifiedTime)
			}
		}
	})
	return patience
}

// report records facts without a caller that waits for them.
func (d *Driver) report(facts ...hub.Fact) {
	if err := d.link.Report(context.Background(), facts...); err != nil {
		d.Log.Warn("a fact was not recorded", "err", err)
	}
}
