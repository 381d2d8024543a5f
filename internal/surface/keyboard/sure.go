package keyboard

import (
	"time"

	"nod"
	"nod/internal/present/words"
)

// sureTime is how long a key asks whether the person is sure.
const sureTime = 6 * time.Second

// sure is a key that was pressed once and takes a second press.
type sure struct {
	index     int
	id, label string
	subject   string // of the scene that it was on
	ends      time.Time
}

// askAgain lets a key that was pressed once ask for a second press, and shows in full
// what that does. Only this key acts.
func (w *situation) askAgain(sc *scene) {
	if w.sure == nil || !w.now.Before(w.sure.ends) || w.sure.subject != sc.subject() {
		return
	}
	k := sc.keys[w.sure.index]
	if !k.Twice || k.ID != w.sure.id || k.Label != w.sure.label {
		return
	}
	sc.keys[w.sure.index] = word(w.say, "sure-"+k.ID, "⚠️", "#FFA000", words.KeyboardSure, k.Do)
	if k.About == "" {
		return
	}
	at := count - 1
	if w.sure.index == at {
		at--
	}
	sc.keys[at] = Key{Label: k.Label}
	sc.about = &displayUpdate{Type: "display_update", Display: at, Title: plain(k.Label, longestLabel), Content: plain(k.About, longestAction), whole: nod.OneLine(k.About)}
}

// pressedOnce remembers the first press of a key that takes two.
func (c *conn) pressedOnce(p *press) {
	c.boards.mu.Lock()
	defer c.boards.mu.Unlock()
	c.board.sure = &sure{index: p.index, id: p.key.ID, label: p.key.Label, subject: p.frame.scene.subject(), ends: c.Now().Add(sureTime)}
}
