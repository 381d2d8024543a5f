package puck

// Light is what the ring shows.
type Light struct {
	Mode      Mode  `json:"mode"`
	Color     Color `json:"color,omitempty"`
	Completed int   `json:"completed,omitempty"` // progress: how many are done
	Current   int   `json:"current,omitempty"`   // progress: which one blinks, from 1; 0: none
	Options   int   `json:"options,omitempty"`   // choice: how many
	Selected  int   `json:"selected,omitempty"`  // choice: which one is bright, from 1; with blink only this one is lit
	Percent   int   `json:"percent,omitempty"`   // timer: how much of the ring is lit
}

// Mode is how the ring is lit.
type Mode string

const (
	Off      Mode = "off"
	Solid    Mode = "solid"
	Blink    Mode = "blink"
	Progress Mode = "progress"
	Segments Mode = "choice"
	Drain    Mode = "timer"
)

// Color is the name of a colour.
type Color string

// The colours. The greys show the age of a conversation.
const (
	Orange     Color = "orange"
	Green      Color = "green"
	Red        Color = "red"
	Blue       Color = "blue"
	White      Color = "white"
	LightGreen Color = "lt_green"
	LightRed   Color = "lt_red"
	LightGray  Color = "lt_gray"
	Gray       Color = "gray"
	DarkGray   Color = "dk_gray"
	DimGray    Color = "dim_gray"
	Faint      Color = "faint"
)

// RGB is one LED.
type RGB struct{ R, G, B uint8 }

// LEDs is the number of LEDs.
const LEDs = 12

// Colors are all colours, in a fixed order.
func Colors() []Color {
	return []Color{Orange, Green, Red, Blue, White, LightGreen, LightRed, LightGray, Gray, DarkGray, DimGray, Faint}
}

// RGB is the colour of an LED, with its brightness; black for an unknown name.
func (c Color) RGB() RGB {
	rgb, bright := c.Bright()
	return rgb.dim(int(bright))
}

// Bright is the colour and its brightness separately, as light entities take them.
func (c Color) Bright() (RGB, uint8) {
	switch c {
	case Orange:
		return RGB{255, 165, 0}, 255
	case Green:
		return RGB{0, 255, 0}, 255
	case Red:
		return RGB{255, 0, 0}, 255
	case Blue:
		return RGB{0, 0, 255}, 255
	case LightGreen:
		return RGB{0, 255, 0}, 128
	case LightRed:
		return RGB{255, 0, 0}, 128
	case White:
		return RGB{255, 255, 255}, 255
	case LightGray:
		return RGB{255, 255, 255}, 180
	case Gray:
		return RGB{255, 255, 255}, 120
	case DarkGray:
		return RGB{255, 255, 255}, 70
	case DimGray:
		return RGB{255, 255, 255}, 35
	case Faint:
		return RGB{255, 255, 255}, 12
	}
	return RGB{}, 0
}

func (c RGB) dim(bright int) RGB {
	scale := func(v uint8) uint8 { return uint8(int(v) * bright / 255) }
	return RGB{scale(c.R), scale(c.G), scale(c.B)}
}

// Age is the colour of a conversation's ring: it fades with every turn.
func Age(turn int) Color {
	ages := [...]Color{White, LightGray, Gray, DarkGray, DimGray, Faint}
	return ages[min(max(turn-1, 0)/2, len(ages)-1)]
}

// OptionColor is the colour of an option's segment. Neighbours differ, and none is the orange, green or red of a
// yes-or-no question.
func OptionColor(option int) RGB {
	colors := [MostOptions]RGB{{0, 120, 255}, {200, 0, 255}, {0, 220, 200}, {255, 220, 0}, {255, 90, 160}}
	return colors[(max(option, 1)-1)%MostOptions]
}

// faded is the brightness of an option that is not selected.
const faded = 40

// Segment is an option's range of LEDs: from inclusive, to exclusive.
func Segment(option, of int) (from, to int) {
	if of < 1 {
		return 0, 0
	}
	return (option - 1) * LEDs / of, option * LEDs / of
}

// Ring is what the LEDs show, clockwise from twelve o'clock. tick counts half seconds: blinking LEDs are lit while it
// is even.
func (l Light) Ring(tick int) (ring [LEDs]RGB) {
	lit := tick%2 == 0
	switch l.Mode {
	case Solid:
		fill(&ring, 0, LEDs, l.Color.RGB())
	case Blink:
		if !lit {
			return ring
		}
		if l.Options > 0 {
			from, to := Segment(l.Selected, l.Options)
			fill(&ring, from, to, OptionColor(l.Selected))
			return ring
		}
		fill(&ring, 0, LEDs, l.Color.RGB())
	case Progress:
		fill(&ring, 0, l.Completed, Green.RGB())
		if lit && l.Current > 0 {
			// A thirteenth approval has no LED of its own: the last one blinks for it.
			at := min(l.Current, LEDs) - 1
			fill(&ring, at, at+1, Orange.RGB())
		} else if l.Current >= LEDs {
			ring[LEDs-1] = RGB{}
		}
	case Segments:
		for option := 1; option <= l.Options; option++ {
			from, to := Segment(option, l.Options)
			color := OptionColor(option)
			if option != l.Selected {
				color = color.dim(faded)
			}
			fill(&ring, from, to, color)
		}
	case Drain:
		// It empties clockwise: what is left ends at twelve o'clock.
		left := (min(max(l.Percent, 0), 100)*LEDs + 99) / 100
		fill(&ring, LEDs-left, LEDs, l.Color.RGB())
	}
	return ring
}

func fill(ring *[LEDs]RGB, from, to int, c RGB) {
	for i := max(from, 0); i < min(to, LEDs); i++ {
		ring[i] = c
	}
}
