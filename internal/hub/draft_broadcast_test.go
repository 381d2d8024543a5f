package hub_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub"
)

func TestDraftIsReadAtEveryHub(t *testing.T) {
	bubble(t, 3, func(t *testing.T, h *cluster) {
		readers := []*reader{h.read(0, "talk"), h.read(1, "talk"), h.read(2, "talk")}
		all := func(text string, over int) {
			t.Helper()
			for _, r := range readers {
				r.want(t, text, over)
			}
		}
		h.link(0).Draft("talk", "m1", "Once ")
		all("Once ", 0) // at once
		h.link(0).Draft("talk", "m1", "upon ")
		readers[1].want(t, "Once ", 0)
		h.link(0).Draft("talk", "m1", "a time")
		later(soon)
		all("Once upon a time", 0)
		h.shows(2, "talk", "Once upon a time") // to who comes late
		h.broadcasts(2, 0, 0)                  // no hub passes on what it received
		later(soon)
		h.link(0).DraftOver("talk")
		all("", 1)
		later(soon)
		h.link(0).Draft("talk", "m1", "Another text, to the same words")
		later(soon)
		h.link(0).DraftOver("talk")
		h.link(0).Draft("talk", "m2", "and at once the next")
		later(2 * soon)
		all("and at once the next", 2)
		h.broadcasts(5, 0, 0)
	})
}

// A long answer in three-byte characters comes in many broadcasts, none of which splits
// a character.
func TestLongDraftIsReadAtAnotherHub(t *testing.T) {
	bubble(t, 2, func(t *testing.T, h *cluster) {
		r := h.read(1, "talk")
		text := strings.Repeat("これは長い", 10_000)
		h.link(0).Draft("talk", "m1", "x"+text)
		r.want(t, "x"+text, 0)
		if n, odd := h.conns[0].bytes.Load(), h.conns[0].odd.Load(); n > int32(2*len(text)) || odd > 0 {
			t.Errorf("%d bytes for %d, %d pieces with broken letters", n, len(text), odd)
		}
		h.link(0).Draft("talk", "m1", text+text+text+text+text)
		later(soon)
		r.want(t, "x"+text+text+text+text+text+text, 0)
	})
}

func TestLateHubAsksForTheWholeDraft(t *testing.T) {
	bubble(t, 2, func(t *testing.T, h *cluster) {
		h.link(0).Draft("talk", "m1", "Once ")
		later(soon)
		h.join()
		synctest.Wait()
		h.shows(2, "talk", "")
		h.link(0).Draft("talk", "m1", "upon")
		later(soon)
		h.shows(2, "talk", "Once upon")
		h.broadcasts(3, 0, 1)
		h.join()
		later(16 * time.Second) // nothing is written, and that is said
		h.shows(3, "talk", "Once upon")
		h.shows(1, "talk", "Once upon")
	})
}

func TestLostBroadcastIsRepaired(t *testing.T) {
	bubble(t, 3, func(t *testing.T, h *cluster) {
		readers := []*reader{h.read(1, "talk"), h.read(2, "talk")}
		text := ""
		write := func(more string) {
			h.link(0).Draft("talk", "m1", more)
			text += more
			later(soon)
		}
		write("one ")
		h.conns[0].lose.Store(1)
		write("two ")
		readers[0].want(t, "one ", 0)
		write("three ")
		later(soon)
		for _, r := range readers {
			r.want(t, text, 0)
		}
		if n := h.conns[1].sent.Load() + h.conns[2].sent.Load(); n < 1 || n > 2 {
			t.Errorf("they asked %d times", n)
		}
		// A request that is lost is repeated once a second.
		before := h.conns[1].sent.Load()
		h.conns[0].lose.Store(1)
		h.conns[1].lose.Store(1000)
		h.conns[2].lose.Store(1000)
		for range 20 {
			write("more ")
		}
		if n := h.conns[1].sent.Load() - before; n < 4 || n > 6 {
			t.Errorf("in five seconds it asked %d times", n)
		}
		h.conns[2].lose.Store(0)
		for range 8 {
			write("more ")
		}
		for _, r := range readers {
			r.want(t, text, 0)
		}
	})
}

