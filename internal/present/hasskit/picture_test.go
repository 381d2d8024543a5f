package hasskit

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"nod/internal/present/puck"
)

// The picture of the lights in the documentation is painted by the ring itself.
func TestPictureOfTheLights(t *testing.T) {
	rings := []struct {
		name  string
		light puck.Light
	}{
		{"at rest", puck.Light{Mode: puck.Off}},
		{"thinking", puck.Memory{}.Light(puck.ShowThinking)},
		{"waits for you", puck.Memory{}.Light(puck.ShowWaiting)},
		{"allow?", puck.Memory{}.Light(puck.ShowAllow)},
		{"refuse?", puck.Memory{}.Light(puck.ShowRefuse)},
		{"allowed", puck.Memory{}.Light(puck.ShowApproved)},
		{"3 of 5", puck.Memory{Total: 5, Index: 3}.Light(puck.ShowWaiting)},
		{"option 2 of 4", puck.Memory{Count: 4, Selected: 2}.Light(puck.ShowChoice)},
		{"you can go on", puck.Memory{Turn: 1, Left: 8}.Light(puck.ShowContext)},
		{"error, or no", puck.Memory{}.Light(puck.ShowRejected)},
	}
	const across, cell, radius = 5, 130, 38
	var b strings.Builder
	rows := (len(rings) + across - 1) / across
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="13" text-anchor="middle">`+"\n", across*cell, rows*(cell+10))
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="#16181d"/>`+"\n")
	for i, r := range rings {
		x, y := float64(i%across*cell+cell/2), float64(i/across*(cell+10)+cell/2-6)
		fmt.Fprintf(&b, `<circle cx="%.0f" cy="%.0f" r="%d" fill="#24272e"/>`+"\n", x, y, radius-12)
		for n, led := range r.light.Ring(0) {
			angle := float64(n) * math.Pi / 6
			color := "#" + hex(led)
			if led == (puck.RGB{}) {
				color = "#2c3038"
			}
			fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="6" fill="%s"/>`, x+radius*math.Sin(angle), y-radius*math.Cos(angle), color)
		}
		fmt.Fprintf(&b, "\n"+`<text x="%.0f" y="%.0f" fill="#e6e8ec">%s</text>`+"\n", x, y+radius+26, r.name)
	}
	b.WriteString("</svg>\n")
	same(t, "../../../docs/images/voice-pe-lights.svg", []byte(b.String()))
}
