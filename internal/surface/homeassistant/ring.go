package homeassistant

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"nod/internal/net/hass"
	"nod/internal/present/puck"
)

// ringState is how a ring was before nod lit it.
type ringState struct {
	On         bool    `json:"on"`
	Color      []int   `json:"color,omitempty"`
	Brightness float64 `json:"brightness,omitempty"`
	Effect     string  `json:"effect,omitempty"`
}

// ringStateOf reads a light's state.
func ringStateOf(s hass.State) ringState {
	p := ringState{On: s.State == "on", Effect: s.Text("effect")}
	p.Brightness, _ = s.Number("brightness")
	list, _ := s.Attributes["rgb_color"].([]any)
	for _, part := range list {
		if n, ok := part.(float64); ok {
			p.Color = append(p.Color, int(n))
		}
	}
	if len(p.Color) != 3 {
		p.Color = nil
	}
	if p.Effect == "None" || p.Effect == effect {
		p.Effect = ""
	}
	return p
}

// effect is the name of the effect that nod's addition to the firmware uses.
const effect = "nod"

// ring is the light of a device.
type ring struct {
	*handle
	lighting lock // one change at a time: a new connection must not undo what is shown meanwhile

	mu    sync.Mutex
	light puck.Light    // what it should show
	state hass.State    // as Home Assistant reports it
	moved chan struct{} // closed when state changes
}

// report notes what Home Assistant says of the ring.
func (g *ring) report(s hass.State) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.state = s
	close(g.moved)
	g.moved = make(chan struct{})
}

// wanted is what the ring should show.
func (g *ring) wanted() puck.Light {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.light
}

// show lights the ring.
func (g *ring) show(ctx context.Context, l puck.Light) error {
	g.mu.Lock()
	g.light = l
	g.mu.Unlock()
	return g.refresh(ctx)
}

// refresh lights the ring as it should be now.
func (g *ring) refresh(ctx context.Context) error {
	if !g.lighting.acquire(ctx) {
		return ctx.Err()
	}
	defer g.lighting.release()
	one, l := g.satellite(), g.wanted()
	switch {
	case !g.surface.client.Connected():
		return nil // a new connection lights it
	case l.Mode == puck.Off || l.Mode == "":
		return g.restore(ctx)
	case one.ring == "" || !g.surface.Ring:
		return nil
	}
	g.remember(ctx)
	if one.paint != "" {
		_, err := g.call(ctx, hass.Action{Domain: "esphome", Name: one.paint, Data: map[string]any{"leds": frame(l, 0), "blink": frame(l, 1)}})
		return err
	}
	color, brightness := whole(l)
	_, err := g.call(ctx, hass.Action{Domain: "light", Name: "turn_on", Entity: one.ring, Data: map[string]any{
		"rgb_color": []int{int(color.R), int(color.G), int(color.B)}, "brightness": brightness,
	}})
	return err
}

// remember saves what the ring shows now, unless nod has lit it already.
func (g *ring) remember(ctx context.Context) {
	g.mu.Lock()
	p := ringStateOf(g.state)
	g.mu.Unlock()
	if g.record().Ring != nil {
		return
	}
	if !p.On {
		p = g.reveal(ctx)
	}
	g.changeRecord(func(r *record) { r.Ring = &p })
}

// revealTime is how long a ring may take to report its colour.
const revealTime = 500 * time.Millisecond

// reveal turns a ring on for a moment, because only then does it report the colour
// that the device's own animations use.
func (g *ring) reveal(ctx context.Context) ringState {
	ctx, cancel := context.WithTimeout(ctx, revealTime)
	defer cancel()
	if _, err := g.call(ctx, hass.Action{Domain: "light", Name: "turn_on", Entity: g.satellite().ring}); err != nil {
		return ringState{}
	}
	for {
		g.mu.Lock()
		p, moved := ringStateOf(g.state), g.moved
		g.mu.Unlock()
		if p.On && p.Color != nil {
			p.On = false
			return p
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return ringState{}
		}
	}
}

// restore sets the ring back.
func (g *ring) restore(ctx context.Context) error {
	one := g.satellite()
	before := g.record().Ring
	if before == nil || one.ring == "" {
		return nil
	}
	if one.paint != "" {
		if _, err := g.call(ctx, hass.Action{Domain: "esphome", Name: one.paint, Data: map[string]any{"leds": "", "blink": ""}}); err != nil {
			return err
		}
	}
	a := hass.Action{Domain: "light", Name: "turn_off", Entity: one.ring}
	// A ring that is off has a colour too: the device's own animations use it.
	if data := before.data(); before.On || len(data) > 0 {
		on := hass.Action{Domain: "light", Name: "turn_on", Entity: one.ring, Data: data}
		if _, err := g.call(ctx, on); err != nil {
			return err
		}
	}
	if !before.On {
		if _, err := g.call(ctx, a); err != nil {
			return err
		}
	}
	g.changeRecord(func(r *record) { r.Ring = nil })
	return nil
}

func (p ringState) data() map[string]any {
	data := map[string]any{}
	if len(p.Color) == 3 {
		data["rgb_color"] = p.Color
	}
	if p.Brightness > 0 {
		data["brightness"] = p.Brightness
	}
	if p.Effect != "" {
		data["effect"] = p.Effect
	}
	return data
}

// whole is a light for a ring whose LEDs all have one colour: the most important one.
func whole(l puck.Light) (puck.RGB, int) {
	switch {
	case l.Mode == puck.Segments, l.Mode == puck.Blink && l.Options > 0:
		return puck.OptionColor(l.Selected), 255
	case l.Mode == puck.Progress && l.Current == 0:
		color, bright := puck.Green.Bright()
		return color, int(bright)
	case l.Mode == puck.Progress:
		color, bright := puck.Orange.Bright()
		return color, int(bright)
	case l.Mode == puck.Drain: // what is left is how bright it is
		color, bright := l.Color.Bright()
		return color, max(3, int(bright)*l.Percent/100)
	}
	color, bright := l.Color.Bright()
	return color, int(bright)
}

// frame is twelve colours as hexadecimal digits.
func frame(l puck.Light, tick int) string {
	var b strings.Builder
	for _, led := range l.Ring(tick) {
		fmt.Fprintf(&b, "%02x%02x%02x", led.R, led.G, led.B)
	}
	return b.String()
}
