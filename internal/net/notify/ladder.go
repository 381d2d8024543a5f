package notify

import (
	"slices"
	"time"

	"nod"
	"nod/internal/net/push"
)

// Person is a recipient of notifications.
type Person struct {
	Name     string
	Channels []string    // in the order in which they are tried
	Quiet    *push.Quiet // nil: always awake
	Lang     string
	News     bool // also when agents finish, fail or reach a limit
}

// Awake reports whether a person may be disturbed, and if not, from when on.
func (p *Person) Awake(now time.Time) (until time.Time, awake bool) {
	if p.Quiet == nil {
		return time.Time{}, true
	}
	until, quiet := p.Quiet.Until(now)
	return until, !quiet
}

// Step is one step: channels to use at once, and how long to wait for an answer before the next step.
type Step struct {
	To   []string
	Wait time.Duration
}

// Ladder is the order in which people are notified until one answers. After the last step only the request's own
// deadline is left.
type Ladder []Step

// DefaultWait is how long a step waits unless configured.
const DefaultWait = 30 * time.Second

// DefaultLadder notifies people in order, through each of their channels.
func DefaultLadder(people []Person, wait time.Duration) Ladder {
	if wait <= 0 {
		wait = DefaultWait
	}
	var l Ladder
	for _, p := range people {
		for _, c := range p.Channels {
			l = append(l, Step{To: []string{c}, Wait: wait})
		}
	}
	return l
}

// Resolve replaces a person in a step by that person's channels.
func (l Ladder) Resolve(people []Person) (Ladder, error) {
	out := make(Ladder, len(l))
	for i, step := range l {
		if step.Wait < 0 {
			return nil, nod.Errorf(nod.Invalid, "step %d of the ladder waits for less than nothing", i+1)
		}
		if step.Wait == 0 {
			step.Wait = DefaultWait
		}
		out[i].Wait = step.Wait
		for _, name := range step.To {
			found := false
			for _, p := range people {
				switch {
				case p.Name == name:
					out[i].To, found = append(out[i].To, p.Channels...), true
				case slices.Contains(p.Channels, name):
					out[i].To, found = append(out[i].To, name), true
				}
			}
			if !found {
				return nil, nod.Errorf(nod.Invalid, "step %d of the ladder names %q, which is neither a person nor a channel of one", i+1, name)
			}
		}
	}
	return out, nil
}

// lastStep is the fraction of a request's life by which everyone has been notified, so that the last one has time to
// answer.
const lastStep = 0.75

// Reached lists the channels that are due by now, and the time until the next ones are; 0 means that there are none.
// life is how long the request waits in all, 0 for ever: a ladder longer than that is shortened. A step at which
// everyone has quiet hours is skipped.
func (l Ladder) Reached(waited, life time.Duration, awake func(channel string) bool) (to []string, next time.Duration) {
	pace := l.pace(life)
	var at time.Duration
	for _, step := range l {
		if at > waited {
			return to, at - waited
		}
		up := false
		for _, c := range step.To {
			if awake(c) {
				to, up = append(to, c), true
			}
		}
		if up {
			at += time.Duration(float64(step.Wait) * pace)
		}
	}
	return to, 0
}

func (l Ladder) pace(life time.Duration) float64 {
	var whole time.Duration
	for i := range len(l) - 1 {
		whole += l[i].Wait
	}
	if limit := float64(life) * lastStep; life > 0 && float64(whole) > limit {
		return limit / float64(whole)
	}
	return 1
}
