package pause_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"nod/internal/sys/pause"
)

func TestPauseEndsWithItsTimeOrItsContext(t *testing.T) {
	const never = -1
	for name, c := range map[string]struct {
		d, end time.Duration // end: when ctx ends
		takes  time.Duration
		whole  bool
	}{
		"the time is over":           {d: time.Minute, end: time.Hour, takes: time.Minute, whole: true},
		"the context ends":           {d: time.Hour, end: time.Minute, takes: time.Minute},
		"the context ended before":   {d: time.Hour, end: never},
		"nothing to wait for":        {d: 0, end: time.Hour, whole: true},
		"less than nothing":          {d: -time.Hour, end: time.Hour, whole: true},
		"nothing, and nobody waits":  {d: 0, end: never},
		"a past, and nobody is left": {d: -time.Hour, end: never},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), c.end)
				defer cancel()
				began := time.Now()
				if whole := pause.For(ctx, c.d); whole != c.whole {
					t.Errorf("whole is %v", whole)
				}
				if took := time.Since(began); took != c.takes {
					t.Errorf("it took %v, not %v", took, c.takes)
				}
			})
		})
	}
}
