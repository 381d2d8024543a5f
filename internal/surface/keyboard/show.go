package keyboard

import (
	"context"
	"reflect"
	"strconv"
	"time"

	"github.com/coder/websocket"

	"nod"
)

// refresh shows what the keys should show now, and returns when to look again.
func (c *conn) refresh(ctx context.Context) (time.Duration, error) {
	next := time.Hour
	w, newest := c.situation()
	if !newest {
		return next, nil
	}
	for _, t := range w.changes() {
		next = min(next, max(time.Millisecond, t.Sub(w.now)))
	}
	if w.code != "" {
		next = max(time.Second, w.codeEnds.Sub(c.Now()))
	} else {
		snap, err := c.desk().Snapshot(ctx)
		if err != nil {
			return 0, err
		}
		w.snap = snap
	}
	w.last = func(id nod.AgentID) *nod.Turn { return c.lastTurn(ctx, id) }
	sc := w.compose()
	list := c.numberFrame(&sc, w.now)
	for _, m := range list {
		if err := c.send(ctx, m); err != nil {
			return 0, err
		}
	}
	if sc.request != "" && len(list) > 0 {
		if err := c.desk().Shown(ctx, sc.request); err != nil && nod.CodeOf(err) != nod.NotFound && ctx.Err() == nil {
			c.Log.Warn("a shown request was not noted", "request", sc.request, "err", err)
		}
	}
	return next, nil
}

// changes are the times at which the keys change by themselves.
func (w *situation) changes() []time.Time {
	var list []time.Time
	if w.note != nil {
		list = append(list, w.note.ends)
	}
	if w.sure != nil {
		list = append(list, w.sure.ends)
	}
	if read := w.askedAt.Add(readTime); w.asked != "" && w.now.Before(read) {
		list = append(list, read)
	}
	return list
}

// numberFrame numbers a scene before it is sent, so that no press of it can be faster,
// and returns the messages to send.
func (c *conn) numberFrame(sc *scene, now time.Time) []any {
	c.boards.mu.Lock()
	k := c.board
	before, after := c.last, *sc
	before.until, after.until = time.Time{}, time.Time{} // a new countdown alone needs no new keys
	keys := !c.drawn || !reflect.DeepEqual(before, after)
	first, from := !c.drawn, c.state
	if !keys && from == sc.state && c.last.until.Equal(sc.until) {
		c.boards.mu.Unlock()
		return nil
	}
	f := frame{scene: *sc}
	for i := range f.since {
		f.since[i] = now
		if n := len(k.frames); n > 0 && reflect.DeepEqual(k.frames[n-1].scene.keys[i], sc.keys[i]) {
			f.since[i] = k.frames[n-1].since[i]
		}
	}
	c.boards.frame = max(c.boards.frame+1, now.UnixMilli())
	f.id = strconv.FormatInt(c.boards.frame, 10)
	if keys {
		k.frames = append(k.frames, f)
		k.frames = k.frames[max(0, len(k.frames)-keepFrames):]
	}
	k.shown = sc.agent
	if k.asked != sc.request {
		k.asked, k.askedAt = sc.request, now
	}
	if k.paged != sc.subject() {
		k.page, k.paged = 0, sc.subject()
	}
	c.drawn, c.last, c.state = true, *sc, sc.state
	c.boards.mu.Unlock()
	list := c.pictures.messages(from, keys, f.id, sc, now) // draws pictures, so not under the lock
	if first {
		list = append([]any{status{Type: "status", State: stateIdle}}, list...)
	}
	return list
}

func (c *conn) send(ctx context.Context, m any) error {
	text, err := encode(m)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTime)
	defer cancel()
	return c.ws.Write(ctx, websocket.MessageText, text)
}

// situation is what the surface knows for a scene.
func (c *conn) situation() (w *situation, newest bool) {
	hooks, set := c.programs.current()
	w = &situation{
		hooks: hooks, set: set, polled: c.inputs.hasReader(), typing: c.typeText != nil, say: c.Say,
		fits: c.pictures.readable, wishes: c.wished, suggest: c.suggested, stop: c.saved.stop,
	}
	c.boards.mu.Lock()
	defer c.boards.mu.Unlock()
	k, now := c.board, c.Now()
	if k.newest() != c {
		return nil, false
	}
	if k.note != nil && !now.Before(k.note.ends) {
		k.note = nil
	}
	if k.sure != nil && !now.Before(k.sure.ends) {
		k.sure = nil
	}
	w.now, w.pin, w.shown, w.page, w.paged, w.note = now, k.pin, k.shown, k.page, k.paged, k.note
	w.sure, w.asked, w.askedAt = k.sure, k.asked, k.askedAt
	if !k.admitted() {
		w.code, w.codeEnds = k.codeAt(now), k.codeEnds
	}
	return w, true
}

// lastTurn is the newest thing that an agent said.
func (c *conn) lastTurn(ctx context.Context, id nod.AgentID) *nod.Turn {
	turns, err := c.desk().Turns(ctx, id, 0, 5)
	if err != nil {
		return nil
	}
	for i := range turns {
		if turns[i].Role == nod.TurnAgent {
			return &turns[i]
		}
	}
	return nil
}
