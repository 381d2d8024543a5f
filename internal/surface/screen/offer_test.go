package screen

import (
	"testing"
	"time"

	"nod"
	"nod/internal/present/draw"
)

func (g *rig) fails(id nod.AgentID, can ...nod.Ability) {
	g.Helper()
	g.Agent(id, nod.AgentWorking, func(a *nod.Agent) { a.Host, a.Can = "desk", can })
	g.Agent(id, nod.AgentError, func(a *nod.Agent) { a.Problem = "529 Overloaded" })
}

func (g *rig) told(id nod.AgentID) (list []string) {
	g.Hub.Look(func(s *nod.State) {
		for _, m := range s.MessagesTo(id) {
			list = append(list, m.Text)
		}
	})
	return list
}

// trouble is the note about an agent that failed, with the labels of B and C.
func (g *rig) trouble(id string, labels ...string) draw.Scene {
	s := g.scene(draw.Cursor{}, &draw.Note{Mood: draw.Bad, Title: id + " failed", Text: "529 Overloaded", Who: "desk"})
	for i, l := range labels {
		s.Buttons[draw.B+i] = draw.Button{Label: l, Ink: draw.Text}
	}
	return s
}

func TestButtonHelpsFailedAgent(t *testing.T) {
	g := newRig(t)
	d := g.device(Hello{Token: g.token(seeing)})
	d.sees(g.scene(draw.Cursor{}, nil))
	g.fails("shop", nod.CanSay)
	frame := d.sees(g.trouble("shop", "Fix it", "Debug"))
	d.press("B", Click, frame) // too early: meant for what was there before
	g.pass(time.Second)
	d.press("B", Click, frame)
	d.press("B", Click, frame) // a second press
	d.sees(g.scene(draw.Cursor{}, &draw.Note{Mood: draw.Good, Title: "Sent", Text: "Fix that."}))
	if got := g.told("shop"); len(got) != 1 || got[0] != "Fix that." {
		t.Errorf("shop was told %q", got)
	}
}

func TestNothingIsOfferedWithoutAbilityOrRight(t *testing.T) {
	g := newRig(t)
	looks, answers := g.device(Hello{Token: g.token(nod.RightsOf(nod.View))}), g.device(Hello{Token: g.token(seeing)})
	for _, d := range []*device{looks, answers} {
		d.sees(g.scene(draw.Cursor{}, nil))
	}
	g.fails("mute")
	answers.sees(g.trouble("mute"))
	g.fails("shop", nod.CanSay)
	frame := looks.sees(g.trouble("shop"))
	g.pass(time.Second)
	looks.press("B", Click, frame)
	looks.press("A", Click, frame)
	looks.sees(g.scene(draw.Cursor{}, nil))
	if got := g.told("shop"); len(got) != 0 {
		t.Errorf("shop was told %q", got)
	}
}

// A press on a picture of one agent says nothing to another.
func TestMessageGoesToShownAgent(t *testing.T) {
	g := newRig(t)
	d := g.device(Hello{Token: g.token(seeing)})
	d.sees(g.scene(draw.Cursor{}, nil))
	g.fails("shop", nod.CanSay)
	frame := d.sees(g.trouble("shop", "Fix it", "Debug"))
	g.fails("blog", nod.CanSay)
	d.sees(g.trouble("blog", "Fix it", "Debug"))
	g.pass(time.Second)
	d.press("B", Click, frame)
	d.sees(g.scene(draw.Cursor{}, &draw.Note{Mood: draw.Good, Title: "Sent", Text: "Fix that."}))
	if a, b := g.told("shop"), g.told("blog"); len(a) != 1 || len(b) != 0 {
		t.Errorf("shop was told %q and blog %q", a, b)
	}
}
