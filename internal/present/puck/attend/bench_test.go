package attend_test

import (
	"context"
	"fmt"
	"testing"

	"nod"
	"nod/internal/hub/hubtest"
	"nod/internal/present/puck"
	"nod/internal/present/puck/attend"
)

// bell signals when it was lit or has spoken.
type bell struct{ lit, spoke chan struct{} }

func (b bell) Show(context.Context, puck.Light) error {
	ring(b.lit)
	return nil
}

func (b bell) Say(context.Context, puck.Speech, attend.Ask) error {
	ring(b.spoke)
	return nil
}

func (bell) Beep(context.Context) error { return nil }

func ring(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// From the moment an agent asks until the device is to light and to speak.
func BenchmarkFromRequestToVoice(b *testing.B) {
	g := hubtest.New(b, hubtest.Options{})
	device := bell{make(chan struct{}, 1), make(chan struct{}, 1)}
	p := attend.New(attend.Options{Deps: g.Deps(), By: kitchen, Device: device, Taught: true})
	g.Run(p.Run)
	link, desk := g.Link, g.Desk()
	for i := 0; b.Loop(); i++ {
		id := nod.RequestID(fmt.Sprint("r", i))
		_, err := link.Ask(b.Context(), nod.Request{ID: id, Agent: nod.AgentRef{ID: "a"}, Kind: nod.KindApproval, Tool: "Bash", Input: []byte(`{"command":"make"}`), OneTap: true})
		if err != nil {
			b.Fatal(err)
		}
		<-device.spoke
		<-device.lit
		b.StopTimer()
		if _, err := desk.Decide(b.Context(), id, nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
			b.Fatal(err)
		}
		<-device.spoke // done elsewhere
		<-device.lit
		<-device.lit // the moment of rest is over
		b.StartTimer()
	}
}
