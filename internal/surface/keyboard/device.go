package keyboard

import (
	"time"

	"nod"
)

// keyboard is one device, over all of its connections.
type keyboard struct {
	id, address string
	temporary   bool      // it is known while it is connected, and then forgotten
	actor       nod.Actor // who presses; empty until it is admitted
	admission   admission // if it was admitted by a code
	code        string    // what its keys show until it is admitted
	codeEnds    time.Time
	wrong       int     // wrong codes so far
	conns       []*conn // newest last; only that one shows keys
	frames      []frame // newest last
	pin         nod.AgentID
	shown       nod.AgentID
	page        int
	paged       string // what the page belongs to
	note        *note
	sure        *sure         // a key that was pressed once
	asked       nod.RequestID // that the keys show
	askedAt     time.Time
}

// note is a word on the fourth key.
type note struct {
	key  Key
	good bool
	ends time.Time
}

func (k *keyboard) admitted() bool { return k.actor.Can(nod.Answering) }

func (k *keyboard) newest() *conn {
	if len(k.conns) == 0 {
		return nil
	}
	return k.conns[len(k.conns)-1]
}

func (k *keyboard) wake() {
	if c := k.newest(); c != nil {
		c.wake()
	}
}

// codeAt is what the keyboard shows until it is admitted.
func (k *keyboard) codeAt(now time.Time) string {
	if k.code == "" || !now.Before(k.codeEnds) {
		b := make([]byte, count)
		for i := range b {
			b[i] = letters[randomBelow(len(letters))]
		}
		k.code, k.codeEnds, k.wrong = string(b), now.Add(codeTime), 0
	}
	return k.code
}
