package headless

import (
	"sync"
	"time"
)

// pool counts programs: there are never more than may be, and when another one is
// needed the one that is idle longest goes.
type pool struct {
	now    func() time.Time
	most   int
	memory int64 // bytes; 0: no limit

	mu      sync.Mutex
	places  map[*program]*place
	claimed int  // places whose programs are just being started
	wanted  bool // somebody waits for a place: it is not for a spare program
	spare   *program
	changed chan struct{} // closed at the next change
}

// place is one program's.
type place struct {
	busy    bool
	since   time.Time // idle since
	leaving bool      // it was asked to go
	leave   func()    // asks whoever has it; does not wait
}

func newPool(now func() time.Time, most int, memory int64) *pool {
	return &pool{now: now, most: max(1, most), memory: memory, places: map[*program]*place{}, changed: make(chan struct{})}
}

// tell wakes whoever waits for a place; the lock is held.
func (p *pool) tell() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// claim reserves a place for a program that will be started. When there is none,
// the longest idle one is asked to go, if evict says so, and the channel tells when
// to ask again.
func (p *pool) claim(evict bool) (ok bool, changed <-chan struct{}) {
	over := p.overMemory()
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.places) + p.claimed
	if n < p.most && (!over || n == 0) && (evict || !p.wanted) {
		p.claimed++
		p.wanted = p.wanted && !evict
		return true, nil
	}
	if evict {
		p.wanted = true
		p.evict()
	}
	return false, p.changed
}

// evict asks the longest idle program to go, unless one is going already; the lock
// is held.
func (p *pool) evict() {
	var longest *place
	for _, at := range p.places {
		if at.leaving {
			return
		}
		if !at.busy && (longest == nil || at.since.Before(longest.since)) {
			longest = at
		}
	}
	if longest != nil {
		longest.leaving = true
		longest.leave()
	}
}

// trim lets one program go when all together hold too much.
func (p *pool) trim() {
	if !p.overMemory() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.evict()
}

// overMemory looks at the programs without holding anybody up.
func (p *pool) overMemory() bool {
	if p.memory == 0 {
		return false
	}
	p.mu.Lock()
	var pids []int
	for prog := range p.places {
		pids = append(pids, prog.PID())
	}
	p.mu.Unlock()
	var sum int64
	for _, pid := range pids {
		sum += resident(pid)
	}
	return sum > p.memory
}

// enter gives a claimed place to its program.
func (p *pool) enter(prog *program, leave func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.claimed--
	p.places[prog] = &place{since: p.now(), leave: leave}
	p.tell()
}

// forgo gives a claimed place back.
func (p *pool) forgo() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.claimed--
	p.tell()
}

// work notes that a program has something to do. It reports false when the
// program was asked to go: it is too late for that one.
func (p *pool) work(prog *program) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := p.places[prog]
	if at == nil || at.leaving {
		return false
	}
	at.busy = true
	return true
}

// rest notes that a program is idle.
func (p *pool) rest(prog *program) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if at := p.places[prog]; at != nil {
		at.busy, at.since = false, p.now()
		p.tell()
	}
}

// leaving reports whether a program was asked to go.
func (p *pool) leaving(prog *program) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := p.places[prog]
	return at != nil && at.leaving
}

// out notes that a program is gone.
func (p *pool) out(prog *program) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.spare == prog {
		p.spare = nil
	}
	delete(p.places, prog)
	p.tell()
}

// hot reports whether any program works.
func (p *pool) hot() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.claimed > 0 {
		return true
	}
	for _, at := range p.places {
		if at.busy {
			return true
		}
	}
	return false
}

// setSpare keeps a program for the next first question.
func (p *pool) setSpare(prog *program) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.spare = prog
}

// takeSpare gives the spare program away, if it is this assistant's; leave is how
// its new owner is asked to let it go.
func (p *pool) takeSpare(who string, leave func()) *program {
	p.mu.Lock()
	defer p.mu.Unlock()
	prog := p.spare
	if prog == nil || prog.who != who || p.places[prog].leaving {
		return nil
	}
	select {
	case <-prog.Gone():
		return nil // it died while nobody looked
	default:
	}
	p.spare = nil
	p.places[prog].leave = leave
	return prog
}

// spareFor is whose the spare program is; "" when there is none.
func (p *pool) spareFor() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.spare == nil {
		return ""
	}
	return p.spare.who
}
