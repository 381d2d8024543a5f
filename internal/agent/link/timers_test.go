package link

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestTimersEndWithTheirOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ts timers
		ran := make(chan string, 10)
		set := func(key string) { ts.set(key, time.Second, func() { ran <- key }) }
		set("a")
		wait(time.Second / 2)
		set("a") // it begins again
		wait(time.Second * 3 / 4)
		if len(ran) != 0 {
			t.Errorf("too early: %s", <-ran)
		}
		wait(time.Second)
		set("b")
		ts.stop("b", func() { ran <- "stopped" })
		set("c")
		ts.close()
		set("d")
		wait(time.Minute)
		if len(ran) != 2 || <-ran != "a" || <-ran != "stopped" {
			t.Errorf("%d ran", len(ran))
		}
	})
}
