package timers_test

import (
	"testing"
	"testing/synctest"
	"time"

	"nod/internal/sys/timers"
)

func TestTimersFireUntilTheGroupIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g timers.Group
		var fired []string
		again := func() {
			fired = append(fired, "first")
			g.After(time.Minute, func() { fired = append(fired, "set by another") })
		}
		g.After(time.Minute, again)
		g.After(time.Hour, func() { t.Error("a timer fired after the group was closed") })
		time.Sleep(3 * time.Minute)
		synctest.Wait()
		g.Close()
		g.After(time.Minute, func() { t.Error("a timer was set after the group was closed") })
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		if len(fired) != 2 || fired[1] != "set by another" {
			t.Errorf("fired: %q", fired)
		}
	})
}

func TestCloseWaitsForAFunctionThatRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g timers.Group
		done := false
		g.After(time.Second, func() {
			time.Sleep(time.Minute)
			done = true
		})
		time.Sleep(2 * time.Second)
		g.Close()
		if !done {
			t.Error("Close returned before the function had ended")
		}
	})
}
