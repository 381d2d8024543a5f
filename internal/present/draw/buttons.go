package draw

import (
	"nod"
	"nod/internal/present/risk"
	"nod/internal/present/words"
)

// mark is the risk of a request. Questions have none.
func (s *Scene) mark(say words.Printer, r *nod.Request) {
	if r.Kind != nod.KindApproval {
		return
	}
	level := "unknown"
	if r.Risk != nil {
		level, s.reason = r.Risk.Level, nod.OneLine(say.Reason(r.Risk.Reason))
	}
	s.risk.word = say.Risk(level)
	s.risk.sign, s.risk.ink = markOf(level)
}

// needsHold: an irreversible action must not happen by bumping against the table.
func needsHold(r *nod.Request) bool { return risk.On(risk.Screen, r) != risk.Once }

// answer says what A and B mean at a stop. Nothing can be allowed before it was shown to its end; denying is always
// possible.
func (s *Scene) answer(w World, r *nod.Request, at stop, read bool) {
	a := Button{Label: at.label, Ink: Green}
	if read && at.answer != nil { // a page of a question is not an answer
		a = s.held(w, r, a, Act{Decide: r.ID, Answer: *at.answer})
	} else {
		a.Off, a.Hint = true, w.Say.Say(words.DeviceReadOn)
	}
	s.Buttons[A] = a
	s.Buttons[B] = refuse(w, r)
}

func (s *Scene) held(w World, r *nod.Request, b Button, act Act) Button {
	if !needsHold(r) {
		b.Click = act
		return b
	}
	b.Hold, b.Held, b.Hint, b.Ink = true, act, w.Say.Say(words.DeviceHold), s.risk.ink
	return b
}

func refuse(w World, r *nod.Request) Button {
	label := words.DeviceDeny
	if r.Kind == nod.KindQuestion || r.Kind == nod.KindElicitation {
		label = words.DeviceDecline
	}
	return Button{Label: w.Say.Say(label), Ink: Text, Click: Act{Decide: r.ID, Answer: nod.Answer{Verdict: nod.VerdictDeny}}}
}

// open is the screen of a request that needs more than a button.
func (s *Scene) open(w World, r *nod.Request, why words.Message) {
	s.Kind, s.sign, s.signInk, s.address = Opening, phone, Orange, w.Address
	s.title = w.Say.Say(words.DeviceOpen)
	s.body = small(w.Say.Say(why), textWidth(w.Size), Soft)
	s.list = []row{{text: nod.OneLine(r.Title), ink: Text}}
	s.Buttons[B] = refuse(w, r)
	s.still(w, r)
}

// follow says where C leads: through the pages, the options, and on to the next request. Held, it skips the rest.
func (s *Scene) follow(w World, at *Cursor, stops []stop) {
	here := indexOf(w, at.Request)
	n := len(w.Snapshot.Requests)
	var next *Cursor
	if n > 1 {
		next = &Cursor{Request: w.Snapshot.Requests[(here+1)%n].ID}
	}
	c := Button{Ink: Soft}
	switch onward := at.Stop + 1; {
	case onward < len(stops):
		c.Label, c.Click.Move = w.Say.Say(labelOf(stops, at.Stop)), &Cursor{Request: at.Request, Stop: onward, Seen: at.Seen}
		c.Held.Move = next
	case next != nil:
		c.Label, c.Click.Move = w.Say.Say(words.DeviceNext), next
	case len(stops) > 1:
		c.Label, c.Click.Move = w.Say.Say(words.DeviceBack), &Cursor{Request: at.Request, Seen: at.Seen}
	}
	s.Buttons[C] = c
}

func labelOf(stops []stop, at int) words.Message {
	if stops[at+1].text {
		return words.DeviceMore
	}
	return words.DeviceOther
}

// still disables the buttons while an answer is on its way, and for people who may only view.
func (s *Scene) still(w World, r *nod.Request) {
	switch {
	case !w.Rights.Has(nod.Answering):
		s.reason = w.Say.Say(words.DeviceViewOnly)
		s.Buttons[A], s.Buttons[B] = Button{}, Button{}
	case w.Sending == r.ID:
		s.Buttons = [3]Button{A: {Label: w.Say.Say(words.DeviceSending), Off: true}}
	}
}
