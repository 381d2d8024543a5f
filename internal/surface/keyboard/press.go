package keyboard

import (
	"context"
	"strconv"
	"time"

	"nod"
	"nod/internal/present/words"
)

const (
	// minShownTime: a press sooner after a key changed was meant for the key before.
	minShownTime = 350 * time.Millisecond
	actTime      = 10 * time.Second
	goodNoteTime = 1500 * time.Millisecond
	badNoteTime  = 4 * time.Second
)

// press is one press of a key, with what the key showed.
type press struct {
	key   Key
	frame frame
	index int
	hold  bool
}

// handlePress does what the key showed when it was pressed, or shows why it cannot.
func (c *conn) handlePress(ctx context.Context, m deviceMessage) {
	p, answer := c.findPress(m)
	if p != nil {
		if c.Pressed != nil {
			c.Pressed(p.frame.scene.agent)
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), actTime)
		defer cancel()
		answer = c.act(ctx, p)
	}
	c.boards.mu.Lock()
	defer c.boards.mu.Unlock()
	if answer != nil {
		c.board.note = answer
	}
	c.board.wake()
}

// findPress finds the key that was pressed. Only keys that were sent to this keyboard
// can be.
func (c *conn) findPress(m deviceMessage) (*press, *note) {
	c.boards.mu.Lock()
	defer c.boards.mu.Unlock()
	k, now := c.board, c.Now()
	if !k.admitted() || m.Key < 1 || m.Key > count {
		return nil, nil
	}
	c.followDevice(m.Key)
	index := m.Key - 1
	for i := len(k.frames) - 1; i >= 0; i-- {
		f := k.frames[i]
		key := f.scene.keys[index]
		if f.id != m.Session || m.Text != key.action() {
			continue
		}
		switch {
		case key.Do.none():
			k.note, k.sure = nil, nil // a word that was read
			k.askedAt = time.Time{}
			return nil, nil
		case !key.Do.Page && now.Sub(f.since[index]) < minShownTime:
			return nil, c.newNote(words.KeyboardAgain, "☝️", goodNoteTime)
		}
		k.sure = nil
		return &press{key: key, frame: f, index: index, hold: m.Hold}, nil
	}
	return nil, c.newNote(words.KeyboardAgain, "☝️", badNoteTime)
}

// followDevice keeps track of what the device does by itself: its own Continue ends
// the trouble that it shows.
func (c *conn) followDevice(key int) {
	if c.state == stateLimit && key == 4 || c.state == stateError && key == 3 {
		c.state = stateIdle
	}
}

func (c *conn) act(ctx context.Context, p *press) *note {
	do, id := p.key.Do, p.frame.scene.agent
	if p.hold && do.Stop {
		do = Act{Finish: true}
	}
	if p.key.Twice && (!p.hold || p.key.About != "") {
		c.pressedOnce(p)
		return nil
	}
	desk := c.desk()
	switch {
	case do.Decide != "":
		_, err := desk.Decide(ctx, do.Decide, do.Answer)
		return c.outcome(err, verdictWord(do.Answer.Verdict))
	case do.Stop:
		return c.interrupt(ctx, p)
	case do.Finish:
		return c.outcome(c.stops.finish(ctx, c.by(), id, p.message()), words.KeyboardFinishing)
	case do.Resume:
		err := c.say(ctx, p, c.Say.Say(words.KeyboardSayResume))
		if err == nil {
			c.stops.resumed(id)
		}
		return c.outcome(err, words.KeyboardSent)
	case do.Background:
		return c.orInput(ctx, desk.Press(ctx, id, "background"), p, "BACKGROUND")
	case do.Say != "":
		return c.orInput(ctx, c.say(ctx, p, do.Say), p, do.Say)
	case do.Input != "":
		return c.input(ctx, p.index+1, do.Input)
	case do.Page:
		c.boards.mu.Lock()
		defer c.boards.mu.Unlock()
		c.board.page++
	case do.Switch:
		return c.switchAgent(ctx)
	}
	return nil
}

// interrupt stops an agent at once: through the hub, and by the program that reads
// /inputs if the hub cannot reach it.
func (c *conn) interrupt(ctx context.Context, p *press) *note {
	id, reached := p.frame.scene.agent, false
	c.Hub.Look(func(s *nod.State) {
		a, ok := s.Agents[id]
		reached = ok && a.Able(nod.CanInterrupt)
	})
	stopped, err := c.desk().Interrupt(ctx, id)
	if err != nil {
		return c.outcome(err, words.KeyboardStopped)
	}
	if stopped.Agents > 0 {
		c.stops.stopped(id, c.by())
	}
	if !reached && (c.inputs.hasReader() || c.typeText != nil) {
		return c.input(ctx, p.index+1, "STOP")
	}
	return c.outcome(nil, words.KeyboardStopped)
}

