package auth

import "time"

// maxSources bounds the memory that strangers can take; beyond it everybody
// waits, because so many sources at once are one attack.
const maxSources = 256

// rateLimit counts the wrong tries of each source within a minute.
type rateLimit map[string]failures

type failures struct {
	count int
	since time.Time
}

// wait is how long a source has to wait before its next try; 0: not at all.
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

// fail counts a wrong try. The minute starts anew when the limit is reached, so
// that the lock holds a whole one.
func (t rateLimit) fail(from string, now time.Time) {
	seen, known := t[from]
	seen.count++
	if !known || seen.count >= maxFailures {
		seen.since = now
	}
	t[from] = seen
}
