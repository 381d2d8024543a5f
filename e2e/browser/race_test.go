package browser

import (
	"errors"
	"fmt"
	"regexp"
	"testing"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"nod"
	"nod/e2e/rig"
	"nod/internal/agent/claude/wire"
)

// Two people press at the same moment: one answer counts, and the other one
// reads whose it was.
func TestTwoBrowsersRaceForOneRequest(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	phone, desk := open(t, h, Phone), open(t, h, Desktop)
	for _, p := range []*Page{phone, desk} {
		p.Accept("409")
	}
	q := h.agent("shop").bash("git push origin main")
	_, yes := phone.find("button", "Allow")
	_, no := desk.find("button", "Deny")
	phone.rested()
	desk.rested()
	phone.down(yes)
	desk.down(no)
	phone.up(yes)
	desk.up(no)
	got := q.answer().Decision.Behavior
	r := h.request(q.id, "decided", func(r *nod.Request) bool { return r.Decision != nil })
	if string(r.Decision.Verdict) != got {
		t.Errorf("the hub has %s, the agent heard %s", r.Decision.Verdict, got)
	}
	if r.Decision.By == "Anna's phone" {
		phone.See("Allowed by you (web app)")
		desk.See("Allowed by Anna's phone (web app)")
	} else {
		desk.See("Denied by you (web app)")
		phone.See("Denied by Anna's desktop (web app)")
	}
	phone.See("All quiet.")
	desk.See("All quiet.")
}

// The same, with the loser's answer certainly on its way when the other wins.
func TestLateAnswerShowsWhoWasFirst(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	phone, desk := open(t, h, Phone), open(t, h, Desktop)
	desk.Accept("409")
	q := h.agent("shop").bash("git push origin main")
	phone.See("git push origin main")

	ctx, cancel := desk.patience()
	defer cancel()
	paused := chromedp.Events(ctx, fetch.RequestPaused)
	send(desk, network.SetBypassServiceWorker, network.SetBypassServiceWorkerParams{Bypass: true}) // else what it lets through is not seen here
	send(desk, fetch.Enable, fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: "*/decision"}}})
	desk.Tap("button", "Deny")
	late, err := first(paused)
	if err != nil {
		t.Fatal(err)
	}
	desk.See("Sending…")
	phone.Tap("button", "Allow")
	q.allowed()
	send(desk, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: late.RequestID})
	desk.See("Allowed by Anna's phone (web app)")
	desk.See("All quiet.")
}

func first[E any](events func(func(E, error) bool)) (E, error) {
	for e, err := range events {
		return e, err
	}
	var none E
	return none, errors.New("no event came")
}

func TestAnsweredElsewhere(t *testing.T) {
	h, phone := onPhone(t)
	q := h.agent("shop").bash("git push origin main")
	phone.See("Run this command?")
	// The card says it for two seconds: a busy machine may look too late, the page does not.
	eval[bool](phone, `new MutationObserver(() => { globalThis.told ??= document.querySelector("nod-card .settled-words")?.textContent; }).observe(document.body, { childList: true, subtree: true }), true`)
	h.nod("allow", string(q.id))
	q.runs()
	phone.See("All quiet.")
	if told := eval[string](phone, `String(globalThis.told)`); !regexp.MustCompile(`^Allowed by \S+ at \S+ \(terminal\)`).MatchString(told) {
		t.Errorf("the card said %q", told)
	}
}

// Claude Code's own dialog was answered: every device must stop asking.
func TestWithdrawnByTheTerminal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, words string
		answer      func(q *asking)
	}{
		{"esc", "Denied in the terminal", (*asking).interrupt},
		{"yes", "in the terminal", func(q *asking) { q.status(wire.StatusBusy) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := newHub(t)
			phone := open(t, h, Phone)
			shop := h.agent("shop")
			shop.config = t.TempDir()
			q := shop.bash("git push origin main")
			q.status(wire.StatusWaiting)
			phone.Tap("button", "Edit…") // a sheet over the card goes as well
			phone.See("Edit, then allow")
			c.answer(q)
			if out := q.printed(); out != "" {
				t.Errorf("the hook said %q", out)
			}
			phone.Gone("Edit, then allow")
			phone.See(c.words)
			phone.HasNo("button", "Allow")
			phone.See("All quiet.")
		})
	}
}

// A card that appears where a finger is just coming down must not take that for
// an answer. A slow machine may tap too late, so it tries until one tap was in time.
func TestACardUnderTheFingerIsNotAnswered(t *testing.T) {
	h, phone := onPhone(t)
	shop := h.agent("shop")
	q := shop.bash("git push origin main")
	_, allow := phone.find("button", "Allow")
	phone.Tap("button", "Deny")
	q.refused()
	eval[bool](phone, `(async () => {
	  const { ready } = `+app("js/guard.js")+`;
	  addEventListener("click", (e) => { globalThis.tapped = { ready: ready(), on: e.target.closest("nod-card [data-act=allow]") !== null }; }, { capture: true });
	  return true;
	})()`)
	for try := 0; ; try++ {
		phone.See("All quiet.")
		eval[bool](phone, `globalThis.tapped = undefined, true`)
		q := shop.call("Bash", fields{"command": "git push origin main"})
		phone.until("the card", `document.querySelector("nod-card [data-act=allow]")`)
		phone.down(allow)
		phone.up(allow)
		phone.until("the tap", "globalThis.tapped")
		q.find()
		if phone.holds("tapped.ready || !tapped.on") {
			if try == 5 {
				t.Fatalf("no tap came within the guard: %v", eval[map[string]bool](phone, "tapped"))
			}
			if !q.over() {
				h.nod("deny", string(q.id))
			}
			q.printed()
			continue
		}
		phone.rested() // by now an answer would have gone out
		if phone.posted("/" + string(q.id) + "/decision") {
			t.Fatal("the tap was taken for an answer")
		}
		phone.Tap("button", "Deny")
		if got := q.answer().Decision.Behavior; got != "deny" {
			t.Errorf("the agent heard %s", got)
		}
		return
	}
}

// What arrives while a person reads goes below; nothing moves under the finger.
func TestNewCardsMoveNothing(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	for _, dev := range []Device{Phone, Desktop} {
		p := open(t, h, dev)
		h.agent("first-" + dev.name).bash("git push origin main")
		p.See("git push origin main")
		_, before := p.find("button", "Allow")
		card := eval[string](p, `document.querySelector("nod-card").dataset.request`)
		for i := range 3 {
			h.agent(fmt.Sprint("more-", dev.name, i)).bash("git fetch --all")
		}
		p.until("all of them", `document.querySelectorAll(".rows .row").length >= 4`)
		_, after := p.find("button", "Allow")
		if before != after || card != eval[string](p, `document.querySelector("nod-card").dataset.request`) {
			t.Errorf("%s: the button was at %+v and is at %+v", dev.name, before, after)
		}
		h.nod("stop", "--all")
		rig.Until(t, "nothing waits", func() bool { return len(h.waiting()) == 0 }, p.text)
	}
}