// orInput passes a text to the program that reads /inputs if the hub itself cannot
// reach the agent.
func (c *conn) orInput(ctx context.Context, err error, p *press, text string) *note {
	alive := false
	c.Hub.Look(func(s *nod.State) {
		a, ok := s.Agents[p.frame.scene.agent]
		alive = ok && a.Alive()
	})
	if err != nil && nod.CodeOf(err) == nod.Unreachable && alive {
		return c.input(ctx, p.index+1, text)
	}
	return c.outcome(err, words.KeyboardSent)
}

// message is the same for every press of this key in this frame, so that a press that
// is sent twice counts once.
func (p *press) message() nod.MessageID {
	return nod.MessageID("keyboard-" + p.frame.id + "-" + strconv.Itoa(p.index+1))
}

func (c *conn) say(ctx context.Context, p *press, text string) error {
	_, err := c.desk().Say(ctx, nod.Message{ID: p.message(), Agent: p.frame.scene.agent, Text: text, WhenBusy: nod.Queue})
	if err == nil {
		c.programs.set(nil) // what a program or an agent asked for is for one press
		c.programs.answered(p.frame.scene.agent)
	}
	return err
}

func verdictWord(v nod.Verdict) words.Message {
	switch v {
	case nod.VerdictAllow:
		return words.KeyboardAllowed
	case nod.VerdictDeny:
		return words.KeyboardDenied
	}
	return words.KeyboardSent
}

// outcome is what the keyboard shows about a press.
func (c *conn) outcome(err error, done words.Message) *note {
	if err == nil {
		n := c.newNote(done, "✔️", goodNoteTime)
		n.good = true
		return n
	}
	c.Log.Info("a press came to nothing", "keyboard", c.board.id, "err", err)
	switch nod.CodeOf(err) {
	case nod.Conflict, nod.Gone:
		return c.newNote(words.KeyboardTooLate, "⌛", badNoteTime)
	case nod.NotFound, nod.Unreachable:
		return c.newNote(words.KeyboardGone, "👋", badNoteTime)
	case nod.ProofNeeded, nod.Forbidden, nod.Unprocessable:
		return c.newNote(words.KeyboardOpen, "📱", badNoteTime)
	}
	return c.newNote(words.KeyboardNotSent, "⚠️", badNoteTime)
}

func (c *conn) newNote(m words.Message, emoji string, lasts time.Duration) *note {
	return &note{key: word(c.Say, "", emoji, "#FFFFFF", m, Act{}), ends: c.Now().Add(lasts)}
}

// input passes a text to the program that reads /inputs, or types it if the
// configuration says so. It is not kept for later: by then it would be typed into
// something else.
func (c *conn) input(ctx context.Context, key int, text string) *note {
	switch queued := c.inputs.offer(key, text); {
	case queued:
		return c.newNote(words.KeyboardSent, "✔️", goodNoteTime)
	case c.typeText == nil:
		return c.newNote(words.KeyboardNobody, "🔌", badNoteTime)
	}
	return c.outcome(c.typeText(ctx, text), words.KeyboardSent)
}

// switchAgent goes on to the next agent, and after the last one to any that needs a
// person.
func (c *conn) switchAgent(ctx context.Context) *note {
	snap, err := c.desk().Snapshot(ctx)
	if err != nil {
		return c.outcome(err, words.KeyboardSent)
	}
	alive := living(snap)
	c.boards.mu.Lock()
	from, next := c.board.pin, nod.AgentID("")
	if from == "" && len(alive) > 0 {
		next = alive[0].ID
		if next == c.board.shown && len(alive) > 1 {
			next = alive[1].ID
		}
	}
	for i, a := range alive {
		if a.ID == from && i+1 < len(alive) {
			next = alive[i+1].ID
		}
	}
	c.boards.mu.Unlock()
	c.boards.bind(c.board, next)
	for _, a := range alive {
		if a.ID == next {
			return &note{key: Key{Label: clip(a.Name, longestLabel), Emoji: "🔀"}, ends: c.Now().Add(goodNoteTime)}
		}
	}
	return c.newNote(words.KeyboardEveryone, "🔀", goodNoteTime)
}
