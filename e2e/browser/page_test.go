package browser

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"nod"
	"nod/e2e/rig"
)

// Device is what a person holds, or sits at.
type Device struct {
	name          string
	width, height int64
	touch         bool
}

// The two sizes that the app is made for.
var (
	Phone   = Device{"phone", 390, 844, true}
	Desktop = Device{"desktop", 1440, 900, false}
)

// Page is one browser profile with one page open.
type Page struct {
	t   testing.TB
	ctx context.Context
	hub *hub
	dev Device

	mu       sync.Mutex
	faults   []string
	accepted []string
	traffic  map[string]*transfer
}

// watchman is in every page before its own scripts.
//
//go:embed watchman.js
var watchman string

// onPhone starts a parallel test with a hub and a paired phone.
func onPhone(t *testing.T) (*hub, *Page) {
	t.Helper()
	t.Parallel()
	h := newHub(t)
	return h, open(t, h, Phone)
}

// open is a page that is paired and shows the inbox.
func open(t testing.TB, h *hub, dev Device, rights ...nod.Right) *Page {
	t.Helper()
	p := blank(t, h, dev)
	p.Pair(h.code(rights...), "Anna's "+dev.name)
	return p
}

// blank is a new profile that knows nothing.
func blank(t testing.TB, h *hub, dev Device) *Page {
	t.Helper()
	ctx, cancel := chromedp.NewContext(chromium(t), chromedp.WithNewBrowserContext())
	p := &Page{t: t, ctx: ctx, hub: h, dev: dev, traffic: map[string]*transfer{}}
	opts := []chromedp.EmulateViewportOption{}
	if dev.touch {
		opts = append(opts, chromedp.EmulateMobile, chromedp.EmulateTouch)
	}
	if err := chromedp.Do(ctx); err != nil { // the profile lives as long as the context of its first step
		t.Fatal(err)
	}
	p.do("open", chromedp.EmulateViewport(dev.width, dev.height, opts...), chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: watchman})
		if err == nil {
			_, err = cdp.Call(ctx, t, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
		}
		return err
	}))
	stop := p.watch()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%s: %s\n%s", dev.name, p.shot("failed-"+strings.ReplaceAll(t.Name(), "/", "-")+"-"+dev.name), p.text())
		}
		stop()
		cancel()
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, fault := range p.faults {
			t.Errorf("%s: %s", dev.name, fault)
		}
	})
	return p
}

func (p *Page) do(what string, steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := p.patience()
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.t.Fatalf("%s: %s: %v", p.dev.name, what, err)
	}
}

// patience bounds one step: a page that hangs must not hang the test.
func (p *Page) patience() (context.Context, context.CancelFunc) {
	return context.WithTimeout(p.ctx, rig.Patience)
}

// send gives the page's target a command of the protocol.
func send[P, R any](p *Page, cmd cdp.Command[P, R], params P) R {
	p.t.Helper()
	res, err := call(p, cmd, params)
	if err != nil {
		p.t.Fatalf("%s: %s: %v", p.dev.name, cmd.Method, err)
	}
	return res
}

func call[P, R any](p *Page, cmd cdp.Command[P, R], params P) (R, error) {
	ctx, cancel := p.patience()
	defer cancel()
	return chromedp.Call(ctx, cmd, params)
}

// eval is the value of an expression in the page; promises are waited for.
func eval[T any](p *Page, js string) T {
	p.t.Helper()
	v, err := try[T](p, js)
	if err != nil {
		p.t.Fatalf("%s: %v in %s", p.dev.name, err, js)
	}
	return v
}

// try is eval for moments when the page may be on its way elsewhere.
func try[T any](p *Page, js string) (T, error) {
	ctx, cancel := p.patience()
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
}

// until waits until an expression is true. Pages come and go meanwhile, so an
// error is only a no.
func (p *Page) until(what, js string) {
	p.t.Helper()
	rig.Until(p.t, what, func() bool { return p.holds(js) }, func() string { return p.text() })
}

func (p *Page) holds(js string) bool {
	ok, err := try[bool](p, "Boolean("+js+")")
	return err == nil && ok
}

// text is what a person can read on the page.
func (p *Page) text() string {
	text, err := try[string](p, "location.pathname + '\\n' + document.body.innerText")
	if err != nil {
		return err.Error()
	}
	return text
}

// app is an expression for a module of the app, the very one that runs.
func app(module string) string {
	return fmt.Sprintf(`(await import(new URL(%q, document.querySelector("script[type=module]").src)))`, module)
}

// Go opens an address of the hub.
func (p *Page) Go(path string) {
	p.t.Helper()
	p.do("go to "+path, chromedp.Navigate(p.hub.url+path))
}

// Reload loads the same page again.
func (p *Page) Reload() { p.t.Helper(); p.do("reload", chromedp.Reload()) }

// Pair follows a pairing link and gives the device a name.
func (p *Page) Pair(code, name string) {
	p.t.Helper()
	p.Go("/pair#" + code)
	p.Type("Name of this device", name)
	p.Tap("button", "Pair")
	p.until("the inbox, live", `location.pathname === "/" && document.querySelector(".inbox")`)
	p.live()
}

// live waits until the page follows the log.
func (p *Page) live() {
	p.t.Helper()
	rig.Until(p.t, "a page that follows the log", func() bool {
		ok, err := try[bool](p, `(async () => { const { store } = `+app("js/store.js")+`; return store.link === "live" && store.me !== undefined; })()`)
		return err == nil && ok
	}, p.text)
}

// worker waits for the service worker. A page that was loading while it came
// up is not its own yet; the next one is.
func (p *Page) worker() {
	p.t.Helper()
	rig.Until(p.t, "the service worker", func() bool {
		ok, err := try[bool](p, `navigator.serviceWorker.getRegistration().then((r) => r?.active?.state === "activated")`)
		return err == nil && ok
	}, p.text)
}

// See waits for words that a person can read, upper or lower case.
func (p *Page) See(text string) {
	p.t.Helper()
	p.until("to see "+text, seen(text))
}

// Gone waits until they are not there.
func (p *Page) Gone(text string) {
	p.t.Helper()
	p.until("not to see "+text, "!"+seen(text))
}

// seen leaves out text for screen readers only, which stays after it was announced.
func seen(text string) string {
	return fmt.Sprintf(`[...document.body.children].filter((e) => e.id !== "announcer").map((e) => e.innerText).join(" ").toLowerCase().replace(/\s+/g, " ").includes(%q)`, strings.ToLower(text))
}

// Accept names a fault that this test provokes.
func (p *Page) Accept(faults ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.accepted = append(p.accepted, faults...)
}
