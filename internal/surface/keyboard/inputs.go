package keyboard

import (
	"sync"
	"time"
)

const (
	pollTime   = 10 * time.Second // a program that has not asked for so long is gone
	mostInputs = 20
)

// inputs are presses for the program that reads /inputs, until it has taken them.
type inputs struct {
	now func() time.Time

	mu     sync.Mutex
	list   []input
	next   int64
	polled time.Time
}

type input struct {
	Key  int    `json:"key"`
	Text string `json:"text"`
	At   int64  `json:"timestamp"`
	seq  int64
}

// hasReader reports whether a program reads them.
func (in *inputs) hasReader() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.now().Sub(in.polled) <= pollTime
}

// offer queues a press if a program is there to read it.
func (in *inputs) offer(key int, text string) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.now().Sub(in.polled) > pollTime || len(in.list) >= mostInputs {
		return false
	}
	in.add(key, text)
	return true
}

// push queues a press in any case, if need be instead of the oldest, and returns how
// many wait.
func (in *inputs) push(key int, text string) int {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.add(key, text)
	in.list = in.list[max(0, len(in.list)-mostInputs):]
	return len(in.list)
}

// add queues a press. The lock is held.
func (in *inputs) add(key int, text string) {
	in.next++
	in.list = append(in.list, input{key, text, in.now().UnixMilli(), in.next})
}

// take hands over what waits, and the number of the newest press. If the program
// acknowledges, presses are kept until it does; otherwise they are handed over once.
// isNew: no program was reading before.
func (in *inputs) take(acknowledged *int64) (list []input, last int64, isNew bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	now := in.now()
	isNew = now.Sub(in.polled) > pollTime
	in.polled = now
	for acknowledged != nil && len(in.list) > 0 && in.list[0].seq <= *acknowledged {
		in.list = in.list[1:]
	}
	list = append([]input{}, in.list...)
	if acknowledged == nil {
		in.list = nil // so that two programs that ask at once do not get the same
	}
	return list, in.next, isNew
}

// putBack queues what was not received, before what came since.
func (in *inputs) putBack(list []input) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.list = append(list, in.list...)
}

func (in *inputs) waiting() int {
	in.mu.Lock()
	defer in.mu.Unlock()
	return len(in.list)
}
