package relay

import (
	"net/http"
	"sync"

	"nod"
	"nod/internal/hub"
)

// What a notice says if its hook sends no text.
const (
	usualTitle   = "Claude Code"
	usualMessage = "処理が完了しました"
)

const (
	mostEvents   = 4096
	longestEvent = 256
	longestNote  = 2000
)

// notify takes a notice, which needs no answer.
func (c *call) notify() {
	if !c.may(nod.Raise, "send a notice") {
		return
	}
	target := c.body.word("tmux_target")
	if target != "" && c.registry.hasOpen(c.who.room, target) {
		c.json(http.StatusOK, done{true}) // a notice must not replace the question on the screen
		return
	}
	event := c.body.word("event_id")
	if n := units(event); n >= 1 && n <= longestEvent && !c.seen.first(string(c.who.room)+"\x00"+event) {
		c.json(http.StatusOK, struct {
			done
			Again bool `json:"deduplicated"`
		}{done{true}, true})
		return
	}
	n := notice{title: c.body.text("title"), message: c.body.text("message"), hostname: c.body.word("hostname"), target: target}
	n.complete()
	if err := c.note(n); err != nil {
		c.refuse(err)
		return
	}
	c.json(http.StatusOK, done{true})
	c.registry.touch(c.who.room)
	c.pusher.push(job{room: c.who.room, notice: &n})
}

type notice struct{ title, message, hostname, target string }

func (n *notice) complete() {
	if n.title == "" {
		n.title = usualTitle
	}
	if n.message == "" {
		n.message = usualMessage
	}
}

// note records a notice as a turn of its source, which nod shows to people.
func (c *call) note(n notice) error {
	ref := source(c.who.room, n.target, n.hostname)
	text := nod.Fold(nod.Visible(n.title+": "+n.message), longestNote)
	return c.link.Note(c.who.ctx, present(ref, nod.AgentIdle), hub.Said(nod.Turn{Agent: ref.ID, Role: nod.TurnSystem, Text: text}))
}

// seenEvents remembers the last notices, so that one that is sent twice is shown once.
type seenEvents struct {
	mu    sync.Mutex
	known map[string]bool
	order []string
}

func (s *seenEvents) first(event string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known[event] {
		return false
	}
	if s.known == nil {
		s.known = map[string]bool{}
	}
	s.known[event] = true
	if s.order = append(s.order, event); len(s.order) > mostEvents {
		delete(s.known, s.order[0])
		s.order = s.order[1:]
	}
	return true
}
