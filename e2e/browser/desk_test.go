package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"

	"nod"
)

// A desk without a mouse.
func TestKeysOnly(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	desk := open(t, h, Desktop)
	one, two := h.agent("one").bash("git push origin one"), h.agent("two").bash("git push origin two")
	three, four := h.agent("three").bash("git push origin three"), h.agent("four").bash("rm -rf ~/photos")
	desk.until("four in the list", `document.querySelectorAll(".rows .row").length === 4`)
	at := func(q *asking) {
		t.Helper()
		desk.until("the card of "+q.agent.session, fmt.Sprintf(`document.querySelector("nod-card")?.dataset.request === %q`, q.id))
		desk.rested()
	}
	at(one)
	desk.Press("j")
	at(two)
	desk.Press("j")
	at(three)
	desk.Press("k")
	at(two)
	desk.Press("e")
	desk.See("Edit, then allow")
	desk.rested()
	desk.Press("x", "\t") // letters are text now, not commands
	desk.until("what was typed", `document.querySelector("dialog textarea").value.includes("x")`)
	desk.Press("\x1b")
	desk.Gone("Edit, then allow")
	at(two)
	desk.Press("d")
	if got := two.answer().Decision.Behavior; got != "deny" {
		t.Errorf("d: the agent heard %s", got)
	}
	two.refused()
	at(one)
	desk.Press("a")
	one.runs()
	at(three)
	desk.Press("a")
	three.runs()
	at(four)
	desk.Press("a") // only puts one on the button: it must be held
	desk.until("the button to be chosen", `document.activeElement?.matches("nod-hold button")`)
	desk.key(input.DispatchKeyEventTypeRawKeyDown)
	four.allowed()
	desk.key(input.DispatchKeyEventTypeKeyUp)

	desk.Press("?")
	desk.See("next request")
	desk.Press("\x1b")
	desk.Gone("next request")
	desk.Press("/")
	desk.until("the search field", `document.activeElement?.matches("[data-search]")`)
}

// key is Enter going down or up.
func (p *Page) key(kind input.DispatchKeyEventType) {
	p.t.Helper()
	send(p, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: "Enter", Code: "Enter", WindowsVirtualKeyCode: 13, NativeVirtualKeyCode: 13})
}

// With the tab key alone everything can be reached, and nothing that has the
// focus hides under the buttons at the foot of the card.
func TestFocusIsAlwaysVisible(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	for _, dev := range []Device{Desktop, Phone} {
		p := open(t, h, dev)
		q := h.agent("shop-"+dev.name).elicit("house", "Which room should be lit?", longForm())
		p.See("Which room should be lit?")
		reached := map[string]bool{}
		for range 60 {
			p.Press("\t")
			got := eval[struct{ Name, Over string }](p, `(() => {
			  const e = document.activeElement, b = e.getBoundingClientRect();
			  const hit = document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2);
			  const seen = e === document.body || !hit || e.contains(hit) || hit.contains(e) || e.closest("label")?.contains(hit);
			  return { Name: (e.getAttribute("aria-label") || e.closest("label")?.textContent || e.textContent).trim().slice(0, 40), Over: seen ? "" : hit.outerHTML.slice(0, 90) };
			})()`)
			reached[got.Name] = true
			if got.Over != "" {
				t.Errorf("%s: %q has the focus and lies under %s", dev.name, got.Name, got.Over)
			}
		}
		for _, name := range []string{"Field 1", "Field 12", "Decline", "Inbox1", "Stop everything"} {
			if !reached[name] {
				t.Errorf("%s: the tab key does not reach %q: %v", dev.name, name, reached)
			}
		}
		h.nod("deny", string(q.id))
		q.printed()
	}
}

func longForm() fields {
	properties := fields{}
	for i := range 12 {
		properties[fmt.Sprint("f", i)] = fields{"type": "string", "title": fmt.Sprint("Field ", i+1)}
	}
	return fields{"type": "object", "properties": properties}
}

// The emergency stop: pending requests are denied, agents stopped, leases revoked.
func TestEmergencyStop(t *testing.T) {
	h, phone := onPhone(t)
	shop := h.agent("shop")
	q := shop.bash("mkdir -p build")
	phone.Tap("button", "Always…")
	phone.Tap("button", "Allow and remember")
	q.runs()
	one, two := h.agent("one").bash("git push origin one"), h.agent("two").bash("git push origin two")
	phone.Tap("button", "Stop everything")
	phone.See("Stop everything?")
	phone.Look("stop")
	phone.Hold("button", "Stop everything")
	for _, q := range []*asking{one, two} {
		if d := q.answer().Decision; d.Behavior != "deny" || !d.Interrupt {
			t.Errorf("%+v", d)
		}
	}
	phone.See("Stopped. Nothing is allowed without you now.")
	s, err := h.client.State(t.Context())
	if err != nil || len(s.Leases) != 0 || len(s.Requests) != 0 {
		t.Errorf("left: %s, %v", describe(s), err)
	}
}

func TestThreeLanguages(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	for _, l := range []struct{ browser, pair, name, allow, deny, settled string }{
		{"pl-PL,pl;q=0.9", "Sparuj", "Nazwa urządzenia", "Pozwól", "Odmów", "Odmowa: Ty (aplikacja web)"},
		{"ja-JP", "つなぐ", "端末の名前", "許可", "拒否", "あなた が拒否 (ウェブ)"},
		{"de-DE,en;q=0.5", "Pair", "Name of this device", "Allow", "Deny", "Denied by you (web app)"}, // nod has no German
	} {
		t.Run(l.browser, func(t *testing.T) {
			p := blank(t, h, Phone)
			send(p, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{UserAgent: "Mozilla/5.0 (Linux; Android 15) Chrome/150 Mobile", AcceptLanguage: l.browser})
			p.Go("/pair#" + h.code())
			p.Type(l.name, "Phone "+l.browser[:2])
			p.Tap("button", l.pair)
			p.live()
			q := h.agent("shop-" + l.browser[:2]).bash("git push origin main")
			p.find("button", l.allow)
			p.Look("language-" + l.browser[:2])
			p.Tap("button", l.deny)
			p.See(l.settled)
			q.refused()
			h.request(q.id, "applied", reached(nod.StepApplied))
		})
	}
}
