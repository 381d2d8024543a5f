package auth

import "time"

// maxSources limits the memory. Beyond it every new source has to wait: so many at
// once are one attack.
const maxSources = 256

// rateLimit counts the failures of each source within a minute.
type rateLimit map[string]failures

type failures struct {
	count int
	since time.Time
}

// wait returns how long a source has to wait before its next attempt.
func (t rateLimit) wait(from string, now time.Time) time.Duration {
	for source, seen := range t {
		if now.Sub(seen.since) >= time.Minute {
			delete(t, source)
		}
	}
	seen, known := t[from]
	switch {
	case known && seen.count >= maxFailures:
		return time.Minute - now.Sub(seen.since)
	case !known && len(t) >= maxSources:
		return time.Minute
	}
	return 0
}

// fail counts a failure. Reaching the limit restarts the minute, so that the
// source is locked out for a whole one.
func (t rateLimit) fail(from string, now time.Time) {
	seen, known := t[from]
	seen.count++
	if !known || seen.count >= maxFailures {
		seen.since = now
	}
	t[from] = seen
}
