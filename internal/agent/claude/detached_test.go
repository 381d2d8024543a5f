package claude

import (
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nod"
)

// The server gives a connection half a minute for the rest of a body when the
// handler returns. A hook without a handler waits as long as it takes.
func TestADetachedHookOutlivesTheServersDeadline(t *testing.T) {
	play(t, func(s *stage) {
		in := s.driver.intake
		s.raise("r1", asks("ls"))
		hook, server := net.Pipe()
		defer hook.Close()
		in.detached(s.request("r1"), detached{server})
		if err := server.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
			t.Fatal(err)
		}
		got := make(chan string, 1)
		go func() {
			text, _ := io.ReadAll(hook)
			got <- string(text)
		}()
		time.Sleep(time.Hour)
		s.decide("r1", nod.Answer{Verdict: nod.VerdictAllow})
		synctest.Wait()
		in.waiting.deliver("r1")
		time.Sleep(markTime)
		if text := <-got; !strings.Contains(text, `"behavior":"allow"`) || !strings.HasSuffix(text, chunksEnd) {
			t.Errorf("the hook reads %q", text)
		}
		if r := s.request("r1"); r.Status != nod.Decided {
			t.Errorf("the request is %s: %+v", r.Status, r.Withdrawal)
		}
	})
}
