package browser

import (
	"testing"

	"github.com/chromedp/cdproto/network"

	"nod"
)

// The hub is killed and comes back: the page finds it again by itself, and what
// waited still waits and can be answered.
func TestAHubThatRestartsUnderAnOpenPage(t *testing.T) {
	h, phone := onPhone(t)
	phone.Accept("net::ERR_")
	q := h.agent("shop").bash("git push origin main")
	phone.See("git push origin main")
	h.kill()
	phone.See("does not answer")
	phone.See("git push origin main") // what was known stays readable
	phone.Tap("button", "Allow")
	phone.See("nothing was sent")
	h.restart()
	phone.live()
	phone.Gone("does not answer")
	if r := h.request(q.id, "known again", func(*nod.Request) bool { return true }); r.Status != nod.Pending {
		t.Fatalf("the refused answer was sent later: %s", r.Status)
	}
	phone.Tap("button", "Allow")
	q.allowed()
	phone.See("Allowed by you (web app)")
}

// The app opens from the service worker's cache, without a hub.
func TestThePageOpensWithoutAHub(t *testing.T) {
	h, phone := onPhone(t)
	phone.Accept("net::ERR_")
	phone.worker()
	h.kill()
	phone.Go("/agents")
	phone.See("does not answer")
	h.restart()
	phone.live()
	phone.Gone("does not answer")
}

// Offline an answer is refused at once, and never sent later.
func TestOffline(t *testing.T) {
	h, phone := onPhone(t)
	phone.Accept("net::ERR_")
	q := h.agent("shop").bash("git push origin main")
	phone.See("git push origin main")
	phone.offline(true)
	phone.See("This device is offline.")
	phone.Tap("button", "Allow")
	phone.See("Not connected, so nothing was sent.")
	phone.Look("offline")
	phone.offline(false)
	phone.live()
	phone.Gone("This device is offline.")
	phone.Gone("nothing was sent")
	if r := h.request(q.id, "known", func(*nod.Request) bool { return true }); r.Status != nod.Pending || phone.posted("/decision") {
		t.Fatalf("the refused answer was sent later: %s", r.Status)
	}
	phone.Tap("button", "Deny")
	if got := q.answer().Decision.Behavior; got != "deny" {
		t.Errorf("the agent heard %s", got)
	}
}

func (p *Page) offline(off bool) {
	p.t.Helper()
	rules := []*network.Conditions{}
	if off {
		rules = append(rules, &network.Conditions{Offline: true, DownloadThroughput: -1, UploadThroughput: -1})
	}
	send(p, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: rules})
	send(p, network.OverrideNetworkState, network.OverrideNetworkStateParams{Offline: off, DownloadThroughput: -1, UploadThroughput: -1})
}

// A device that was taken away learns so at once, and sees nothing any more.
func TestARevokedDevice(t *testing.T) {
	h, phone := onPhone(t)
	phone.Accept("401")
	h.agent("shop").bash("git push origin main")
	phone.See("git push origin main")
	id := eval[string](phone, `(async () => `+app("js/store.js")+`.store.me.id)()`)
	h.nod("token", "revoke", id)
	phone.See("This browser is not known to the hub")
	phone.until("nothing to be left, for ears neither", `!document.documentElement.textContent.includes("git push origin main") && !document.title.includes("(1)")`)
	phone.Reload()
	phone.See("This browser is not known to the hub")
}

// A screen on the wall shows everything and can do nothing.
func TestDeviceWithViewOnly(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	wall := open(t, h, Desktop, nod.View)
	h.agent("shop").bash("git push origin main")
	wall.See("git push origin main")
	wall.See("This device may look, but not answer.")
	for _, name := range []string{"Allow", "Deny", "Edit…"} {
		wall.HasNo("button", name)
	}
	wall.Press("a")
	wall.Tap("button", "Stop everything")
	wall.See("Stop everything?")
	wall.HasNo("button", "press and hold")
	if wall.posted("/decision") || wall.posted("/v1/stop") || len(h.waiting()) != 1 {
		t.Error("it did something")
	}
}
