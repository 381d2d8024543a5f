package headless

import (
	"sync"
	"time"
)

// pool limits how many programs run. When another one is needed, the one that has
// been idle longest has to go.
type pool struct {
	now    func() time.Time
	most   int
	memory int64 // bytes; 0: no limit

	mu      sync.Mutex
	slots   map[*program]*slot
	claimed int  // slots whose programs are just being started
	wanted  bool // a conversation waits for a slot, so a spare program must not take it
	spare   *program
	changed chan struct{} // closed at the next change
}

// slot is what the pool knows of one program.
type slot struct {
	busy    bool
	since   time.Time // idle since
	leaving bool      // it was asked to go
	leave   func()    // asks its owner to let it go; does not wait
}

func newPool(now func() time.Time, most int, memory int64) *pool {
	return &pool{now: now, most: max(1, most), memory: memory, slots: map[*program]*slot{}, changed: make(chan struct{})}
}

// notify wakes those that wait for a slot; the lock is held.
func (p *pool) notify() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// claim reserves a slot for a program that will be started. When there is none, the
// longest idle program is asked to go, if evict says so, and the channel is closed
// when it is worth trying again.
func (p *pool) claim(evict bool) (ok bool, changed <-chan struct{}) {
	over := p.overMemory()
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.slots) + p.claimed
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
	var longest *slot
	for _, at := range p.slots {
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

// trim evicts one program if all together use too much memory.
func (p *pool) trim() {
	if !p.overMemory() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.evict()
}

// overMemory measures the programs without holding the lock.
func (p *pool) overMemory() bool {
	if p.memory == 0 {
		return false
	}
	p.mu.Lock()
	var pids []int
	for prog := range p.slots {
		pids = append(pids, prog.PID())
	}
	p.mu.Unlock()
	var sum int64
	for _, pid := range pids {
		sum += resident(pid)
	}
	return sum > p.memory
}

// enter gives a claimed slot to its program.
func (p *pool) enter(prog *program, leave func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.claimed--
	p.slots[prog] = &slot{since: p.now(), leave: leave}
	p.notify()
}

// unclaim gives a claimed slot back.
func (p *pool) unclaim() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.claimed--
	p.notify()
}

// work marks a program as busy. It reports false when the program was asked to go.
func (p *pool) work(prog *program) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := p.slots[prog]
	if at == nil || at.leaving {
		return false
	}
	at.busy = true
	return true
}

// rest marks a program as idle.
func (p *pool) rest(prog *program) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if at := p.slots[prog]; at != nil {
		at.busy, at.since = false, p.now()
		p.notify()
	}
}

// leaving reports whether a program was asked to go.
func (p *pool) leaving(prog *program) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := p.slots[prog]
	return at != nil && at.leaving
}

// remove takes out a program that is gone.
func (p *pool) remove(prog *program) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.spare == prog {
		p.spare = nil
	}
	delete(p.slots, prog)
	p.notify()
}

// anyBusy reports whether any program is busy or starting.
func (p *pool) anyBusy() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.claimed > 0 {
		return true
	}
	for _, at := range p.slots {
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

// takeSpare returns the spare program if it is this assistant's; leave asks its new
// owner to let it go.
func (p *pool) takeSpare(who string, leave func()) *program {
	p.mu.Lock()
	defer p.mu.Unlock()
	prog := p.spare
	if prog == nil || prog.who != who || p.slots[prog].leaving {
		return nil
	}
	select {
	case <-prog.Gone():
		return nil // it died meanwhile
	default:
	}
	p.spare = nil
	p.slots[prog].leave = leave
	return prog
}

// spareFor is the assistant that the spare program was started as; "" without one.
func (p *pool) spareFor() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.spare == nil {
		return ""
	}
	return p.spare.who
}
