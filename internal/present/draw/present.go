package draw

import (
	"fmt"
	"image"
	"path"
	"slices"
	"strings"
	"time"

	"nod"
	"nod/internal/present/words"
)

// Present is the screen for the known facts and a person's cursor. It returns the updated cursor: requests come and
// go.
func Present(w World, at Cursor) (Scene, Cursor) {
	s := Scene{Size: w.Size}
	switch at = settle(w, at); {
	case w.Note != nil:
		s.tell(w)
	case at.Request == "":
		s.wait(w)
	default:
		s.request(w, &at)
	}
	return s, at
}

// settle puts the cursor on a request that is still pending: its own, or the oldest.
func settle(w World, at Cursor) Cursor {
	if i := indexOf(w, at.Request); i >= 0 {
		return at
	}
	if len(w.Snapshot.Requests) == 0 {
		return Cursor{}
	}
	return Cursor{Request: w.Snapshot.Requests[0].ID}
}

func indexOf(w World, id nod.RequestID) int {
	return slices.IndexFunc(w.Snapshot.Requests, func(r *nod.Request) bool { return r.ID == id })
}

// Disconnected is the screen of a device that cannot reach the hub.
func Disconnected(say words.Printer, size Size, address string) Scene {
	s := Scene{Kind: Lost, Size: size, sign: broken, signInk: Red, title: say.Say(words.NotConnected), address: address}
	s.body = small(say.Say(words.DeviceLost), textWidth(size), Soft)
	return s
}

// LostStrip covers the buttons while a device cannot reach the hub: what is above it stays
// readable, and nothing offers an answer.
func LostStrip(say words.Printer, size Size) Picture {
	p := newPicture(Size{W: size.W, H: buttonRow})
	p.fill(p.Rect, Panel)
	p.fill(image.Rect(0, 0, size.W, 1), Red)
	p.sign(margin, (buttonRow-16)/2, 16, broken, Red)
	x := margin + 26
	p.line(x, 4, 1, cutTo(say.Say(words.NotConnected), size.W-margin-x, 1, Text))
	p.line(x, 4+rowHeight, 1, cutTo(say.Say(words.DeviceNoAnswer), size.W-margin-x, 1, Soft))
	return p
}

func (s *Scene) wait(w World) {
	s.Kind, s.address = Waiting, w.Address
	s.sign, s.signInk, s.title = dot, Grey, w.Say.Say(words.DeviceQuiet)
	working, alive := 0, 0
	for _, a := range w.Snapshot.Agents {
		if !a.Alive() {
			continue
		}
		alive++
		if a.State == nod.AgentWorking {
			working++
		}
		if r, ok := agentRow(w, a); ok && len(s.list) < (s.Size.H-150)/18 {
			s.list = append(s.list, r)
		}
	}
	say := w.Say.Say(words.NoneWorking)
	switch {
	case working > 0:
		say, s.sign, s.signInk = w.Say.Count(words.AgentsWorking, working), dots, Blue
	case alive == 0:
		say = w.Say.Say(words.DeviceNoAgents)
	}
	s.body = small(say, textWidth(w.Size), Soft)
}

// agentRow says what an agent does, if it does something.
func agentRow(w World, a *nod.Agent) (row, bool) {
	r := row{text: nameOf(a.Ref()), soft: nod.OneLine(a.Tool)}
	switch a.State {
	case nod.AgentWorking:
		r.sign, r.ink = dots, Blue
	case nod.AgentLimited:
		r.sign, r.ink, r.soft = hourglass, Violet, w.Say.Say(words.StateLimited)
		if a.Until != nil {
			r.soft = w.Say.Say(words.LimitedUntil, a.Until.In(w.Now.Location()).Format("15:04"))
		}
	case nod.AgentError:
		r.sign, r.ink, r.soft = cross, Red, w.Say.Say(words.StateFailed)
	default:
		return row{}, false
	}
	return r, true
}

func (s *Scene) tell(w World) {
	s.Kind = Telling
	n := w.Note
	looks := [...]struct {
		sign
		Ink
	}{Plain: {disc, Grey}, Good: {tick, Green}, Bad: {cross, Red}, Limit: {hourglass, Violet}, Failure: {broken, Red}}
	s.sign, s.signInk, s.title = looks[n.Mood].sign, looks[n.Mood].Ink, n.Title
	s.ask = n.Who
	s.body = small(n.Text, textWidth(w.Size), Soft)
	if most := 3; len(s.body.lines) > most { // a note is read at a glance; the web app has all of it
		s.body.lines = s.body.lines[:most]
		s.body.lines[most-1] = append(slices.Clone(s.body.lines[most-1]), cell{r: '…', width: halfWidth, ink: Soft})
	}
	s.Buttons[A] = Button{Label: w.Say.Say(words.DeviceOK), Ink: Text, Click: Act{Dismiss: true}}
}

// head says who asks, which of how many it is, and how much time is left.
func (s *Scene) head(w World, r *nod.Request) {
	s.Request, s.host, s.agent = r.ID, nod.OneLine(r.Agent.Host), nameOf(r.Agent)
	if n := len(w.Snapshot.Requests); n > 1 {
		s.place = fmt.Sprintf("[%d/%d]", indexOf(w, r.ID)+1, n)
	}
	if r.ExpiresAt == nil {
		return
	}
	left := max(0, r.ExpiresAt.Sub(w.Now))
	s.left, s.leftInk = countdown(left), Soft
	switch {
	case left <= 10*time.Second:
		s.leftInk = Red
	case left <= 30*time.Second:
		s.leftInk = Orange
	}
}

// countdown is rounded up: 0:00 only when it is over. More than an hour presses nobody,
// and is not shown.
func countdown(d time.Duration) string {
	n := int((d + time.Second - 1) / time.Second)
	if n >= 3600 {
		return ""
	}
	return fmt.Sprintf("%d:%02d", n/60, n%60)
}

// Tick is when the scene of a request changes by itself; 0: never.
func Tick(w World, at Cursor) time.Duration {
	i := indexOf(w, at.Request)
	if i < 0 || w.Snapshot.Requests[i].ExpiresAt == nil || w.Note != nil {
		return 0
	}
	left := w.Snapshot.Requests[i].ExpiresAt.Sub(w.Now)
	if left <= 0 {
		return 0
	}
	if left >= time.Hour+time.Minute { // it shows minutes
		return left%time.Minute + time.Millisecond
	}
	if rest := left % time.Second; rest > 0 {
		return rest
	}
	return time.Second
}

func nameOf(a nod.AgentRef) string {
	name := a.Name
	if name == "" && a.Cwd != "" {
		name = path.Base(strings.ReplaceAll(a.Cwd, `\`, "/"))
	}
	if name == "" {
		name = a.Kind
	}
	return nod.OneLine(name)
}
