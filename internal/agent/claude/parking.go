package claude

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"nod"
	"nod/internal/agent/claude/wire"
)

// lot is where hooks of this machine wait. A server would keep two goroutines
// and its buffers for each; a parked one costs a connection and a goroutine that
// only notices its end. One follower of the log brings all of them their answers.
type lot struct {
	intake *Intake

	mu     sync.Mutex
	parked map[nod.RequestID][]*parked // more than one for a moment, when a hook comes back
}

// parked is one waiting hook.
type parked struct {
	id   nod.RequestID
	conn net.Conn
	stop func() // ends the care for its request

	mu   sync.Mutex // over writing
	over bool       // the last line was written, or the hook is gone
}

func newLot(in *Intake) *lot {
	return &lot{intake: in, parked: map[nod.RequestID][]*parked{}}
}

// What goes over the wire: a chunked answer, so that a hook can tell an end from
// a hub that went away.
const (
	answerHead = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
	emptyLine  = "1\r\n\n\r\n"
	answerEnd  = "0\r\n\r\n"
)

// writeTime is how long a hook may take to read a line; it does nothing else.
const writeTime = 5 * time.Second

// wordTime is how long a hook has to tell that Claude Code got its answer.
const wordTime = 10 * time.Second

// park takes a connection over from the server and says that the request is
// stored. It reports false when the server cannot let go of it.
func (l *lot) park(w http.ResponseWriter, r *nod.Request) bool {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return false
	}
	_, stop := l.intake.driver.Watch(r)
	p := &parked{id: r.ID, conn: conn, stop: stop}
	// Before anybody can find it: the head comes before an answer that is there already.
	_ = conn.SetReadDeadline(time.Time{}) // the server had its own
	p.write(answerHead + emptyLine)
	l.intake.count(r.ID, +1)
	l.mu.Lock()
	l.parked[r.ID] = append(l.parked[r.ID], p)
	l.mu.Unlock()
	go l.watch(p)
	l.bringSettled(r.ID) // before it was parked, so the follower may have passed it by
	return true
}

// bringSettled gives hooks their last line if their request is settled already.
func (l *lot) bringSettled(id nod.RequestID) {
	select {
	case <-l.intake.driver.link.Settled(id):
		l.bring(id)
	default:
	}
}

// watch notices that a hook has gone, or has given its answer to Claude Code:
// the one byte that hooks ever send.
func (l *lot) watch(p *parked) {
	var word [1]byte
	n, _ := p.conn.Read(word[:])
	_ = p.conn.Close()
	l.remove(p)
	switch early := p.end(); {
	case early:
		l.intake.lost(p.id, true)
	case n == 1 && word[0] == wire.DeliveredMark:
		if err := l.intake.driver.Hear(context.Background(), p.id, wire.HookReport{Event: wire.Delivered}); err != nil {
			l.intake.driver.log.Warn("a delivery was not recorded", "request", p.id, "err", err)
		}
	}
}

func (l *lot) remove(p *parked) {
	l.mu.Lock()
	rest := l.parked[p.id][:0:0]
	for _, other := range l.parked[p.id] {
		if other != p {
			rest = append(rest, other)
		}
	}
	l.parked[p.id] = rest
	if len(rest) == 0 {
		delete(l.parked, p.id)
	}
	l.mu.Unlock()
	p.stop()
	l.intake.count(p.id, -1)
}

// run brings answers and signs of life until ctx ends; then every hook is left
// with a broken connection, which tells it to look for the next hub.
func (l *lot) run(ctx context.Context) {
	var all sync.WaitGroup
	all.Go(func() { l.follow(ctx) })
	all.Go(func() { l.beat(ctx) })
	all.Wait()
	for _, p := range l.all() {
		p.end()
		_ = p.conn.Close()
	}
}

func (l *lot) follow(ctx context.Context) {
	var after nod.Seq
	l.intake.driver.link.State(func(s *nod.State) { after = s.Seq })
	for _, p := range l.all() { // what was settled before this place is not told any more
		l.bringSettled(p.id)
	}
	for e, err := range l.intake.driver.link.Follow(ctx, after) {
		if err != nil {
			l.intake.driver.log.Error("waiting hooks get no answers any more", "err", err)
			return
		}
		switch e.Kind {
		case nod.RequestDecided, nod.RequestWithdrawn, nod.RequestExpired:
			l.bring(e.RequestID)
		}
	}
}

// bring gives the hooks of a settled request their last line.
func (l *lot) bring(id nod.RequestID) {
	l.mu.Lock()
	waiting := l.parked[id]
	l.mu.Unlock()
	if len(waiting) == 0 {
		return
	}
	line := answerEnd
	if out := l.intake.driver.Outcome(context.Background(), id); len(out) > 0 {
		line = fmt.Sprintf("%x\r\n%s\n\r\n%s", len(out)+1, out, answerEnd)
	}
	for _, p := range waiting {
		go p.finish(line) // a hook that does not read must not hold up the others
	}
}

// finish writes the last line, once. The hook closes the connection, after its
// word about it if it has one; one that does not is not waited for.
func (p *parked) finish(line string) {
	if p.end() {
		_ = p.conn.SetReadDeadline(time.Now().Add(wordTime))
		p.write(line)
	}
}

// end marks the wait as over and reports whether it was not before.
func (p *parked) end() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	first := !p.over
	p.over = true
	return first
}

// write sends a line. A hook that is gone shows in watch.
func (p *parked) write(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.conn.SetWriteDeadline(time.Now().Add(writeTime))
	_, _ = p.conn.Write([]byte(line))
}

// beat tells waiting hooks that the hub is alive.
func (l *lot) beat(ctx context.Context) {
	tick := time.NewTicker(wire.HeartbeatSeconds * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for _, p := range l.all() {
			p.beat()
		}
	}
}

// beat writes an empty line unless the last one was written.
func (p *parked) beat() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.over {
		_ = p.conn.SetWriteDeadline(time.Now().Add(writeTime))
		_, _ = p.conn.Write([]byte(emptyLine))
	}
}

func (l *lot) all() []*parked {
	l.mu.Lock()
	defer l.mu.Unlock()
	var list []*parked
	for _, waiting := range l.parked {
		list = append(list, waiting...)
	}
	return list
}
