package browser

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"nod"
	"nod/e2e/rig"
)

// Who decided what, and from where: to be read, searched, narrowed, taken along.
func TestHistory(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	desk := open(t, h, Desktop)
	shop := h.agent("shop")
	q := shop.bash("git push origin main")
	desk.Tap("button", "Allow")
	q.runs()
	q = shop.bash("git fetch origin topic")
	h.nod("deny", string(q.id), "-m", "not today")
	q.refused()
	h.request(q.id, "applied", reached(nod.StepApplied))

	desk.Tap("link", "History")
	desk.See("git push origin main")
	desk.See("by you, web app")
	desk.See("git fetch origin topic")
	desk.See(", terminal")
	desk.Choose("Verdict", "deny")
	desk.Gone("git push origin main")
	desk.See("git fetch origin topic")
	desk.Tap("button", "git fetch origin topic")
	desk.See("not today")
	desk.See("The agent did so")
	desk.Tap("button", "Clear")
	desk.Type("Search decisions", "push")
	desk.Gone("git fetch origin topic")
	desk.See("git push origin main")
	desk.Type("Search decisions", "nothing like that")
	desk.See("Nothing fits.")
	desk.Type("Search decisions", "")
	desk.See("git fetch origin topic")

	rows, err := csv.NewReader(strings.NewReader(desk.export("CSV, for tables", "csv"))).ReadAll()
	if err != nil || len(rows) != 3 {
		t.Errorf("CSV: %q, %v", rows, err)
	}
	var all any
	if text := desk.export("JSON, complete", "json"); json.Unmarshal([]byte(text), &all) != nil || strings.Count(text, "git push origin main") == 0 {
		t.Errorf("JSON: %.300s", text)
	}
}

// Choose picks from a list of the browser's own.
func (p *Page) Choose(name, value string) {
	p.t.Helper()
	t, _ := p.find("combobox", name)
	o := send(p, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: t.node})
	send(p, runtime.CallFunctionOn, runtime.CallFunctionOnParams{ObjectID: o.Object.ObjectID,
		FunctionDeclaration: fmt.Sprintf(`function () { this.value = %q; this.dispatchEvent(new Event("change", { bubbles: true })); }`, value)})
}

// export takes the history along, and reads the file.
func (p *Page) export(button, form string) string {
	p.t.Helper()
	dir := p.t.TempDir()
	_, err := chromedp.CallBrowser(p.ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: dir, BrowserContextID: chromedp.FromContext(p.ctx).BrowserContextID,
	})
	if err != nil {
		p.t.Fatal(err)
	}
	p.Tap("button", "Export")
	p.Tap("button", button)
	var text []byte
	rig.Until(p.t, "a file", func() bool {
		list, _ := filepath.Glob(filepath.Join(dir, "nod-history-*."+form))
		if len(list) == 1 {
			text, _ = os.ReadFile(list[0])
		}
		return len(text) > 0
	}, p.text)
	p.See("Exported.")
	return string(text)
}

func TestSettings(t *testing.T) {
	h, phone := onPhone(t)
	t.Run("how it looks and speaks, and stays so", func(t *testing.T) {
		phone.Tap("link", "Settings")
		phone.Tap("radio", "Polski")
		phone.See("Ustawienia")
		phone.Tap("radio", "Ciemny")
		phone.Tap("radio", "Duży")
		phone.Reload()
		phone.live()
		phone.See("Ustawienia")
		if got := eval[string](phone, `[document.documentElement.lang, document.documentElement.dataset.theme, document.documentElement.dataset.text].join()`); got != "pl,dark,large" {
			t.Errorf("after a reload: %s", got)
		}
		phone.Tap("radio", "日本語")
		phone.See("設定")
		phone.Tap("radio", "ハイコントラスト")
		phone.Axe("settings, Japanese, high contrast")
		phone.Shot("settings-contrast")
		phone.Tap("radio", "English")
		phone.See("Settings")
		phone.Tap("radio", "As the system")
	})
	t.Run("one more device, and away with it", func(t *testing.T) {
		phone.Tap("button", "Add a device")
		phone.until("the code", `document.querySelector(".pairing-link")?.textContent.includes("/pair#")`)
		phone.Look("add-device")
		link := eval[string](phone, `document.querySelector(".pairing-link").textContent`)
		desk := blank(t, h, Desktop)
		desk.Accept("401")
		desk.Pair(link[strings.Index(link, "#")+1:], "Desk in the hall")
		phone.See("Desk in the hall is here.")
		phone.Press("\x1b")
		phone.Tap("button", "Remove")
		phone.See("Remove Desk in the hall?")
		phone.confirm()
		phone.See("Desk in the hall has no access any more.")
		if at := eval[string](phone, "location.pathname"); at != "/settings" {
			t.Errorf("letting go of the button pressed what was below: now at %s", at)
		}
		desk.See("This browser is not known to the hub")
	})
	t.Run("and out", func(t *testing.T) {
		phone.Accept("401")
		phone.Tap("button", "Sign out")
		phone.See("Sign this device out?")
		phone.confirm()
		phone.See("This browser is not known to the hub")
		if list, err := h.client.Tokens(t.Context()); err != nil || len(list) != 0 {
			t.Errorf("%s, %v", describe(list), err)
		}
	})
}

// confirm presses the one button of a sheet that asks once more.
func (p *Page) confirm() {
	p.t.Helper()
	p.until("the question", `document.querySelector("dialog[open]")`)
	if p.holds(`document.querySelector("dialog[open] nod-hold")`) {
		p.Hold("button", eval[string](p, `document.querySelector("dialog[open] nod-hold .hold-label").textContent`))
		return
	}
	p.Tap("button", eval[string](p, `[...document.querySelectorAll("dialog[open] .sheet-body button")].at(-1).textContent`))
}

// A conversation, with what it asks in the middle of it.
func TestChat(t *testing.T) {
	h, phone := onPhone(t)
	shop := h.agent("shop")
	shop.tell("Stop", fields{"last_assistant_message": "All **12** tests pass.\n\n```go\nfunc price() int\n```\n<img src=x onerror=alert(1)>"})
	phone.Tap("link", "Agents")
	phone.See("1 idle")
	phone.Tap("link", "shop")
	phone.until("the conversation", `location.pathname === "/agents/session-shop"`)
	phone.See("Make the tests of shop pass")
	phone.See("All 12 tests pass.")
	phone.until("Markdown, and nothing of an agent as markup", `[...document.querySelectorAll(".chat strong")].some((e) => e.textContent === "12") && !document.querySelector(".chat img")`)
	phone.See("cannot be spoken to from here")
	shop.tell("UserPromptSubmit", fields{"prompt": "Push it"})
	phone.See("Push it")
	q := shop.bash("git push origin main")
	phone.See("Run this command?")
	phone.Tap("button", "Allow")
	q.runs()
	shop.tell("Stop", fields{"last_assistant_message": "It is pushed."})
	phone.See("It is pushed.")
}

// Ten seconds after `nod serve --demo`: agents that work and ask, marked as made up.
func TestDemo(t *testing.T) {
	t.Parallel()
	h := newDemo(t)
	phone := open(t, h, Phone)
	phone.See("Demo")
	phone.until("a card", `document.querySelector("nod-card")`)
	phone.Look("demo")
	phone.Tap("link", "Agents")
	phone.until("three agents", `document.querySelectorAll(".agent").length >= 3`)
	if _, err := os.Stat(filepath.Join(h.data, "nod.db")); err == nil {
		t.Error("the demo has made real data")
	}
}
