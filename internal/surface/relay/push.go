package relay

import (
	"context"
	"encoding/base64"
	"hash/fnv"
	"strings"
	"sync"
	"time"
	"unicode/utf16"

	"nod"
	wire "nod/internal/net/push"
)

const (
	pushQueue = 256
	pushLanes = 4 // what one room is told stays in its order
	pushTTL   = 120 * time.Second
	alertBody = 60 // UTF-16 units of a notification's text
)

const waitingTitle = "承認待ち"

// job is one thing to tell the devices of a room: a request, its end, or a
// notice.
type job struct {
	room    roomID
	request *alert
	notice  *notice
	dismiss string // id of the request that needs no answer any more
	except  string // Apple token of the device that answered
}

// alert is a request, as it was when it had to be told.
type alert struct {
	id, title, subtitle, body, target, collapse string
	choices                                     []choice
	answerable                                  bool
	expires                                     time.Time
}

// push puts a job into the queue. Nobody waits for a push service: when too much
// is under way, notifications are left out, never requests.
func (s *Surface) push(j job) {
	if s.WebPush == nil && s.apns == nil || s.devices.none(j.room) {
		return
	}
	lane := fnv.New32a()
	_, _ = lane.Write([]byte(j.room)) // never fails
	select {
	case s.lanes[lane.Sum32()%pushLanes] <- j:
	default:
		s.Log.Warn("a notification for Prompt Relay's devices was left out: too many are under way")
	}
}

// alert tells the devices of everybody who sees a request. The lock is held.
func (s *Surface) alert(e *entry) {
	if e.last.Settled() {
		return
	}
	a := s.alertOf(e)
	for _, room := range s.audience(e) {
		s.push(job{room: room, request: a})
	}
}

func (s *Surface) dismiss(e *entry) {
	for _, room := range s.audience(e) {
		s.push(job{room: room, dismiss: e.id, except: e.except})
	}
}

func (s *Surface) audience(e *entry) []roomID {
	if e.own {
		return []roomID{e.room}
	}
	var list []roomID
	for id, r := range s.all {
		if r.shares {
			list = append(list, id)
		}
	}
	return list
}

// sparing remembers the device through which somebody answers: it knows. The
// lock is held.
func (c *call) sparing(e *entry, token string) {
	apple, _ := c.devices.of(c.who.room)
	for _, d := range apple {
		if d.Token == token {
			e.except = token
		}
	}
}

func (s *Surface) alertOf(e *entry) *alert {
	it := s.item(e)
	a := &alert{
		id: e.id, title: withHost(waitingTitle, e.hostname), subtitle: e.header, body: e.question, target: e.target,
		choices: it.Choices, answerable: e.answerable, expires: e.ends(),
	}
	if a.subtitle == "" {
		a.subtitle = e.tool
	}
	if a.body == "" {
		a.body, _, _ = strings.Cut(it.Message, "\n")
	}
	a.body = shorten(a.body)
	if e.target != "" {
		a.collapse = collapse(e.target, s.slots.next(e.last.Agent.ID))
	}
	return a
}

func withHost(title string, hostname *string) string {
	if hostname == nil || *hostname == "" {
		return title
	}
	return title + " [" + *hostname + "]"
}

// shorten counts as JavaScript does, but cuts no character in two.
func shorten(text string) string {
	if units(text) <= alertBody {
		return text
	}
	cut := utf16.Encode([]rune(text))[:alertBody-3]
	if last := cut[len(cut)-1]; utf16.IsSurrogate(rune(last)) && last < 0xDC00 {
		cut = cut[:len(cut)-1]
	}
	return string(utf16.Decode(cut)) + "…"
}

// slots make every second notification of a pane take the place of the one
// before the last, so that two that follow each other are both seen.
type slots struct {
	mu sync.Mutex
	of map[nod.AgentID]int
}

func (s *slots) next(id nod.AgentID) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of == nil {
		s.of = map[nod.AgentID]int{}
	}
	s.of[id] = 1 - s.of[id]
	return string(rune('0' + s.of[id]))
}

func (s *slots) forget(id nod.AgentID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.of, id)
}

const longestCollapse = 64

// collapse is the name under which a notification replaces another; without a
// slot for notices.
func collapse(target, slot string) string {
	if slot != "" {
		slot = ":" + slot
	}
	if id := "relay:" + target + slot; len(id) <= longestCollapse {
		return id
	}
	return "relay:h:" + short(target, 40) + slot
}

// send works a queue off.
func (s *Surface) send(ctx context.Context, lane <-chan job) {
	for {
		select {
		case j := <-lane:
			s.deliver(ctx, j)
		case <-ctx.Done():
			return
		}
	}
}

func (s *Surface) deliver(ctx context.Context, j job) {
	apple, browsers := s.devices.of(j.room)
	if s.apns != nil {
		for _, d := range apple {
			if d.Token != j.except || j.dismiss == "" {
				s.toApple(ctx, j, d)
			}
		}
	}
	if s.WebPush != nil && j.dismiss == "" { // it has no way to take one back
		for _, b := range browsers {
			s.toBrowser(ctx, j, b)
		}
	}
}

func (s *Surface) toApple(ctx context.Context, j job, d appleDevice) {
	gone, err := s.apns.Send(ctx, j.apple(d))
	switch {
	case gone:
		s.devices.removeApple(j.room, d.Token)
	case err != nil:
		s.Log.Warn("a notification did not reach an Apple device", "err", err)
	default:
		s.devices.pushedApple(j.room, d.Token, s.Now())
	}
}

func (s *Surface) toBrowser(ctx context.Context, j job, b browser) {
	to, ok := b.Subscription.decode()
	if !ok {
		s.devices.removeBrowser(j.room, b.Subscription.Endpoint)
		return
	}
	result := s.WebPush.Send(ctx, to, wire.Message{Payload: j.web(), TTL: pushTTL, Urgency: wire.Normal})
	switch result.Outcome {
	case wire.Delivered:
		s.devices.pushedBrowser(j.room, b.Subscription.Endpoint, s.Now())
	case wire.Gone:
		s.devices.removeBrowser(j.room, b.Subscription.Endpoint)
	default:
		s.Log.Warn("a notification did not reach a browser", "outcome", result.Outcome.String(), "status", result.Status, "said", nod.OneLine(result.Detail))
	}
}

// decode reads keys in either alphabet of base64, with or without padding.
func (s subscription) decode() (wire.Subscription, bool) {
	read := func(text string) []byte {
		text = strings.NewReplacer("+", "-", "/", "_").Replace(strings.TrimRight(text, "="))
		b, err := base64.RawURLEncoding.DecodeString(text)
		if err != nil {
			return nil
		}
		return b
	}
	to := wire.Subscription{Endpoint: s.Endpoint, P256DH: read(s.Keys.P256DH), Auth: read(s.Keys.Auth)}
	return to, len(to.P256DH) > 0 && len(to.Auth) > 0
}
