// Package relay speaks Prompt Relay's wire protocol, so that its hook scripts, phones
// and devices work with nod after changing one address. It serves both sides: what a
// hook posts becomes a request of nod, and Prompt Relay's clients see and answer what
// waits in nod.
package relay

import (
	"context"
	"sync"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/net/auth"
	wire "nod/internal/net/push"
)

const (
	mostDevices = 4               // of one kind in a room, as in the original
	roomIdle    = time.Hour       // after which an empty room is forgotten
	quiet       = 5 * time.Minute // after which an agent that asks nothing more counts as idle
	sweepEvery  = time.Minute
)

// Needs is what the surface needs of others.
type Needs struct {
	Credentials Credentials
	Tokens      Tokens
	CA          []byte                                // the hub's own CA in PEM, if it has one
	VAPIDKey    func(context.Context) (string, error) // nil: no Web Push
	WebPush     WebPush
}

// Credentials admits callers that show a token: *auth.Credentials.
type Credentials interface {
	Admit(ctx context.Context, text, via string) (in context.Context, who nod.Actor, leave func(), err error)
}

// Tokens finds the room that a token was made for: auth.TokenStore.
type Tokens interface {
	Get(ctx context.Context, id string) (auth.Token, error)
}

// WebPush sends one message to one browser: push.Sender.
type WebPush interface {
	Send(ctx context.Context, to wire.Subscription, m wire.Message) wire.Result
}

// Surface is Prompt Relay's wire.
type Surface struct {
	Config
	adapter.Deps
	Needs
	link      hub.Link
	admission admission
	registry  *registry
	devices   *deviceStore
	pusher    *pusher
	apnsErr   error   // why Apple devices are not notified although a key is configured
	handled   nod.Seq // the last fact that clients know; only the goroutine of Mirror uses it
	seen      seenEvents
}

// New makes a surface. Its endpoints work at once; clients get updates while Run runs.
func New(c Config, d adapter.Deps, n Needs) *Surface {
	d.Fill()
	devices := openDevices(d.File("relay-devices.json"), d.Log)
	s := &Surface{
		Config: c, Deps: d, Needs: n, link: d.Hub.Link(via), registry: newRegistry(c, d, devices), devices: devices,
		admission: admission{credentials: n.Credentials, tokens: n.Tokens, anyKey: c.AnyKey},
	}
	apns, err := openAPNs(c.APNs, d.Now)
	if s.apnsErr = err; err != nil {
		s.Log.Error("Apple devices are not notified", "err", err)
	}
	s.pusher = newPusher(n.WebPush, apns, devices, d)
	s.handled, _ = d.Hub.Head()
	var list []*nod.Request
	d.Hub.Look(func(st *nod.State) { list = s.registry.recent(st) })
	s.registry.adoptAll(list)
	return s
}

// Health reports that Apple devices are not notified although a key is configured.
func (s *Surface) Health() error {
	if s.apnsErr != nil {
		return nod.Errorf(nod.Unavailable, "Apple devices are not notified: %s", nod.MessageOf(s.apnsErr)).Because(s.apnsErr)
	}
	return nil
}

// Listeners are the addresses where Prompt Relay has every path to itself.
func (s *Surface) Listeners() []adapter.Listener {
	var list []adapter.Listener
	for _, address := range s.Listen {
		list = append(list, adapter.Listener{Setting: "relay.listen", Address: address, Handler: s.Handler(), Service: "prompt-relay"})
	}
	for _, address := range s.Plain {
		s.Log.Warn("Prompt Relay listens without encryption: everyone in that network can read its room keys, commands and answers", "setting", "relay.insecure_plain_http_listen", "listen", address)
		list = append(list, adapter.Listener{
			Setting: "relay.insecure_plain_http_listen", Address: address, Handler: unencrypted(s.Handler()), Plain: true, Service: "prompt-relay",
		})
	}
	return list
}

// Run follows the log, updates clients and removes what is old, until ctx ends.
func (s *Surface) Run(ctx context.Context) {
	var all sync.WaitGroup
	all.Go(func() { s.link.Mirror(ctx, s.reset, s.handle) })
	all.Go(func() { s.sweepRegularly(ctx) })
	all.Go(func() { s.pusher.run(ctx) })
	all.Wait()
	s.devices.save()
}
