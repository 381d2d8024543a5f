package claude

import (
	"testing"
	"time"
)

func TestResetTime(t *testing.T) {
	now := time.Date(2026, 11, 15, 22, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		seconds int64
		text    string
		want    string
	}{
		{now.Add(time.Hour).Unix(), "", "2026-11-15T23:00:00Z"},
		{now.Add(-time.Hour).Unix(), "", ""},
		{now.AddDate(1, 0, 0).Unix(), "", ""},
		{0, "resets 5:46am (UTC)", "2026-11-16T05:46:00Z"},
		{0, "resets 11pm (UTC)", "2026-11-15T23:00:00Z"},
		{0, "resets 12:15am (Europe/Warsaw)", "2026-11-15T23:15:00Z"},
		{0, "resets 5am (Mars/Base)", ""},
		{0, "no word of it", ""},
	} {
		got := ""
		if at := resetTime(c.seconds, c.text, now); at != nil {
			got = at.Format(time.RFC3339)
		}
		if got != c.want {
			t.Errorf("%d %q: %s, want %s", c.seconds, c.text, got, c.want)
		}
	}
}
