package homeassistant

import (
	"slices"
	"testing"
)

func TestExpectedWarningsAreIgnored(t *testing.T) {
	t.Parallel()
	got := warnings(`2026-11-15 12:00:00.000 INFO (MainThread) [a] fine
2026-11-15 12:00:00.000 WARNING (MainThread) [homeassistant.bootstrap] Skipping pip installation of required modules. This may cause issues
Traceback of what does not count
2026-11-15 12:00:00.000 ERROR (MainThread) [b] bad
Traceback (most recent call last):
2026-11-15 12:00:00.000 DEBUG (MainThread) [c] fine
2026-11-15 12:00:00.000 WARNING (SyncWorker_0) [d] odd
`)
	want := []string{
		"2026-11-15 12:00:00.000 ERROR (MainThread) [b] bad\nTraceback (most recent call last):",
		"2026-11-15 12:00:00.000 WARNING (SyncWorker_0) [d] odd",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
