package relay

import (
	"context"
	"encoding/base64"
	"hash/fnv"
	"log/slog"
	"strings"
	"sync"
	"time"
	"unicode/utf16"

	"nod"
	"nod/internal/hub/adapter"
	wire "nod/internal/net/push"
)

const (
	pushQueue = 256
	pushLanes = 4 // each room always uses the same one, so its notifications stay in order
	pushTTL   = 120 * time.Second
	alertBody = 60 // UTF-16 units of a notification's text
)

const waitingTitle = "承認待ち"

// job is one notification to the devices of a room: a request, its end, or a notice.
type job struct {
	room    roomID
	request *alert
	notice  *notice
	dismiss string // id of a request that needs no answer any more
	except  string // Apple token of the device that answered
}

// alert is a request as it was when it was raised.
type alert struct {
	id, title, subtitle, body, target, collapse string
	choices                                     []choice
	answerable                                  bool
	expires                                     time.Time
}

// pusher notifies the devices of rooms.
type pusher struct {
	web     WebPush  // nil: no Web Push
	apns    notifier // nil: Apple devices are not notified
	devices *deviceStore
	log     *slog.Logger
	now     func() time.Time
	slots   slots
	lanes   [pushLanes]chan job
}

func newPusher(web WebPush, apns notifier, devices *deviceStore, d adapter.Deps) *pusher {
	p := &pusher{web: web, apns: apns, devices: devices, log: d.Log, now: d.Now}
	for i := range p.lanes {
		p.lanes[i] = make(chan job, pushQueue)
	}
	return p
}

// push queues a job. A request never waits for a push service: when the queue is full,
// the notification is left out.
func (p *pusher) push(j job) {
	if p.web == nil && p.apns == nil || p.devices.none(j.room) {
		return
	}
	lane := fnv.New32a()
	_, _ = lane.Write([]byte(j.room)) // never fails
	select {
	case p.lanes[lane.Sum32()%pushLanes] <- j:
	default:
		p.log.Warn("a notification for Prompt Relay's devices was left out: too many are under way")
	}
}

// alert notifies the devices of rooms that a request waits.
func (p *pusher) alert(e *entry, rooms []roomID) {
	if e.last.Settled() {
		return
	}
	a := p.alertOf(e)
	for _, room := range rooms {
		p.push(job{room: room, request: a})
	}
}

// dismiss takes the notification of a request back.
func (p *pusher) dismiss(e *entry, rooms []roomID) {
	for _, room := range rooms {
		p.push(job{room: room, dismiss: e.id, except: e.except})
	}
}

// sparing remembers the device that answers, which needs no dismissal. The lock is
// held.
func (c *call) sparing(e *entry, token string) {
	apple, _ := c.devices.of(c.who.room)
	for _, d := range apple {
		if d.Token == token {
			e.except = token
		}
	}
}

func (p *pusher) alertOf(e *entry) *alert {
	it := e.item(p.now())
	a := &alert{
		id: e.id, title: withHost(waitingTitle, e.hostname), subtitle: e.header, body: e.question, target: e.target,
		choices: it.Choices, answerable: e.answerable, expires: e.ends(),
	}
	if a.subtitle == "" {
		a.subtitle = e.tool
	}
	first, _, _ := strings.Cut(it.Message, "\n")
	command := e.own && commandOf(e.last.Input) != ""
	if a.body == "" || command {
		a.body = first
	}
	if command && (e.last.Unsure || strings.Contains(commandOf(e.last.Input), "\n") || shorten(first) != first) {
		a.answerable, a.choices = false, nil // buttons only below what they are about, in full
	}
	a.body = shorten(a.body)
	if e.target != "" {
		a.collapse = collapse(e.target, p.slots.next(e.last.Agent.ID))
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

// slots let a notification of a pane replace the one before the last, so that the last
// two are both visible.
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

// collapse is the name under which a notification replaces another. Notices have no
// slot.
func collapse(target, slot string) string {
	if slot != "" {
		slot = ":" + slot
	}
	if id := "relay:" + target + slot; len(id) <= longestCollapse {
		return id
	}
	return "relay:h:" + short(target, 40) + slot
}

// run sends what is queued until ctx ends.
func (p *pusher) run(ctx context.Context) {
	var all sync.WaitGroup
	for _, lane := range p.lanes {
		all.Go(func() { p.send(ctx, lane) })
	}
	all.Wait()
}

// send works through one queue.
func (p *pusher) send(ctx context.Context, lane <-chan job) {
	for {
		select {
		case j := <-lane:
			p.deliver(ctx, j)
		case <-ctx.Done():
			return
		}
	}
}

func (p *pusher) deliver(ctx context.Context, j job) {
	apple, browsers := p.devices.of(j.room)
	if p.apns != nil {
		for _, d := range apple {
			if d.Token != j.except || j.dismiss == "" {
				p.toApple(ctx, j, d)
			}
		}
	}
	if p.web != nil && j.dismiss == "" { // Web Push cannot take one back
		for _, b := range browsers {
			p.toBrowser(ctx, j, b)
		}
	}
}

func (p *pusher) toApple(ctx context.Context, j job, d *appleDevice) {
	gone, err := p.apns.Send(ctx, j.apple(d))
	switch {
	case gone:
		removeDevice(p.devices, j.room, d.Token, appleOf)
	case err != nil:
		p.log.Warn("a notification did not reach an Apple device", "err", err)
	default:
		reached(p.devices, j.room, d.Token, p.now(), appleOf)
	}
}

func (p *pusher) toBrowser(ctx context.Context, j job, b *browser) {
	to, ok := b.Subscription.decode()
	if !ok {
		removeDevice(p.devices, j.room, b.Subscription.Endpoint, browsersOf)
		return
	}
	result := p.web.Send(ctx, to, wire.Message{Payload: j.web(), TTL: pushTTL, Urgency: wire.Normal})
	switch result.Outcome {
	case wire.Delivered:
		reached(p.devices, j.room, b.Subscription.Endpoint, p.now(), browsersOf)
	case wire.Gone:
		removeDevice(p.devices, j.room, b.Subscription.Endpoint, browsersOf)
	default:
		p.log.Warn("a notification did not reach a browser", "outcome", result.Outcome.String(), "status", result.Status, "said", nod.OneLine(result.Detail))
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
