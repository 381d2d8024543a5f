package bench

import (
	"bytes"
	"fmt"
	"net/http"
	"testing"
	"time"

	"nod"
	"nod/internal/agent/claude/wire"
)

const (
	starts = 10
	// logged is as much as can be in the log without a saved state: one more and
	// the hub saves, and the next start has next to nothing to read.
	logged = 1_990
)

// BenchmarkStart is how soon a hub is there, and how small it is when nothing
// happens.
func BenchmarkStart(b *testing.B) {
	heading(b, fmt.Sprintf("The start of a hub (n=%d)", starts))
	data := temp(b)
	var fresh, again, killed hubStarts
	for range starts {
		h := startHub(b, temp(b))
		fresh.add(h)
		h.kill()
		h = startHub(b, data)
		again.add(h)
		h.kill()
	}
	data = temp(b)
	h := startHub(b, data)
	events := fill(b, h)
	for range starts {
		h.kill()
		h = startHub(b, data)
		killed.add(h)
	}
	fresh.tell(b, "fresh", "a new data directory")
	again.tell(b, "again", "an old one")
	killed.tell(b, "killed", fmt.Sprintf("after kill -9 with %d events, none in a saved state", events))
	h.kill()
	h = startHub(b, temp(b))
	idle := time.NewTimer(5 * time.Second)
	<-idle.C
	absolute(b, "idle-MB", "RSS of a hub that idled for 5 s", h.memory(b, "VmRSS"), "MB", atMost(25))
	tell("%-58s %9.1f MB", "of which is program text and other files", h.memory(b, "RssFile"))
}

type hubStarts struct{ heard, health sample }

func (s *hubStarts) add(h *hubProcess) {
	s.heard, s.health = append(s.heard, h.heard), append(s.health, h.health)
}

func (s *hubStarts) tell(b *testing.B, metric, what string) {
	tell("%-58s median %9s, max %9s", "to its address, "+what, ms(s.heard.median()), ms(s.heard.at(1)))
	absolute(b, "start-"+metric+"-ms", "to a good GET /health, median, "+what, s.health.median().Seconds()*1000, "ms", atMost(100))
}

// fill writes to the log what agents do all day, and returns how many events
// are on disk. More than wanted would mean a saved state, and another figure.
func fill(b *testing.B, h *hubProcess) nod.Seq {
	b.Helper()
	phone := h.device(b)
	for i := 0; ; i++ {
		head := settledHead(b, phone)
		missing := logged - int(head)
		if missing < 0 {
			b.Fatalf("%d events in the log, wanted at most %d", head, logged)
		}
		if missing < 10 {
			return head
		}
		each(max(1, missing/4), 8, func(n int) { // an event of a hook is up to three facts
			post(b, phone, fmt.Sprintf(`{"hook_event_name":"UserPromptSubmit","session_id":"session-%d","cwd":"/home/anna/project","permission_mode":"default","prompt":"round %d, number %d"}`, n%crowdSessions, i, n))
		})
	}
}

// settledHead is the end of the log when nothing is on its way there any more:
// the hub answers such hooks before their facts are on disk.
func settledHead(b *testing.B, phone *device) nod.Seq {
	b.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	var last nod.Seq
	for same := 0; same < 3; {
		<-tick.C
		head, err := phone.head()
		if err != nil {
			b.Fatal(err)
		}
		if same++; head != last {
			last, same = head, 0
		}
	}
	return last
}

// post sends an event without an answer, and without a token: every process of this
// user may raise.
func post(b *testing.B, d *device, payload string) {
	res, err := d.http.Post("http://nod"+wire.Intake, "application/json", bytes.NewReader([]byte(payload)))
	if err != nil {
		b.Error(err)
		return
	}
	if err := res.Body.Close(); err != nil || res.StatusCode != http.StatusNoContent {
		b.Errorf("%s, %v", res.Status, err)
	}
}
