package notify

import (
	"context"
	"maps"
	"slices"
	"time"

	"nod"
	"nod/internal/net/notify"
)

// gather is how often a notification for many requests may change.
const gather = 10 * time.Second

// target is one channel to one person. There is no queue that could grow: its jobs are
// the difference between the plan and what is shown. The lock of channels guards
// everything from shown on.
type target struct {
	Name    string // as people and the ladder call it
	Kind    string // ntfy, telegram, …: as the log names it
	Content notify.Content
	Answer  bool // notifications have buttons that answer, if that is safe enough
	Sender  notify.Sender
	person  *notify.Person
	woken   chan struct{}

	shown   map[string]shown  // by key
	refused map[string]string // by key: the version that is not tried again
	pulse   notify.Pulse
}

// shown is a notification that a person can see.
type shown struct {
	Version  string          `json:"version"`
	Handle   notify.Handle   `json:"handle,omitempty"`
	Kind     notify.Kind     `json:"kind"`
	Requests []nod.RequestID `json:"requests,omitempty"`
	Trouble  string          `json:"trouble,omitempty"`
	At       time.Time       `json:"at"`
}

func newTarget(name, kind string) *target {
	return &target{Name: name, Kind: kind, woken: make(chan struct{}, 1), shown: map[string]shown{}, refused: map[string]string{}}
}

// job is one thing to do: show an item, or settle what has the key.
type job struct {
	item   *notify.Item
	key    string
	old    shown
	silent bool
}

func (t *target) has(id nod.RequestID) bool {
	for _, sh := range t.shown {
		if slices.Contains(sh.Requests, id) {
			return true
		}
	}
	return false
}

// toShow is the first item that is not shown as it should be.
func (t *target) toShow(plan []notify.Item, awake bool, now time.Time) (j job, wait time.Duration, ok bool) {
	for i := range plan {
		item := &plan[i]
		old, there := t.shown[item.Key]
		if old.Version == item.Version || t.refused[item.Key] == item.Version {
			continue
		}
		silent := there && len(item.Requests) > 0 && !fresh(item, old)
		switch {
		case silent && old.Handle == "": // it cannot be changed, and a second one would have nothing new
			old.Version = item.Version
			t.shown[item.Key] = old
			continue
		case !silent && !awake:
			continue
		case there && item.Key == notify.AllKey && now.Sub(old.At) < gather:
			wait = sooner(wait, gather-now.Sub(old.At))
			continue
		}
		return job{item: item, key: item.Key, old: old, silent: silent}, 0, true
	}
	return job{}, wait, false
}

// fresh reports whether an item holds a request that the notification before did not.
func fresh(item *notify.Item, old shown) bool {
	return slices.ContainsFunc(item.Requests, func(r *nod.Request) bool { return !slices.Contains(old.Requests, r.ID) })
}

// toSettle is the first notification that is not in the plan any more. News, and what
// cannot be taken back, are only dropped from the list.
func (t *target) toSettle(plan []notify.Item) (job, bool) {
	for _, key := range slices.Sorted(maps.Keys(t.shown)) {
		if slices.ContainsFunc(plan, func(i notify.Item) bool { return i.Key == key }) {
			continue
		}
		old := t.shown[key]
		if old.Handle == "" || len(old.Requests) == 0 && old.Trouble == "" {
			delete(t.shown, key)
			continue
		}
		return job{key: key, old: old}, true
	}
	maps.DeleteFunc(t.refused, func(key, _ string) bool {
		return !slices.ContainsFunc(plan, func(i notify.Item) bool { return i.Key == key })
	})
	return job{}, false
}

func (t *target) wake() {
	select {
	case t.woken <- struct{}{}:
	default:
	}
}

// rest waits until the channel is woken, or the time is over; 0 has no end.
func (t *target) rest(ctx context.Context, wait time.Duration) {
	var over <-chan time.Time
	if wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		over = timer.C
	}
	select {
	case <-t.woken:
	case <-over:
	case <-ctx.Done():
	}
}

// sooner is the shorter of two waits, of which 0 has no end.
func sooner(a, b time.Duration) time.Duration {
	if a <= 0 {
		return max(0, b)
	}
	if b <= 0 {
		return a
	}
	return min(a, b)
}
