package browser

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"nod/e2e/rig"
)

// Things are found as a screen reader finds them: by role and name. What has no
// name there cannot be tapped here.
type thing struct {
	role, name string
	node       cdp.BackendNodeID
}

// things are all of a role that can be perceived and used now.
func (p *Page) things(role string) ([]thing, error) {
	root, err := call(p, runtime.Evaluate, runtime.EvaluateParams{Expression: "document", ObjectGroup: "find"})
	if err != nil {
		return nil, err
	}
	tree, err := call(p, accessibility.QueryAXTree, accessibility.QueryAXTreeParams{ObjectID: root.Result.ObjectID, Role: role})
	if err != nil {
		return nil, err
	}
	var list []thing
	for _, n := range tree.Nodes {
		var name string
		if n.Ignored || n.Name == nil || json.Unmarshal([]byte(n.Name.Value), &name) != nil {
			continue
		}
		list = append(list, thing{role, name, n.BackendDOMNodeID})
	}
	return list, nil
}

// one picks by name: the whole of it, else a part.
func one(list []thing, name string) (thing, bool) {
	var part []thing
	for _, t := range list {
		if t.name == name {
			return t, true
		}
		if strings.Contains(t.name, name) {
			part = append(part, t)
		}
	}
	if len(part) != 1 {
		return thing{}, false
	}
	return part[0], true
}

// spot is where a finger would go, and whether it would arrive.
type spot struct {
	X, Y   float64
	OK     bool
	Why    string
	Width  float64
	Height float64
}

// where brings a thing into view and finds its middle. It says no while the
// thing moves, is off, or lies under something else.
const where = `async function () {
  this.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
  const box = () => { const b = this.getBoundingClientRect(); return [b.x, b.y, b.width, b.height].map(Math.round).join(); };
  const before = box();
  await new Promise((r) => setTimeout(r, 40));
  const b = this.getBoundingClientRect();
  const x = b.x + b.width / 2, y = b.y + b.height / 2;
  const hit = document.elementFromPoint(x, y);
  const label = this.closest("label");
  const why = this.disabled ? "is off" : box() !== before ? "moves" :
    !hit || !(this.contains(hit) || hit.contains(this) && hit === label || label?.contains(hit)) ? "lies under " + (hit?.outerHTML.slice(0, 80) ?? "nothing") : "";
  return { X: x, Y: y, OK: !why, Why: why, Width: b.width, Height: b.height };
}`

func (p *Page) spot(t thing) (spot, error) {
	var s spot
	res, err := call(p, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: t.node, ObjectGroup: "find"})
	if err != nil {
		return s, err
	}
	yes := true
	got, err := call(p, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: where, ObjectID: res.Object.ObjectID, ReturnByValue: &yes, AwaitPromise: &yes,
	})
	if err != nil {
		return s, err
	}
	if got.ExceptionDetails != nil {
		return s, fmt.Errorf("%s", got.ExceptionDetails.Text)
	}
	return s, json.Unmarshal([]byte(got.Result.Value), &s)
}

// find waits for a thing that can be used.
func (p *Page) find(role, name string) (thing, spot) {
	p.t.Helper()
	var t thing
	var s spot
	var seen string
	rig.Until(p.t, fmt.Sprintf("%s %q on the %s", role, name, p.dev.name), func() bool {
		list, err := p.things(role)
		if seen = fmt.Sprint(list, err); err != nil {
			return false
		}
		var ok bool
		if t, ok = one(list, name); !ok {
			return false
		}
		s, err = p.spot(t)
		seen = fmt.Sprint(list, s.Why, err)
		return err == nil && s.OK
	}, func() string { return seen + "\n" + p.text() })
	return t, s
}

// rested waits until the app takes a press: it ignores one that comes sooner
// than 300 ms after something moved.
func (p *Page) rested() {
	p.t.Helper()
	rig.Until(p.t, "buttons that rest", func() bool {
		ok, err := try[bool](p, `(async () => `+app("js/guard.js")+`.ready())()`)
		return err == nil && ok
	}, p.text)
}

// Tap presses and releases, with a finger or a mouse.
func (p *Page) Tap(role, name string) {
	p.t.Helper()
	p.find(role, name)
	p.rested()
	_, s := p.find(role, name)
	p.down(s)
	p.up(s)
}

// Hold presses until the button has had enough.
func (p *Page) Hold(role, name string) {
	p.t.Helper()
	p.find(role, name)
	p.rested()
	_, s := p.find(role, name)
	p.down(s)
	p.until(name+" to fill", `document.querySelector("nod-hold.holding")`)
	p.until(name+" to be held", `!document.querySelector("nod-hold.holding")`)
	p.up(s)
}

func (p *Page) down(s spot) {
	p.t.Helper()
	if p.dev.touch {
		send(p, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: s.X, Y: s.Y}}})
		return
	}
	p.mouse(input.DispatchMouseEventTypeMouseMoved, s)
	p.mouse(input.DispatchMouseEventTypeMousePressed, s)
}

func (p *Page) up(s spot) {
	p.t.Helper()
	if p.dev.touch {
		send(p, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}})
		return
	}
	p.mouse(input.DispatchMouseEventTypeMouseReleased, s)
}

func (p *Page) mouse(kind input.DispatchMouseEventType, s spot) {
	p.t.Helper()
	m := input.DispatchMouseEventParams{Type: kind, X: s.X, Y: s.Y}
	if kind != input.DispatchMouseEventTypeMouseMoved {
		m.Button, m.ClickCount = input.MouseButtonLeft, 1
	}
	send(p, input.DispatchMouseEvent, m)
}

// Type puts text into a field, in place of what is there.
func (p *Page) Type(name, text string) {
	p.t.Helper()
	role := "textbox"
	if p.holds(fmt.Sprintf(`document.querySelector("input[type=search][aria-label='%s']")`, name)) {
		role = "searchbox"
	}
	t, _ := p.find(role, name)
	send(p, dom.Focus, dom.FocusParams{BackendNodeID: t.node})
	eval[bool](p, `document.activeElement.select(), true`)
	send(p, input.InsertText, input.InsertTextParams{Text: text})
}

// Press types keys, one after the other, as on a keyboard.
func (p *Page) Press(keys ...string) {
	p.t.Helper()
	for _, k := range keys {
		p.do("press "+k, chromedp.KeyEvent(k))
	}
}

// HasNo checks that nothing of this role and name is there.
func (p *Page) HasNo(role, name string) {
	p.t.Helper()
	list, err := p.things(role)
	if err != nil {
		p.t.Fatal(err)
	}
	for _, t := range list {
		if strings.Contains(t.name, name) {
			p.t.Errorf("%s: there is a %s %q", p.dev.name, role, t.name)
		}
	}
}
