package claude

import (
	"regexp"
	"strconv"
	"sync"
	"time"
)

// epoch finds a point in time as seconds since 1970 in an error's text: the
// only form of a reset time that does not depend on anybody's time zone.
// Compiled when first needed, because `nod hook` shares this binary's start-up.
var epoch = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b1[6-9]\d{8}\b|\b2\d{9}\b`) })

// resetTime is when a usage limit ends, if the text says so believably: in the
// future, and within the eight days that the longest limit lasts.
func resetTime(text string, now time.Time) *time.Time {
	for _, digits := range epoch().FindAllString(text, -1) {
		seconds, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			continue
		}
		if at := time.Unix(seconds, 0).UTC(); at.After(now) && at.Before(now.Add(8*24*time.Hour)) {
			return &at
		}
	}
	return nil
}
