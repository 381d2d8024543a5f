package browser

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"nod/e2e/rig"
	"nod/internal/surface/keyboard/fakekeyboard"
)

// An unknown keyboard shows a code. Once the code is typed into the page it may answer;
// once revoked there it may not.
func TestKeyboardIsPairedFromThePage(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	p := open(t, h, smallDesk)
	p.Go("/keyboard")
	p.See("None yet.")
	b := fakekeyboard.New(fakekeyboard.Options{Host: strings.TrimPrefix(h.url, "http://"), Images: h.url, Now: time.Now, Header: http.Header{}})
	if err := b.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Drop)
	code := ""
	rig.Until(t, "a code on its keys", func() bool {
		code = ""
		for _, s := range b.Screens() {
			code += s.Words()
		}
		return len(code) == 4
	}, func() string { return fmt.Sprint(b.Screens()) })
	p.See("A keyboard at this machine shows a code")
	p.Look("keyboard-code")
	p.Accept("403")
	p.Type("Code on its keys", "0000")
	p.Tap("button", "Let it answer")
	p.See("not the code")
	p.Type("Code on its keys", strings.ToLower(code))
	p.Type("Name, such as “desk”", "desk keys")
	p.Tap("button", "Let it answer")
	p.See("desk keys")
	p.Look("keyboard-admitted")
	q := h.agent("shop").bash("git push origin main")
	key := 0
	rig.Until(t, "a key that says No", func() bool {
		for i, s := range b.Screens() {
			if s.Words() == "No" {
				key = i + 1
			}
		}
		return key > 0
	}, func() string { return fmt.Sprint(b.Screens()) })
	rig.Until(t, "the answer of the key", func() bool { b.Press(key); return q.over() }, func() string { return fmt.Sprint(b.Screens()) })
	q.refused()
	p.Tap("button", "Remove")
	p.See("Send desk keys away?")
	p.confirm()
	p.See("None yet.")
	rig.Until(t, "the keyboard gone", func() bool { return !b.Connected() }, func() string { return fmt.Sprint(b.Screens()) })
}