// A piece that still comes is not asked for.
func TestGapIsFilledByALatePiece(t *testing.T) {
	bubble(t, 2, func(t *testing.T, h *cluster) {
		h.link(1).Draft("far", "m1", "a hub that has just sent waits a moment")
		synctest.Wait()
		h.receive(m{"a": "talk", "m": "m1", "n": 4, "t": []byte(" two")})
		h.receive(m{"a": "talk", "m": "m1", "t": []byte("one ")})
		later(2 * time.Second)
		h.broadcasts(0, 1)
	})
}

// Many hubs that ask are answered once a second.
func TestWholeDraftIsSentOnceASecond(t *testing.T) {
	bubble(t, 1, func(t *testing.T, h *cluster) {
		h.link(0).Draft("talk", "m1", strings.Repeat("word ", 200)) // one broadcast
		later(2 * time.Second)
		for range 300 {
			h.receive(m{"a": "talk", "again": true})
			later(10 * time.Millisecond)
		}
		if n := h.conns[0].sent.Load(); n < 3 || n > 5 {
			t.Errorf("it was told %d times in three seconds", n)
		}
	})
}

func TestSilenceEndsADraftFromElsewhere(t *testing.T) {
	bubble(t, 2, func(t *testing.T, h *cluster) {
		r := h.read(1, "talk")
		h.link(0).Draft("talk", "m1", "hm")
		later(5 * time.Minute) // the model thinks, and the hub says that it lives
		r.want(t, "hm", 0)
		if n := h.conns[0].sent.Load(); n != 1+20 {
			t.Errorf("%d broadcasts in five minutes", n)
		}
		h.conns[0].lose.Store(1000) // the hub is gone
		later(14 * time.Second)
		r.want(t, "hm", 0)
		later(17 * time.Second)
		r.want(t, "", 1)
		h.shows(0, "talk", "hm") // what is written here has its own end
	})
}

// A laptop sends its pieces to the hub that the load balancer picks.
func TestLinkMovesBetweenHubs(t *testing.T) {
	bubble(t, 3, func(t *testing.T, h *cluster) {
		readers := []*reader{h.read(0, "far"), h.read(1, "far"), h.read(2, "far")}
		text := ""
		for i := range 12 {
			more := fmt.Sprint("piece ", i, strings.Repeat(" word", 60))
			if !h.link(i % 2).DraftFrom(nod.Draft{Agent: "far", Message: "m1", At: len(text), Text: more}) {
				t.Fatalf("hub %d misses something before piece %d", i%2, i)
			}
			text += more
			later(soon)
		}
		for _, r := range readers {
			r.want(t, text, 0)
		}
		h.broadcasts(6, 6, 0) // each what came to it, and nothing else
		if n := h.conns[0].bytes.Load() + h.conns[1].bytes.Load(); int(n) > 2*len(text) {
			t.Errorf("they sent %d bytes for %d", n, len(text))
		}
		// The driver of the one that it left hears nothing more, and it goes on all the same.
		for i := range 4 {
			later(15 * time.Second)
			if i == 1 {
				h.link(0).DraftSilent("far")
			}
			if !h.link(1).DraftFrom(nod.Draft{Agent: "far", Message: "m1", At: len(text)}) {
				t.Fatal("a sign of life is not taken")
			}
		}
		for _, r := range readers {
			r.want(t, text, 0)
		}
		h.link(2).DraftOver("far") // sent to the third
		later(time.Minute)
		for _, r := range readers {
			r.want(t, "", 1)
		}
		for i := range readers {
			h.shows(i, "far", "")
		}
	})
}

// A late piece from the previous hub does not stop the hub that continues.
func TestLatePiece(t *testing.T) {
	bubble(t, 3, func(t *testing.T, h *cluster) {
		r := h.read(2, "far")
		h.link(1).DraftFrom(nod.Draft{Agent: "far", Message: "m1", Text: "one two"})
		synctest.Wait()
		h.link(1).DraftFrom(nod.Draft{Agent: "far", Message: "m1", At: 7, Text: " three"})
		h.receive(m{"a": "far", "m": "m1", "t": []byte("one")})
		later(soon)
		r.want(t, "one two three", 0)
	})
}

// The last piece and the end come through a hub that had sent nothing of it yet.
func TestEndThroughAnotherHub(t *testing.T) {
	bubble(t, 3, func(t *testing.T, h *cluster) {
		r := h.read(2, "far")
		h.link(0).DraftFrom(nod.Draft{Agent: "far", Message: "m1", Text: "one"})
		later(time.Second)
		h.link(1).DraftFrom(nod.Draft{Agent: "far", Message: "m1", At: 3, Text: " two"})
		h.link(1).DraftOver("far")
		later(soon)
		r.want(t, "", 1)
		h.shows(0, "far", "")
		later(time.Minute) // no hub brings it back
		r.want(t, "", 1)
	})
}

