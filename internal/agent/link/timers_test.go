package link

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestTimersEndWithTheirOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ts timers
		ran := ""
		set := func(key string) { ts.set(key, time.Second, func() { ran += key + " " }) }
		set("a")
		wait(time.Second / 2)
		set("a") // it begins again
		wait(time.Second * 3 / 4)
		if ran != "" {
			t.Errorf("too early: %s", ran)
		}
		wait(time.Second)
		set("b")
		ts.stop("b", func() { ran += "stopped " })
		set("c")
		ts.close()
		set("d")
		wait(time.Minute)
		if ran != "a stopped " {
			t.Error(ran)
		}
	})
}
