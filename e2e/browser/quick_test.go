package browser

import (
	"testing"

	"nod/e2e/fakeapi"
)

// A short reply above the box is said as it stands in its title.
func TestQuickReplies(t *testing.T) {
	t.Parallel()
	s := newSalon(t, assistants)
	s.API.On("Fix it all", fakeapi.Say("I changed the parser. Shall I commit?"))
	s.API.On("Yes.", fakeapi.Say("Committed as 4f2a."))
	p := open(t, s.hub, Phone)
	p.begin("Parser")
	p.say("Fix it all")
	p.See("Shall I commit?")
	p.until("the row", `[...document.querySelectorAll(".chat-quick:not([hidden]) button")].map((b) => b.textContent).join() === "Yes,No,Explain,Example"`)
	p.Look("quick")
	p.Tap("button", "Yes")
	p.See("Committed as 4f2a.")
	p.until("what fits now", `[...document.querySelectorAll(".chat-quick:not([hidden]) button")].map((b) => b.textContent).join() === "Push,Continue,Show diff,Summary"`)
	p.until("its words once", `document.querySelector(".chat-log").innerText.split("Committed as").length === 2`)
	p.Look("quick-after")
}
