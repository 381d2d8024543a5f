package relay

import (
	"context"

	"nod"
	"nod/internal/hub"
)

// come counts a client of a room until it leaves.
func (g *registry) come(who *caller) (leave func()) {
	g.Lock()
	defer g.Unlock()
	r := g.look(who.room)
	r.clients++
	counts := r.shares && who.Can(nod.Answering)
	if counts {
		g.watched.come(g.Hub, who)
	}
	return func() {
		g.Lock()
		defer g.Unlock()
		r.clients--
		if counts {
			g.watched.leave()
		}
		if r.clients == 0 && !r.live && !r.shares && g.rooms[r.id] == r {
			delete(g.rooms, r.id)
		}
	}
}

// watched counts the clients that could answer nod's own requests. While there are
// any, one of them follows the hub's log: drivers hold back an agent's own dialog only
// while a person who may answer is following.
type watched struct {
	count int
	end   context.CancelFunc
}

func (w *watched) come(h *hub.Hub, who *caller) {
	if w.count++; w.count > 1 {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	w.end = cancel
	go h.Desk(who.Actor).Mirror(ctx, nil, nil)
}

func (w *watched) leave() {
	if w.count--; w.count == 0 {
		w.end()
	}
}
