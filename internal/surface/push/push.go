// Package push notifies paired devices of pending requests through Web Push, and takes
// notifications back when they are settled. It follows the log; a device that cannot be
// reached is only late.
package push

import (
	"context"
	"net/http"
	"sync"
	_ "time/tzdata" // quiet hours are in the device's time zone, also on systems without time zone data

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
	wire "nod/internal/net/push"
)

// DefaultContact is what push services get if no contact of the hub's owner is
// configured. Apple refuses names that are known only in the local network.
const DefaultContact = "mailto:nod@example.com"

// Tokens knows which devices are paired: auth.Credentials.
type Tokens interface {
	List(ctx context.Context) ([]auth.Token, error)
}

// Needs is what the surface needs of others.
type Needs struct {
	Tokens    Tokens
	Store     wire.Subscriptions
	Transport http.RoundTripper // nil: the network
}

// Surface notifies devices.
type Surface struct {
	Config
	adapter.Deps
	Needs
	pending *hub.PendingList
	slots   *slots
	changed chan struct{} // a subscription was added, removed or changed

	mu      sync.Mutex
	devices map[string]*device // those with a worker, by token
	sender  *wire.Sender
	key     string
}

// New makes a surface; nothing happens before Run.
func New(c Config, d adapter.Deps, n Needs) *Surface {
	d.Fill()
	if c.Contact == "" {
		c.Contact = DefaultContact
	}
	return &Surface{Config: c, Deps: d, Needs: n, pending: hub.NewPendingList(d.Hub), slots: newSlots(), changed: make(chan struct{}, 1), devices: map[string]*device{}}
}

// Routes are the endpoints. Notifications need the right to view; a device sees and
// changes only its own subscription.
func (s *Surface) Routes() []httpd.Route {
	return []httpd.Route{
		{Method: "GET", Path: "/v1/push", Right: nod.View, What: "see its notifications", Handle: s.show},
		{Method: "PUT", Path: "/v1/push", Right: nod.View, What: "get notifications", Body: 16 << 10, Handle: s.subscribe},
		{Method: "DELETE", Path: "/v1/push", Right: nod.View, What: "end notifications", Handle: s.unsubscribe},
		{Method: "POST", Path: "/v1/push/test", Right: nod.View, What: "try notifications", Handle: s.test},
	}
}

// Run notifies devices until ctx ends. Where several hubs share a log, only one of
// them does.
func (s *Surface) Run(ctx context.Context) { s.Hub.AsLeader("push", s.run)(ctx) }

// run gives messages on their way a moment more when ctx ends, so that they are not
// sent a second time after the next start.
func (s *Surface) run(ctx context.Context) {
	s.pending.Forget() // where several hubs share a log, another one may have notified devices since
	var all sync.WaitGroup
	all.Go(func() { s.follow(ctx) })
	all.Go(func() { s.keep(ctx) })
	all.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sender != nil {
		s.sender.Close()
	}
}

// Key is the public key under which this hub sends.
func (s *Surface) Key(ctx context.Context) (string, error) {
	_, key, err := s.ready(ctx)
	return key, err
}

// Send sends one message to one browser.
func (s *Surface) Send(ctx context.Context, to wire.Subscription, m wire.Message) wire.Result {
	sender, _, err := s.ready(ctx)
	if err != nil {
		return wire.Result{Outcome: wire.Later, Detail: err.Error()}
	}
	return sender.Send(ctx, to, m)
}

// ready is the sender and the public key that browsers need. The key pair is generated
// at the first start and never changes: subscriptions are bound to it.
func (s *Surface) ready(ctx context.Context) (*wire.Sender, string, error) {
	s.mu.Lock()
	sender, key := s.sender, s.key
	s.mu.Unlock()
	if sender != nil {
		return sender, key, nil
	}
	fresh, err := wire.NewKey()
	if err != nil {
		return nil, "", err
	}
	kept, err := s.Store.PushKey(ctx, fresh)
	if err != nil {
		return nil, "", err
	}
	signer, err := wire.NewSigner(kept, s.Contact, s.Now)
	if err != nil {
		return nil, "", nod.Errorf(nod.Internal, "notifications cannot be sent: %s", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sender == nil { // two callers at once make the same one twice
		s.sender = wire.NewSender(wire.Config{Signer: signer, Private: s.Private, Transport: s.Transport, Now: s.Now})
		s.key = signer.PublicKey()
	}
	return s.sender, s.key, nil
}

// poke makes keep compare the subscriptions again.
func (s *Surface) poke() {
	select {
	case s.changed <- struct{}{}:
	default:
	}
}