// The link continues through another hub, which sends the draft from then on.
func TestDraftContinuesThroughAnotherHub(t *testing.T) {
	bubble(t, 3, func(t *testing.T, h *cluster) {
		r := h.read(2, "far")
		h.link(0).DraftFrom(nod.Draft{Agent: "far", Message: "m1", Text: "hm"})
		later(10 * time.Second)
		h.link(1).DraftFrom(nod.Draft{Agent: "far", Message: "m1", At: 2})
		h.broadcasts(1, 1, 0)
		later(20 * time.Second)
		h.link(0).DraftSilent("far")
		r.want(t, "hm", 0)
		h.shows(0, "far", "hm")
		h.link(1).DraftSilent("far")
		r.want(t, "", 1)
		h.shows(0, "far", "")
	})
}

// Broadcasts about agents that live here, are unknown or have ended are ignored.
func TestIgnoredBroadcasts(t *testing.T) {
	bubble(t, 2, func(t *testing.T, h *cluster) {
		h.link(0).Draft("talk", "m1", "mine")
		h.agent("dead", "hub9")
		if err := h.link(0).Report(t.Context(), hub.Agent("dead", func(a *nod.Agent, now time.Time) { a.Enter(nod.AgentEnded, now) })); err != nil {
			t.Fatal(err)
		}
		h.receive(m{"a": "talk", "m": "m1", "over": true}, m{"a": "talk", "m": "m2", "t": []byte("yours")}, m{"a": "talk", "m": "m1", "n": 4, "t": []byte(" too")})
		h.receive(m{"a": "dead", "m": "m1", "t": []byte("boo")}, m{"a": "nobody", "m": "m1", "t": []byte("boo")})
		h.receive(m{"a": "far", "m": strings.Repeat("m", 65), "t": []byte("boo")})
		h.receive("odd", 5, nil, m{"a": 7}, m{"a": "far", "n": "x"})
		for _, word := range []string{"", "[]", "{}", "null", `{"by":5}`, `{"by":"a hub","news":5}`, `{"by":"a hub"`} {
			if err := h.store.Broadcast(t.Context(), []byte(word)); err != nil {
				t.Fatal(err)
			}
		}
		h.shows(0, "talk", "mine")
		h.shows(0, "far", "")
		h.shows(0, "dead", "")
		h.shows(0, "nobody", "")
		h.receive(m{"a": "far", "m": "m1", "t": []byte("after all that")})
		h.shows(0, "far", "after all that")
		h.receive(m{"a": "far", "m": "m1", "n": -1, "t": []byte("boo")}, m{"a": "far", "m": "m0", "over": true}) // it is another that is over
		h.shows(0, "far", "after all that")
		h.receive(m{"a": "far", "m": "m1", "over": true})
		h.shows(0, "far", "")
	})
}

// Nothing is broadcast while no agent writes, and four times a second while many do.
func TestBroadcastRate(t *testing.T) {
	bubble(t, 1, func(t *testing.T, h *cluster) {
		later(time.Hour)
		h.broadcasts(0)
		for i := range 8 {
			h.agent(nod.AgentID(fmt.Sprint("agent", i)), "hub0")
		}
		size := 0
		for range 1000 { // ten seconds, eight agents, a hundred words a second each
			for i := range 8 {
				h.link(0).Draft(nod.AgentID(fmt.Sprint("agent", i)), "m1", "word ")
				size += 5
			}
			later(10 * time.Millisecond)
		}
		if n, of := h.conns[0].sent.Load(), h.conns[0].bytes.Load(); n < 30 || n > 41 || of > int32(2*size+41*1000) {
			t.Errorf("%d broadcasts of %d bytes for %d bytes", n, of, size)
		}
		for i := range 8 {
			h.link(0).DraftOver(nod.AgentID(fmt.Sprint("agent", i)))
		}
		later(time.Second)
		before := h.conns[0].sent.Load()
		later(time.Hour)
		if n := h.conns[0].sent.Load() - before; n != 0 {
			t.Errorf("%d broadcasts in an hour without a word", n)
		}
	})
}
