package draw

import (
	"image"
	"math"
)

// sign is a shape that goes with a word and a colour.
type sign uint8

const (
	noSign sign = iota
	dot
	dots
	disc
	tick
	cross
	hourglass
	broken
	bin   // destructive
	eye   // secret
	pen   // write
	waves // network
	question
	phone
)

// at draws a sign into a square of this side.
func (p Picture) sign(x, y, side int, s sign, ink Ink) {
	shape := shapes[s]
	if shape == nil {
		return
	}
	unit := float64(side)
	p.stamp(image.Rect(x, y, x+side, y+side), ink, func(px, py float64) bool { return shape(px/unit, py/unit) })
}

// shapes are drawn in the unit square.
var shapes = [...]within{
	dot: func(x, y float64) bool { return circle(x, y, .5, .5, .22) },
	dots: func(x, y float64) bool {
		return circle(x, y, .15, .5, .13) || circle(x, y, .5, .5, .13) || circle(x, y, .85, .5, .13)
	},
	disc: func(x, y float64) bool { return circle(x, y, .5, .5, .42) },
	tick: func(x, y float64) bool {
		return stroke(x, y, .12, .55, .38, .8, .085) || stroke(x, y, .38, .8, .88, .22, .085)
	},
	cross: func(x, y float64) bool {
		return stroke(x, y, .18, .18, .82, .82, .085) || stroke(x, y, .82, .18, .18, .82, .085)
	},
	hourglass: func(x, y float64) bool {
		return stroke(x, y, .2, .1, .8, .1, .07) || stroke(x, y, .2, .9, .8, .9, .07) ||
			stroke(x, y, .27, .1, .73, .9, .055) || stroke(x, y, .73, .1, .27, .9, .055) || y > .68 && y < .9 && math.Abs(x-.5) < (y-.5)*.55
	},
	broken: func(x, y float64) bool {
		return ring(x, y, .26, .74, .2, .075) && !(x+(1-y) > .72) || ring(x, y, .74, .26, .2, .075) && !(x+(1-y) < 1.28) ||
			stroke(x, y, .3, .2, .38, .32, .04) || stroke(x, y, .7, .8, .62, .68, .04) || stroke(x, y, .18, .34, .3, .4, .04) || stroke(x, y, .82, .66, .7, .6, .04)
	},
	bin: func(x, y float64) bool {
		return stroke(x, y, .12, .24, .88, .24, .065) || stroke(x, y, .38, .1, .62, .1, .065) ||
			stroke(x, y, .24, .3, .3, .9, .06) || stroke(x, y, .76, .3, .7, .9, .06) || stroke(x, y, .3, .9, .7, .9, .065) ||
			stroke(x, y, .42, .42, .44, .76, .04) || stroke(x, y, .58, .42, .56, .76, .04)
	},
	eye: func(x, y float64) bool {
		lid := circle(x, y, .5, .95, .62) && circle(x, y, .5, .05, .62)
		inner := circle(x, y, .5, .95, .51) && circle(x, y, .5, .05, .51)
		return lid && !inner || circle(x, y, .5, .5, .15)
	},
	pen: func(x, y float64) bool {
		return stroke(x, y, .3, .7, .78, .22, .13) || stroke(x, y, .12, .88, .24, .76, .06)
	},
	waves: func(x, y float64) bool {
		if circle(x, y, .5, .8, .1) {
			return true
		}
		up := y < .8-math.Abs(x-.5)*.85
		return up && (ring(x, y, .5, .8, .33, .065) || ring(x, y, .5, .8, .6, .065))
	},
	question: func(x, y float64) bool {
		hook := ring(x, y, .5, .32, .2, .075) && (y < .32 || x > .5)
		return hook || stroke(x, y, .5, .53, .5, .64, .07) || circle(x, y, .5, .85, .08)
	},
	phone: func(x, y float64) bool {
		out := x > .2 && x < .8 && y > .04 && y < .96
		in := x > .29 && x < .71 && y > .14 && y < .78
		return out && !in && !circle(x, y, .5, .87, .05)
	},
}

func circle(x, y, cx, cy, r float64) bool { return math.Hypot(x-cx, y-cy) <= r }

func ring(x, y, cx, cy, r, half float64) bool { return math.Abs(math.Hypot(x-cx, y-cy)-r) <= half }

// stroke is a line with round ends.
func stroke(x, y, x1, y1, x2, y2, half float64) bool {
	dx, dy := x2-x1, y2-y1
	t := max(0, min(1, ((x-x1)*dx+(y-y1)*dy)/(dx*dx+dy*dy)))
	return math.Hypot(x-x1-t*dx, y-y1-t*dy) <= half
}

// markOf is the appearance of a risk level.
func markOf(level string) (sign, Ink) {
	switch level {
	case "read":
		return dot, Soft
	case "write":
		return pen, Blue
	case "network":
		return waves, Violet
	case "destructive":
		return bin, Red
	case "secret":
		return eye, Red
	}
	return question, Orange
}
