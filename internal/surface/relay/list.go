package relay

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"nod"
)

// item is one request in a list. Every key is always there.
type item struct {
	ID          string   `json:"id"`
	Tool        string   `json:"tool_name"`
	Message     string   `json:"message"`
	Choices     []choice `json:"choices"`
	CreatedAt   int64    `json:"created_at"`
	ExpiresAt   int64    `json:"expires_at"`
	Response    *string  `json:"response"`
	RespondedAt *int64   `json:"responded_at"`
	SendKey     *string  `json:"send_key"`
	Hostname    *string  `json:"hostname"`
}

// outcome is what became of a request so far.
type outcome struct {
	ID          string  `json:"id"`
	Response    *string `json:"response"`
	RespondedAt *int64  `json:"responded_at"`
	SendKey     *string `json:"send_key"`
}

// How a request ended, in the words of the wire.
const (
	allow     = "allow"
	deny      = "deny"
	allowAll  = "allow_all"
	cancelled = "cancelled"
	expired   = "expired"
)

// withoutEnd is the deadline that clients see where nod has none.
const withoutEnd = 24 * time.Hour

func (c *call) list() {
	if !c.may(nod.View, "list requests") {
		return
	}
	c.answer(http.StatusOK, c.registry.list(c.who.room))
}

// What surrounds the list in a message to a WebSocket.
const before, after = `{"type":"update","requests":`, `}`

// list is the list of a room as JSON.
func (g *registry) list(id roomID) []byte {
	g.Lock()
	defer g.Unlock()
	r, ok := g.rooms[id]
	if !ok {
		return []byte("[]") // reading creates no room
	}
	r.touch(g.Now())
	g.refresh(g.inRoom(r)...)
	update := g.updateOf(r)
	return update[len(before) : len(update)-len(after)]
}

// updateOf is the message with a room's list, cached for all its clients. The lock is
// held.
func (g *registry) updateOf(r *room) []byte {
	if r.update != nil {
		return r.update
	}
	entries := g.inRoom(r)
	g.refresh(entries...)
	items := make([]item, 0, len(entries))
	for _, e := range entries {
		items = append(items, e.item(g.Now()))
	}
	r.update = slices.Concat([]byte(before), encode(items), []byte(after))
	return r.update
}

// news is what a room's clients are sent, and a channel that closes when they should
// look again.
func (g *registry) news(id roomID) ([]byte, <-chan struct{}) {
	g.Lock()
	defer g.Unlock()
	r := g.look(id)
	update := g.updateOf(r)
	return update, r.wake // read after the list, because making the list may replace it
}

// item is an entry as clients see it.
func (e *entry) item(now time.Time) item {
	o := e.outcome(now)
	it := item{
		ID: e.id, Tool: e.tool, Message: e.last.Display, CreatedAt: e.last.AskedAt.UnixMilli(), ExpiresAt: e.ends().UnixMilli(),
		Response: o.Response, RespondedAt: o.RespondedAt, SendKey: o.SendKey, Hostname: e.hostname,
	}
	if !e.own {
		it.Message = e.message
	}
	if e.listed {
		for _, o := range e.options {
			it.Choices = append(it.Choices, o.choice)
		}
	}
	return it
}

func (e *entry) ends() time.Time {
	if e.last.ExpiresAt != nil {
		return *e.last.ExpiresAt
	}
	return e.last.AskedAt.Add(withoutEnd)
}

// outcome is the state of a request in the words of the wire. Response and key come
// from one fact, so that no client sees one without the other.
func (e *entry) outcome(now time.Time) outcome {
	out := outcome{ID: e.id}
	var word string
	var at time.Time
	r := e.last
	switch {
	case r.Status == nod.Decided:
		word, out.SendKey = e.decided(r.Decision)
		at = r.Decision.At
	case r.Status == nod.Withdrawn:
		word, at = cancelled, r.Withdrawal.At
	case r.Status == nod.Expired, r.ExpiresAt != nil && !r.ExpiresAt.After(now):
		word, at = expired, e.ends()
	default:
		return out
	}
	millis := at.UnixMilli()
	out.Response, out.RespondedAt = &word, &millis
	return out
}

// decided is the word and the key for a decision, wherever it came from.
func (e *entry) decided(d *nod.Decision) (word string, key *string) {
	last := e.options[len(e.options)-1]
	press := func(n int) *string { text := strconv.Itoa(n); return &text }
	switch d.Verdict {
	case nod.VerdictAllow:
		if o, ok := matches(e.options, d); ok {
			return allow, press(o.Number)
		}
		if !e.own {
			return allow, nil // no key means this
		}
		return allow, press(e.options[0].Number)
	case nod.VerdictDeny:
		if d.Via == via || e.last.Kind == nod.KindApproval && (len(e.options) > 1 || !e.own) {
			return deny, press(last.Number)
		}
		// In a question, or a dialog with one choice, any key would be consent. None is
		// pressed, and the dialog stays open.
		return deny, nil
	}
	o, ok := matches(e.options, d)
	switch {
	case !ok:
		return allow, nil // answered in words, which no key types
	case e.own && e.tool != question && o.Number == last.Number:
		return deny, press(o.Number)
	}
	return allow, press(o.Number)
}
