package claude

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// resetTime is when a usage limit ends: as the hook read it in the transcript, or as the
// message for the person says. Only a plausible time counts: in the future, and within
// the eight days that the longest limit lasts.
func resetTime(seconds int64, text string, now time.Time) *time.Time {
	at := time.Unix(seconds, 0).UTC()
	if seconds == 0 {
		var ok bool
		if at, ok = clockTime(text, now); !ok {
			return nil
		}
	}
	if !at.After(now) || at.After(now.Add(8*24*time.Hour)) {
		return nil
	}
	return &at
}

// resets matches "resets 5:46am (UTC)".
var resets = regexp.MustCompile(`resets (\d{1,2})(?::(\d{2}))?(am|pm) \(([A-Za-z0-9_+/-]+)\)`)

// clockTime is the next time at which the clock of the named zone shows the time in the
// text.
func clockTime(text string, now time.Time) (time.Time, bool) {
	m := resets.FindStringSubmatch(text)
	if m == nil {
		return time.Time{}, false
	}
	zone, err := time.LoadLocation(m[4])
	if err != nil {
		return time.Time{}, false
	}
	hour, _ := strconv.Atoi(m[1])
	minute, _ := strconv.Atoi(m[2]) // missing: on the hour
	hour %= 12
	if strings.EqualFold(m[3], "pm") {
		hour += 12
	}
	today := now.In(zone)
	at := time.Date(today.Year(), today.Month(), today.Day(), hour, minute, 0, 0, zone)
	if !at.After(now) {
		at = at.AddDate(0, 0, 1)
	}
	return at.UTC(), true
}
