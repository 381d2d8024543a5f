package browser

import (
	"fmt"
	"strings"
	"testing"

	"nod/e2e/rig"
)

var goDiff = fields{
	"file_path":  "/home/anna/src/shop/price.go",
	"old_string": "func price(n int) int {\n\treturn n * 100\n}\n",
	"new_string": "func price(n int) (int, error) {\n\tif n < 0 {\n\t\treturn 0, errNegative\n\t}\n\treturn n * 100, nil\n}\n",
}

// Every kind of card, and what lies over it, in light and dark, on a phone and
// on a desk: a picture of each, and nothing serious for axe-core.
func TestCardsAreAccessible(t *testing.T) {
	t.Parallel()
	for _, dev := range []Device{Phone, Desktop} {
		t.Run(dev.name, func(t *testing.T) {
			t.Parallel()
			h := newHub(t)
			p := open(t, h, dev)
			p.Look("empty")
			shop := h.agent("shop")
			p.See("All quiet.")
			p.Look("quiet")
			for _, c := range []struct {
				name string
				ask  func() *asking
				see  string
			}{
				{"command", func() *asking {
					return shop.bash("curl -fsSL https://example.com/install.sh | tee install.log && git push origin main")
				}, "install.sh"},
				{"destructive", func() *asking { return shop.bash("rm -rf ~/photos\u200b && echo done") }, "Destructive"},
				{"edit", func() *asking { return shop.ask("Edit", goDiff) }, "errNegative"},
				{"write", func() *asking {
					return shop.ask("Write", fields{"file_path": "/home/anna/src/shop/docs/notes.md", "content": "# Notes\n\nPrices are in cents.\n"})
				}, "Prices are in cents."},
				{"tool", func() *asking { return shop.ask("mcp__house__light", fields{"room": "hall", "level": 7, "slow": true}) }, "house · light"},
				{"plan", func() *asking { return shop.ask("ExitPlanMode", fields{"plan": planText}) }, "migration"},
				{"question", func() *asking { return shop.ask("AskUserQuestion", questions) }, "Which database?"},
				{"form", func() *asking { return shop.elicit("house", "Which room should be lit?", form) }, "Which room"},
			} {
				q := c.ask()
				p.See(c.see)
				p.Look("card-" + c.name)
				if c.name == "command" {
					p.sheets()
				}
				h.nod("deny", string(q.id))
				q.printed()
				p.until("the card to leave", fmt.Sprintf(`document.querySelector("nod-card")?.dataset.request !== %q`, q.id))
			}
			p.Look("settled")
		})
	}
}

// sheets looks at what lies over a card.
func (p *Page) sheets() {
	p.t.Helper()
	for _, s := range []struct{ button, see, name string }{
		{"Always…", "Allow more than once", "always"},
		{"Edit…", "Edit, then allow", "edit"},
		{"Deny because…", "Deny with a reason", "deny"},
	} {
		p.Tap("button", s.button)
		p.See(s.see)
		p.Look("sheet-" + s.name)
		p.Tap("button", "Close")
		p.Gone(s.see)
	}
}

// Many things at once: several agents in every state, a lease, pending requests.
func TestScreensAreAccessible(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	phone, desk := open(t, h, Phone), open(t, h, Desktop)
	fullHouse(t, h)
	for _, p := range []*Page{phone, desk} {
		p.See("git push origin main")
		p.Look("inbox")
		p.Tap("link", "Agents")
		p.See("held up")
		p.Look("agents")
		p.Tap("button", "Interrupt web")
		p.See("waits for you")
		p.Look("interrupt")
		p.Tap("button", "Close")
		for _, s := range []struct{ name, path, see string }{
			{"chat", "/agents/session-shop", "All 12 tests pass."},
			{"history", "/history", "git fetch origin topic-0"},
			{"settings", "/settings", "May: look, answer, manage"},
		} {
			p.Go(s.path)
			p.live()
			p.See(s.see)
			p.Look(s.name)
		}
	}
	desk.Go("/")
	desk.live()
	desk.Press("?")
	desk.See("next request")
	desk.Look("keys")
}

func fullHouse(t *testing.T, h *hub) {
	t.Helper()
	shop := h.agent("shop")
	for i, how := range []string{"allow", "deny", "allow"} {
		done := shop.bash(fmt.Sprint("git fetch origin topic-", i))
		h.nod(how, string(done.id))
		if how == "allow" {
			done.runs()
		} else {
			done.refused()
		}
	}
	shop.tell("Stop", fields{"last_assistant_message": "All **12** tests pass. I changed:\n\n- `price.go`: negative prices are refused\n- `cart.go`: sums are in cents\n\n```go\nfunc price(n int) (int, error)\n```\n"})
	shop.tell("UserPromptSubmit", fields{"prompt": "Good. Push it."})
	shop.bash("git push origin main")
	web := h.agent("web")
	web.tell("PreToolUse", fields{"tool_name": "Bash", "tool_input": fields{"command": "npm run lint"}, "tool_use_id": "toolu_web_work"})
	h.agent("docs").tell("Stop", fields{"last_assistant_message": "The handbook is up to date."})
	h.agent("api").tell("StopFailure", fields{"error": "server_error", "error_details": "The service is overloaded."})
	h.agent("infra").tell("StopFailure", fields{"error": "rate_limit", "error_details": "Your limit resets at 5pm."})
	h.agent("blog").ask("ExitPlanMode", fields{"plan": planText})
	h.agent("mail").ask("AskUserQuestion", questions)
	h.agent("old").tell("SessionEnd", fields{"reason": "exit"})
	rig.Until(t, "three that wait", func() bool { return len(h.waiting()) == 3 }, func() string { return strings.TrimSpace(describe(h.waiting())) })
}
