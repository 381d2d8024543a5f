package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/serviceworker"
	"github.com/chromedp/chromedp"

	"nod/e2e/fakepush"
	"nod/e2e/rig"
)

// pushed is a page whose device gets notifications. A browser subscribes at its
// maker's service, which no test may talk to: the subscription is one of a local
// service (RFC 8030), and what arrives there, encrypted by the hub and decrypted
// as a browser would, is handed to the real service worker.
type pushed struct {
	*Page
	service *fakepush.Browser
	worker  context.Context
	scope   serviceworker.RegistrationID
	got     int
}

// note is a notification on the screen.
type note struct {
	Tag, Title, Body string
	Actions          []string
}

func openPushed(t *testing.T, h *hub, service *fakepush.Service) *pushed {
	t.Helper()
	p := open(t, h, Phone)
	_, err := chromedp.CallBrowser(p.ctx, browser.SetPermission, browser.SetPermissionParams{
		Origin: h.url, BrowserContextID: chromedp.FromContext(p.ctx).BrowserContextID,
		Permission: &browser.PermissionDescriptor{Name: "notifications"}, Setting: browser.PermissionSettingGranted,
	})
	if err != nil {
		t.Fatal(err)
	}
	key := eval[string](p, `(async () => (await `+app("js/api.js")+`.call("GET", "/v1/push")).key)()`)
	b := service.Subscribe(key)
	eval[bool](p, `(async () => (await `+app("js/api.js")+`.call("PUT", "/v1/push", { subscription: `+b.JSON()+`, notify: "waiting" })).subscribed)()`)
	u := &pushed{Page: p, service: b}
	p.worker()
	u.attach()
	return u
}

// attach finds the running service worker of this page.
func (u *pushed) attach() {
	u.t.Helper()
	ctx, cancel := u.patience()
	defer cancel()
	send(u.Page, serviceworker.Disable, cdp.Empty{})
	updates := chromedp.Events(ctx, serviceworker.WorkerRegistrationUpdated)
	send(u.Page, serviceworker.Enable, cdp.Empty{})
	for e, err := range updates {
		if err != nil {
			u.t.Fatal(err)
		}
		for _, r := range e.Registrations {
			if r.ScopeURL == u.hub.url+"/" && !r.IsDeleted {
				u.scope = r.RegistrationID
			}
		}
		if u.scope != "" {
			break
		}
	}
	rig.Until(u.t, "the worker's target", func() bool {
		list, err := chromedp.Targets(u.ctx)
		for _, info := range list {
			if err == nil && info.Type == "service_worker" && info.URL == u.hub.url+"/sw.js" {
				var stop context.CancelFunc
				u.worker, stop = chromedp.NewContext(u.ctx, chromedp.WithTargetID(info.TargetID), chromedp.WithDetachOnCancel())
				u.t.Cleanup(stop)
				return true
			}
		}
		return false
	}, func() string { return "no service worker" })
	if err := chromedp.Do(u.worker); err != nil {
		u.t.Fatal(err)
	}
}

// deliver hands the worker the next message that the push service has for it,
// to the byte.
func (u *pushed) deliver() map[string]any {
	u.t.Helper()
	ctx, cancel := u.patience()
	defer cancel()
	list, err := u.service.Wait(ctx, u.got+1)
	if err != nil {
		u.t.Fatalf("no push came: %v, %v", list, err)
	}
	payload := list[u.got].Payload
	u.got++
	u.hand(payload)
	var m map[string]any
	if err := json.Unmarshal(payload, &m); err != nil {
		u.t.Fatalf("%s: %v", payload, err)
	}
	return m
}

func (u *pushed) hand(payload []byte) {
	u.t.Helper()
	send(u.Page, serviceworker.DeliverPushMessage, serviceworker.DeliverPushMessageParams{Origin: u.hub.url, RegistrationID: u.scope, Data: string(payload)})
}

// next delivers until a request is on the screen; what was settled before comes first.
// Chromium may lose a notification when it is asked for all of them in the moment that
// it shows one, which only a test does; the same once more changes nothing else.
func (u *pushed) next(q *asking) {
	u.t.Helper()
	for m := u.deliver(); m["id"] != string(q.id) || m["type"] != "request"; m = u.deliver() {
	}
	handed := time.Now()
	u.noted("the notification", func(list []note) bool {
		if slices.ContainsFunc(list, func(n note) bool { return n.Tag == string(q.id) }) {
			return true
		}
		if time.Since(handed) > 8*time.Second {
			all, _ := u.service.Wait(u.ctx, u.got)
			u.hand(all[u.got-1].Payload)
			handed = time.Now()
		}
		return false
	})
}

