package push

import (
	"testing"
	"time"
)

func TestQuietHours(t *testing.T) {
	night := Quiet{"22:00", "07:00", "Europe/Warsaw"}
	noon := Quiet{"12:30", "13:00", "Asia/Tokyo"}
	for _, tt := range []struct {
		quiet      Quiet
		now, until string // until "": not quiet
	}{
		{night, "2026-01-10T21:59:59+01:00", ""},
		{night, "2026-01-10T22:00:00+01:00", "2026-01-11T07:00:00+01:00"},
		{night, "2026-01-11T03:00:00+01:00", "2026-01-11T07:00:00+01:00"},
		{night, "2026-01-11T06:59:59+01:00", "2026-01-11T07:00:00+01:00"},
		{night, "2026-01-11T07:00:00+01:00", ""},
		{night, "2025-12-31T23:30:00+01:00", "2026-01-01T07:00:00+01:00"},
		{night, "2026-01-10T21:30:00Z", "2026-01-11T07:00:00+01:00"}, // the zone's clock counts, not the hub's
		{noon, "2026-07-01T03:29:59Z", ""},
		{noon, "2026-07-01T03:30:00Z", "2026-07-01T13:00:00+09:00"},
		{noon, "2026-07-01T04:00:00Z", ""},

		// The short night of spring and the long one of autumn.
		{night, "2026-03-28T22:00:00+01:00", "2026-03-29T07:00:00+02:00"},
		{night, "2026-10-24T22:00:00+02:00", "2026-10-25T07:00:00+01:00"},
		// 02:30 comes twice: the night is one span and ends at the second.
		{Quiet{"22:00", "02:30", "Europe/Warsaw"}, "2026-10-25T00:29:00Z", "2026-10-25T02:30:00+01:00"},
		{Quiet{"22:00", "02:30", "Europe/Warsaw"}, "2026-10-25T00:45:00Z", "2026-10-25T02:30:00+01:00"},
		{Quiet{"22:00", "02:30", "Europe/Warsaw"}, "2026-10-25T01:30:00Z", ""},
		// 02:30 does not come at all: it ends all the same, within the hour.
		{Quiet{"22:00", "02:30", "Europe/Warsaw"}, "2026-03-29T00:59:59Z", "2026-03-29T01:30:00Z"},
		{Quiet{"22:00", "02:30", "Europe/Warsaw"}, "2026-03-29T01:30:00Z", ""},
		// A zone that is not on this machine does not suppress notifications.
		{Quiet{"00:00", "23:59", "Nowhere/Land"}, "2026-01-10T12:00:00Z", ""},
	} {
		now, err := time.Parse(time.RFC3339, tt.now)
		if err != nil {
			t.Fatal(err)
		}
		until, quiet := tt.quiet.Until(now)
		if quiet != (tt.until != "") {
			t.Errorf("%v at %s: quiet %v", tt.quiet, tt.now, quiet)
			continue
		}
		if want, _ := time.Parse(time.RFC3339, tt.until); quiet && !until.Equal(want) {
			t.Errorf("%v at %s: until %s, want %s", tt.quiet, tt.now, until, tt.until)
		}
	}
}

func TestInvalidQuietHours(t *testing.T) {
	for _, q := range []Quiet{
		{"22:00", "22:00", "UTC"}, {"7:00", "08:00", "UTC"}, {"24:00", "08:00", "UTC"}, {"22:00", "", "UTC"},
		{"22:00", "07:00", ""}, {"22:00", "07:00", "Local"}, {"22:00", "07:00", "../etc/passwd"}, {"22:00", "07:00", "Mars/Base"},
	} {
		if q.Check() == nil {
			t.Errorf("%v was accepted", q)
		}
	}
	if err := (Quiet{"22:00", "07:00", "Europe/Warsaw"}).Check(); err != nil {
		t.Error(err)
	}
}
