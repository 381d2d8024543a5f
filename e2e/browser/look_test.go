package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// Paint chooses light or dark, as the device's own setting would, and stops
// movement, so that a picture is always the same picture.
func (p *Page) Paint(scheme string) {
	p.t.Helper()
	send(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}})
	p.until("the page to be at rest", `document.getAnimations().every((a) => a.playState !== "running" || a.effect?.getComputedTiming().iterations === Infinity)`)
}

// Shot writes a picture of what a person sees.
func (p *Page) Shot(name string) {
	p.t.Helper()
	if file := p.shot(name + "-" + p.dev.name); !strings.HasSuffix(file, ".png") {
		p.t.Fatal(file)
	}
}

func (p *Page) shot(name string) string {
	ctx, cancel := p.patience()
	defer cancel()
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		return "no picture: " + err.Error()
	}
	file := filepath.Join(shots, name+".png")
	if err := os.WriteFile(file, png, 0o644); err != nil {
		return "no picture: " + err.Error()
	}
	return file
}

// finding is a violation that axe-core reports.
type finding struct {
	ID     string   `json:"id"`
	Impact string   `json:"impact"`
	Help   string   `json:"help"`
	Nodes  []string `json:"nodes"`
}

// Axe fails the test for everything serious that axe-core finds on the page.
func (p *Page) Axe(what string) {
	p.t.Helper()
	if !p.holds("globalThis.axe") {
		p.do("axe-core", chromedp.Evaluate[chromedp.Void](axe(p.t)+"\n;void 0"))
	}
	found := eval[[]finding](p, `axe.run(document, { resultTypes: ["violations"] }).then((r) => r.violations.map((v) => (
	  { id: v.id, impact: v.impact, help: v.help, nodes: v.nodes.map((n) => n.html.slice(0, 160) + " " + n.failureSummary) })))`)
	for _, f := range found {
		text := fmt.Sprintf("%s, %s: %s (%s): %s\n  %s", what, p.dev.name, f.ID, f.Impact, f.Help, strings.Join(f.Nodes, "\n  "))
		if f.Impact == "serious" || f.Impact == "critical" {
			p.t.Error(text)
		} else {
			p.t.Log(text)
		}
	}
}

// Look is both: pictures in light and dark, and axe on each.
func (p *Page) Look(name string) {
	p.t.Helper()
	for _, scheme := range []string{"light", "dark"} {
		p.Paint(scheme)
		p.Shot(name + "-" + scheme)
		p.Axe(name + " in " + scheme)
	}
	p.Paint("light")
}
