package browser

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"

	"nod"
	"nod/e2e/rig"
)

// tiny is the narrowest screen that anybody has.
var tiny = Device{"tiny", 320, 640, true}

// puck opens the page that is a voice puck.
func (p *Page) puck() {
	p.t.Helper()
	p.Go("/puck")
	p.tone("idle")
}

// tone waits until the puck is in a mood.
func (p *Page) tone(want string) {
	p.t.Helper()
	p.until("a puck that is "+want, fmt.Sprintf(`document.querySelector(".puck")?.dataset.tone === %q`, want))
}

// asks waits until the puck asks about a request. The puck gives up on one that is not
// answered for a while, and is then told to ask again.
func (p *Page) asks(text string) {
	p.t.Helper()
	rig.Until(p.t, "the question "+text, func() bool {
		if p.holds(`document.querySelector(".puck[data-tone=idle] .puck-left:not([hidden])")`) {
			p.Tap("button", "Ask again here")
		}
		return p.holds(`document.querySelector(".puck")?.dataset.tone === "waiting"`) && p.holds(seen(text))
	}, p.text)
}

// shines waits until all LEDs have a colour.
func (p *Page) shines(color string) {
	p.t.Helper()
	p.until("a ring of "+color, fmt.Sprintf(`new Set(document.querySelector(".puck-drawing").dataset.ring.split(" ")).values().toArray().join() === %q`, color))
}

// dial drags the ring by some degrees, clockwise, with a mouse or a finger.
func (p *Page) dial(degrees float64) {
	p.t.Helper()
	_, s := p.find("button", "The puck: its dial and its button")
	at := func(deg float64) spot {
		r := .33 * s.Width
		return spot{X: s.X + r*math.Cos(deg*math.Pi/180), Y: s.Y + r*math.Sin(deg*math.Pi/180)}
	}
	p.down(at(-90))
	for i := 1; i <= 4; i++ {
		to := at(-90 + degrees*float64(i)/4)
		if p.dev.touch {
			send(p, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchMove, TouchPoints: []*input.TouchPoint{{X: to.X, Y: to.Y}}})
		} else {
			send(p, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: to.X, Y: to.Y, Button: input.MouseButtonLeft})
		}
	}
	p.up(at(-90 + degrees))
}

// middle presses the button of the puck.
func (p *Page) middle() {
	p.t.Helper()
	_, s := p.find("button", "The puck: its dial and its button")
	p.down(s)
	p.up(s)
}

// A dial that shows an intent, and a button that commits it: with a mouse and with a finger.
func TestPuckPage(t *testing.T) {
	t.Parallel()
	for _, dev := range []Device{Phone, smallDesk, tiny} {
		t.Run(dev.name, func(t *testing.T) {
			t.Parallel()
			h := newHub(t)
			p := open(t, h, dev)
			p.puck()
			p.shines("#000000")
			p.Look("puck-quiet")

			shop := h.agent("shop")
			q := shop.bash("git push origin main")
			p.asks("Run git push origin main?") // after the one sentence about how it is used
			p.shines("#ffa500")
			p.See("towards yes")
			p.Look("puck-waiting")
			p.asks("Run git push origin main?")
			p.dial(160) // however far: one movement is one step
			p.tone("yes")
			p.shines("#008000")
			p.Look("puck-yes")
			if r := h.waiting(); len(r) != 1 {
				t.Fatal("a turn was enough")
			}
			p.intends(func() { p.dial(50) })
			p.middle()
			q.runs()
			r := h.request(q.id, "applied", reached(nod.StepApplied))
			if d := r.Decision; d.Verdict != nod.VerdictAllow || d.Via != "puck" {
				t.Errorf("decided %+v", d)
			}
			p.tone("idle")
			p.See("Turned right")

			// The other way, and twice the same way is a no.
			q = shop.bash("git fetch origin")
			p.asks("Run git fetch origin?")
			if p.holds(`[...document.querySelectorAll(".puck-event")].filter((e) => e.innerText.includes("Turn right to allow")).length > 1`) {
				t.Error("it was taught twice")
			}
			p.dial(-50)
			p.tone("no")
			p.dial(-50)
			if got := q.answer().Decision; got.Behavior != "deny" {
				t.Errorf("%+v", got)
			}
			p.See("Cancelled.")
		})
	}
}

// intends shows a yes, again if it was forgotten meanwhile.
func (p *Page) intends(intend func()) {
	p.t.Helper()
	rig.Until(p.t, "a yes that waits for a press", func() bool {
		if p.holds(`document.querySelector(".puck").dataset.tone === "yes"`) {
			return true
		}
		if p.holds(`document.querySelector(".puck").dataset.tone === "waiting"`) {
			intend()
		}
		return false
	}, p.text)
}