func (u *pushed) notes() []note {
	u.t.Helper()
	return eval[[]note](u.Page, `navigator.serviceWorker.ready.then((r) => r.getNotifications()).then((all) => all.map((n) => ({ Tag: n.tag, Title: n.title, Body: n.body, Actions: (n.actions ?? []).map((a) => a.action + ": " + a.title) })))`)
}

// noted waits until the screen has these notifications and no other.
func (u *pushed) noted(what string, fits func([]note) bool) {
	u.t.Helper()
	var last []note
	rig.Until(u.t, what, func() bool { last = u.notes(); return fits(last) }, func() string { return describe(last) })
}

// press is a person on a notification's button; "" is the notification itself.
// Only a browser can make an event whose work is waited for, so here the test waits.
func (u *pushed) press(tag, action string) {
	u.t.Helper()
	ctx, cancel := context.WithTimeout(u.worker, rig.Patience)
	defer cancel()
	_, err := chromedp.Run(ctx, chromedp.Evaluate[bool](fmt.Sprintf(`(async () => {
	  const [notification] = await registration.getNotifications({ tag: %q });
	  const event = new NotificationEvent("notificationclick", { notification, action: %q });
	  let work;
	  event.waitUntil = (promise) => { work = promise; };
	  WindowClient.prototype.focus = async function () { return this; }; // nor may anyone else bring a window to the front
	  self.dispatchEvent(event);
	  await work;
	  return true;
	})()`, tag, action), chromedp.EvalAwaitPromise))
	if err != nil {
		u.t.Fatal(err)
	}
}

func TestPush(t *testing.T) {
	t.Parallel()
	service := fakepush.Start()
	defer service.Close()
	h := newHub(t, "[push]", "private = true")
	u := openPushed(t, h, service)
	shop := h.agent("shop")

	t.Run("one notification, and its Allow reaches the agent", func(t *testing.T) {
		q := shop.bash("git push origin main")
		if m := u.deliver(); m["id"] != string(q.id) || m["one_tap"] != true {
			t.Fatalf("pushed: %v", m)
		}
		u.noted("one notification with its buttons", func(list []note) bool {
			return len(list) == 1 && list[0].Tag == string(q.id) && fmt.Sprint(list[0].Actions) == "[allow: Allow deny: Deny]"
		})
		u.press(string(q.id), "allow")
		q.runs()
		u.noted("nothing left", func(list []note) bool { return len(list) == 0 })
		u.See("Allowed by you (notification)")
	})
	t.Run("its Deny too", func(t *testing.T) {
		q := shop.bash("git push origin dev")
		u.next(q)
		u.press(string(q.id), "deny")
		if got := q.answer().Decision.Behavior; got != "deny" {
			t.Errorf("the agent heard %s", got)
		}
		q.refused()
	})
	t.Run("settled elsewhere replaces it, then takes it away", func(t *testing.T) {
		q := shop.bash("git push origin three")
		u.next(q)
		u.noted("the question", func(list []note) bool { return has(list, string(q.id), 2) })
		h.nod("allow", string(q.id))
		q.runs()
		for m := u.deliver(); m["type"] != "settled" || m["id"] != string(q.id); m = u.deliver() {
		}
		u.noted("the question gone", func(list []note) bool { return !has(list, string(q.id), 2) })
		u.noted("nothing left", func(list []note) bool { return len(list) == 0 })
	})
	t.Run("what is dangerous has no buttons; a tap opens its card", func(t *testing.T) {
		q := shop.bash("rm -rf ~/photos")
		u.next(q)
		u.noted("a notification without buttons", func(list []note) bool { return has(list, string(q.id), 0) })
		u.Tap("link", "Agents")
		u.press(string(q.id), "")
		u.until("the card", fmt.Sprintf(`location.pathname === "/" && document.querySelector("nod-card")?.dataset.request === %q`, q.id))
		u.Tap("button", "Deny")
		q.refused()
	})
	t.Run("a button without a hub says that nothing was sent", func(t *testing.T) {
		u.Accept("net::ERR_")
		q := shop.bash("git push origin four")
		u.next(q)
		h.kill()
		u.press(string(q.id), "allow")
		u.noted("the truth", func(list []note) bool {
			return len(list) == 1 && list[0].Body == "Not sent: the hub does not answer. Nothing was decided. Tap to open."
		})
		h.restart()
		if len(h.waiting()) != 1 || q.over() {
			t.Error("it was sent all the same")
		}
	})
}

func has(list []note, tag string, actions int) bool {
	for _, n := range list {
		if n.Tag == tag && len(n.Actions) == actions {
			return true
		}
	}
	return false
}
