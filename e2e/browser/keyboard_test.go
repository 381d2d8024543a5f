package browser

import (
	"testing"

	"nod"
)

// A keyboard in the browser: four keys with pictures, and a press is an answer.
func TestKeyboardPage(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	p := open(t, h, smallDesk)
	p.Go("/keyboard")
	shop := h.agent("shop")
	q := shop.bash("git push origin main")
	p.until("a key that says Yes", `[...document.querySelectorAll(".keyboard-key")].some((k) => (k.getAttribute("aria-label") ?? "").includes("Yes"))`)
	p.until("a picture on it", `(() => {
		const c = document.querySelector(".keyboard-key canvas");
		if (!c) return false;
		const copy = new OffscreenCanvas(c.width, c.height).getContext("2d", { willReadFrequently: true });
		copy.drawImage(c, 0, 0);
		const d = copy.getImageData(0, 0, c.width, c.height).data;
		let lit = 0;
		for (let i = 0; i < d.length; i += 4) if (d[i] + d[i + 1] + d[i + 2] > 120) lit++;
		return lit > 200;
	})()`)
	p.Look("keyboard-request")
	p.until("keys that have been there for a while", `(globalThis.kbSince ??= performance.now()) && performance.now() - kbSince > 600`)
	p.Press("1")
	q.runs()
	r := h.request(q.id, "applied", reached(nod.StepApplied))
	if d := r.Decision; d.Verdict != nod.VerdictAllow || d.Via != "keyboard" {
		t.Errorf("decided %+v", d)
	}
	p.Look("keyboard-quiet")
}