// Everything with keys alone: turn, press, tap, hold, and say.
func TestPuckPageWithKeysAlone(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	p := open(t, h, smallDesk)
	p.puck()
	eval[bool](p, `localStorage.setItem("nod.puck", '{"taught":true}'), true`)
	p.puck()
	focus := func() { eval[bool](p, `document.querySelector(".puck-body").focus(), true`) }
	space := input.DispatchKeyEventParams{Key: " ", Code: "Space", Text: " ", WindowsVirtualKeyCode: 32}
	key := func(kind input.DispatchKeyEventType) {
		space.Type = kind
		send(p, input.DispatchKeyEvent, space)
	}
	shop := h.agent("shop")

	q := shop.bash("git push origin main")
	p.asks("Run git push origin main?")
	p.Press("\u0303") // →, from anywhere
	p.tone("yes")
	focus()
	key(input.DispatchKeyEventTypeKeyDown)
	key(input.DispatchKeyEventTypeKeyUp)
	q.runs()

	// Held for a second it is a no, and a key that is let go elsewhere is nothing.
	q = shop.bash("git fetch origin")
	p.asks("Run git fetch origin?")
	focus()
	key(input.DispatchKeyEventTypeKeyDown)
	eval[bool](p, `dispatchEvent(new Event("blur")), globalThis.left = performance.now(), true`)
	p.until("longer than a hold", `performance.now() - left > 1300`)
	if r := h.waiting(); len(r) != 1 {
		t.Fatal("a key that was let go elsewhere became a hold")
	}
	key(input.DispatchKeyEventTypeKeyUp)
	p.asks("Run git fetch origin?")
	focus()
	key(input.DispatchKeyEventTypeKeyDown)
	if got := q.answer().Decision; got.Behavior != "deny" {
		t.Errorf("%+v", got)
	}
	key(input.DispatchKeyEventTypeKeyUp)

	// One of three, by two taps.
	q = shop.ask("AskUserQuestion", fields{"questions": []fields{{"question": "Which database?", "header": "DB", "multiSelect": false,
		"options": []fields{{"label": "Postgres"}, {"label": "SQLite"}, {"label": "MySQL"}}}}})
	p.asks("Which database?")
	p.Look("puck-choice")
	p.asks("Which database?")
	focus()
	for range 2 {
		key(input.DispatchKeyEventTypeKeyDown)
		key(input.DispatchKeyEventTypeKeyUp)
	}
	if got := describe(q.answer()); !strings.Contains(got, "SQLite") {
		t.Errorf("two taps chose %s", got)
	}

	// And words.
	q = shop.bash("git fetch upstream")
	p.asks("Run git fetch upstream?")
	p.Type("Say something", "yes")
	p.Press("\r")
	q.runs()
	p.tone("idle")
}

// A dangerous request needs a screen; a device with only the right to view cannot decide.
func TestPuckPageRefusals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, command, asks, told string
		rights                    []nod.Right
	}{
		{"dangerous", "rm -rf ~/photos", "Allow it on a screen", "That can only be allowed on a screen.", nil},
		{"view", "git push origin main", "Run git push origin main?", "This device may not answer.", []nod.Right{nod.View}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := newHub(t)
			p := open(t, h, Phone, c.rights...)
			p.puck()
			q := h.agent("shop").bash(c.command)
			p.asks(c.asks)
			if c.name == "dangerous" {
				p.See("needs a screen")
				p.find("link", "Answer on this screen")
			}
			p.Type("Say something", "yes")
			p.Press("\r")
			p.See(c.told)
			p.Look("puck-" + c.name)
			if r := h.request(q.id, "known", func(*nod.Request) bool { return true }); r.Status != nod.Pending {
				t.Errorf("it was answered: %s", describe(r.Decision))
			}
		})
	}
}

// Without a hub it is dark and says so, and what is done meanwhile is not done later.
func TestPuckPageWithoutAHub(t *testing.T) {
	h, p := onPhone(t)
	p.Accept("net::ERR_", "WebSocket")
	p.puck()
	q := h.agent("shop").bash("git push origin main")
	p.asks("Run git push origin main?")
	h.kill()
	p.tone("lost")
	p.shines("#000000")
	p.Tap("button", "Turn right")
	p.Look("puck-lost")
	h.restart()
	p.asks("Run git push origin main?")
	if r := h.request(q.id, "known again", func(*nod.Request) bool { return true }); r.Status != nod.Pending {
		t.Fatalf("a turn into nothing was sent later: %s", r.Status)
	}
	p.Tap("button", "Turn right")
	p.tone("yes")
	p.Tap("button", "Press")
	q.allowed()
}
