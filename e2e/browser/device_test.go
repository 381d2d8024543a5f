package browser

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"

	"nod"
	"nod/e2e/rig"
	"nod/internal/present/draw"
	"nod/internal/present/words"
)

// gadget opens the page that is an M5Stack.
func (p *Page) gadget() {
	p.t.Helper()
	p.Go("/device")
	p.until("a picture", `document.querySelector("canvas[data-frame]")`)
}

// picture is what the small screen shows.
func (p *Page) picture() image.Image {
	p.t.Helper()
	url := eval[string](p, `document.querySelector("canvas").toDataURL()`)
	raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(url, "data:image/png;base64,"))
	if err != nil {
		p.t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		p.t.Fatal(err)
	}
	return img
}

// different counts the pixels in which two pictures differ.
func different(a, b image.Image) (n int) {
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			r1, g1, b1, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			if r1>>8 != r2>>8 || g1>>8 != g2>>8 || b1>>8 != b2>>8 {
				n++
			}
		}
	}
	return n
}

// ripe waits until a press counts for what is shown: one that comes sooner was
// meant for what was there before.
func (p *Page) ripe(h *hub, id nod.RequestID) {
	p.t.Helper()
	r := h.request(id, "shown", reached(nod.StepShown))
	if got, _ := r.Receipt(nod.StepShown); got.Via != "screen" {
		p.t.Errorf("shown by %+v", got)
	}
	p.until("a picture that has been there for a while", fmt.Sprintf(`(globalThis.since ??= {})[%[1]q] ? performance.now() - since[%[1]q] > 500 : void (since[%[1]q] = performance.now())`, id))
}

// click presses a button of the device and lets go: with a key where there is a
// keyboard, with a finger otherwise.
func (p *Page) click(button string) {
	p.t.Helper()
	if !p.dev.touch {
		p.Press(strings.ToLower(button))
		return
	}
	_, s := p.find("button", "Button "+button)
	p.down(s)
	p.up(s)
}

// A small screen in the browser is one more surface: it shows requests and answers once.
func TestDevicePage(t *testing.T) {
	t.Parallel()
	for _, dev := range []Device{Phone, smallDesk} {
		t.Run(dev.name, func(t *testing.T) {
			t.Parallel()
			h := newHub(t)
			p := open(t, h, dev)
			p.Tap("link", "Settings")
			p.Tap("link", "Try it")
			p.until("a picture", `document.querySelector("canvas[data-frame]")`)
			quiet := p.picture()
			p.Look("device-quiet")

			shop := h.agent("shop")
			q := shop.bash("git push origin main")
			p.ripe(h, q.id)
			if n := different(quiet, p.picture()); n < 1000 {
				t.Errorf("a request changes %d pixels", n)
			}
			p.Look("device-request")
			p.click("A")
			p.click("A")
			q.runs()
			r := h.request(q.id, "applied", reached(nod.StepApplied))
			if d := r.Decision; d.Verdict != nod.VerdictAllow || d.Via != "screen" {
				t.Errorf("decided %+v", d)
			}

			// The second press of a pair belongs to what was there.
			one, two := shop.bash("git fetch origin"), h.agent("web").bash("git fetch upstream")
			p.ripe(h, one.id)
			p.click("A")
			p.click("A")
			one.runs()
			p.ripe(h, two.id)
			if r := h.request(two.id, "known", func(*nod.Request) bool { return true }); r.Status != nod.Pending {
				t.Fatalf("a press was taken for the next request: %s", describe(r))
			}
			rig.Until(t, "a B that counts", func() bool { // one that comes at a change does not
				p.click("B")
				return h.request(two.id, "known", func(*nod.Request) bool { return true }).Settled()
			}, func() string { return describe(h.request(two.id, "known", func(*nod.Request) bool { return true })) })
			if got := two.answer().Decision; got.Behavior != "deny" {
				t.Errorf("B is %+v", got)
			}
		})
	}
}

// What deletes is held, and a finger that slips away holds nothing.
func TestDevicePageHold(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	p := open(t, h, Desktop)
	p.gadget()
	q := h.agent("shop").bash("rm -rf ~/photos")
	p.ripe(h, q.id)
	p.click("A")
	before := p.picture()
	p.click("C") // one after the other: when this is seen, the first was processed
	p.until("the next page", `Number(document.querySelector("canvas").dataset.frame) > 1`)
	rig.Until(t, "another picture", func() bool { return different(before, p.picture()) > 0 }, p.text)
	if r := h.waiting(); len(r) != 1 {
		t.Fatal("a tap was enough")
	}
	p.gadget()
	p.ripe(h, q.id)
	key := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: "a", Code: "KeyA", Text: "a"}
	send(p, input.DispatchKeyEvent, key)
	eval[bool](p, `dispatchEvent(new Event("blur")), globalThis.left = performance.now(), true`)
	p.until("longer than a hold", `performance.now() - left > 1300`)
	if r := h.waiting(); len(r) != 1 {
		t.Fatal("a key that was let go elsewhere became a hold")
	}
	key.Type = input.DispatchKeyEventTypeKeyUp
	send(p, input.DispatchKeyEvent, key)
	p.Look("device-hold")
	_, s := p.find("button", "Button A")
	p.down(s)
	got := q.allowed()
	p.up(s)
	if got.Decision.Behavior != "allow" {
		t.Errorf("%+v", got)
	}
	if r := h.request(q.id, "decided", reached(nod.StepDelivered)); r.Decision.Via != "screen" {
		t.Errorf("%+v", r.Decision)
	}
}

// Without a hub it says so, and comes back by itself.
func TestDevicePageWithoutAHub(t *testing.T) {
	h, p := onPhone(t)
	p.Accept("net::ERR_", "WebSocket")
	p.gadget()
	q := h.agent("shop").bash("git push origin main")
	p.ripe(h, q.id)
	asked := p.picture()
	h.kill()
	say := words.For(func(string) string { return "en" })
	lost := draw.Paint(draw.Disconnected(say, draw.Size{W: 320, H: 240}, ""), 0)
	rig.Until(t, "the picture of a lost hub", func() bool { return different(lost, p.picture()) == 0 }, p.text)
	p.click("A")
	p.Look("device-lost")
	h.restart()
	rig.Until(t, "the request again", func() bool { return different(asked, p.picture()) < 2000 }, p.text)
	if r := h.request(q.id, "known again", func(*nod.Request) bool { return true }); r.Status != nod.Pending {
		t.Fatalf("a press into nothing was sent later: %s", r.Status)
	}
	p.until("a picture that has been there for a while", `(globalThis.again ??= performance.now()) && performance.now() - again > 500`)
	p.click("A")
	q.allowed()
}

// A device that may only look shows everything and answers nothing.
func TestDevicePageWithViewOnly(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	p := open(t, h, Phone, nod.View)
	p.gadget()
	q := h.agent("shop").bash("git push origin main")
	p.ripe(h, q.id)
	p.click("A")
	p.click("B")
	p.Look("device-view")
	if r := h.request(q.id, "known", func(*nod.Request) bool { return true }); r.Status != nod.Pending {
		t.Errorf("it was answered: %s", describe(r.Decision))
	}
}
