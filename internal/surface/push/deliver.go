package push

import (
	"context"
	"net/url"
	"sync"
	"time"

	"nod"
	"nod/internal/net/auth"
	wire "nod/internal/net/push"
	"nod/internal/present/words"
	"nod/internal/sys/pause"
)

const (
	lookAfter    = time.Minute     // how often the subscriptions are compared with the paired devices
	firstPause   = 2 * time.Second // after the first failure; doubled after each further one
	longestPause = 15 * time.Minute
	longestAsked = time.Hour   // the longest that a push service may ask us to wait
	drainTime    = time.Second // how long a message on its way may still take when nod ends
)

// keep runs a worker for every subscriber whose device is still paired.
func (s *Surface) keep(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	for ctx.Err() == nil {
		if err := s.compare(ctx, &all); err != nil && ctx.Err() == nil {
			s.Log.Warn("notifications are late", "err", err)
		}
		timer := time.NewTimer(lookAfter)
		select {
		case <-s.changed:
		case <-timer.C:
		case <-ctx.Done():
		}
		timer.Stop()
	}
}

// compare starts, changes and ends workers as the subscriptions say.
func (s *Surface) compare(ctx context.Context, all *sync.WaitGroup) error {
	sender, _, err := s.ready(ctx)
	if err != nil {
		return err
	}
	list, err := s.subscribers(ctx)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	wanted := map[string]bool{}
	for _, n := range list {
		wanted[n.Token] = true
		if d := s.devices[n.Token]; d != nil {
			if known, _ := d.now(); known.Subscription.Endpoint == n.Subscription.Endpoint {
				d.want(n)
				continue
			}
			d.cancel() // a new browser: the old one gets nothing any more
		}
		own, cancel := context.WithCancel(ctx)
		d := newDevice(n, cancel)
		s.devices[n.Token] = d
		all.Go(func() { s.attend(own, sender, d) })
	}
	for token, d := range s.devices {
		if !wanted[token] {
			d.cancel()
			delete(s.devices, token)
		}
	}
	return nil
}

// subscribers are those whose device is still paired; the others are removed.
func (s *Surface) subscribers(ctx context.Context) ([]wire.Subscriber, error) {
	all, err := s.Store.Subscribers(ctx)
	if err != nil {
		return nil, err
	}
	tokens, err := s.Tokens.List(ctx)
	if err != nil {
		return nil, err
	}
	var list []wire.Subscriber
	for _, n := range all {
		if _, ok := entitled(tokens, n.Token, s.Now()); !ok {
			s.drop(ctx, n, "its device is no longer paired")
			continue
		}
		list = append(list, n)
	}
	return list, nil
}

// entitled finds a device that has the right to view.
func entitled(tokens []auth.Token, id string, now time.Time) (auth.Token, bool) {
	for _, t := range tokens {
		if t.ID == id {
			alive := t.Expires == nil || t.Expires.After(now)
			return t, alive && t.Rights.Has(nod.View)
		}
	}
	return auth.Token{}, false
}

// drop removes a subscription for good.
func (s *Surface) drop(ctx context.Context, n wire.Subscriber, why string) {
	err := s.Store.DeleteSubscriber(context.WithoutCancel(ctx), n.Token, n.Subscription.Endpoint)
	if err != nil && nod.CodeOf(err) != nod.NotFound {
		s.Log.Warn("a dead subscription was not removed", "device", n.Token, "err", err)
		return
	}
	s.Log.Info("a subscription was removed", "device", n.Token, "why", why)
	s.poke()
}

// attend sends one device its notifications, one after the other. A slow push service
// delays only its own devices.
func (s *Surface) attend(ctx context.Context, sender *wire.Sender, d *device) {
	defer s.part(d)
	for ctx.Err() == nil {
		if _, wait, ok := d.next(s.pending, s.Now()); !ok {
			d.prune(s.pending)
			d.rest(ctx, wait)
			continue
		}
		n, _ := d.now()
		free, ok := s.slots.take(ctx, hostOf(n.Subscription.Endpoint))
		if !ok {
			return
		}
		// While waiting for a slot, it may have been settled, or quiet hours may have begun.
		if todo, _, ok := d.next(s.pending, s.Now()); ok {
			s.tell(ctx, sender, d, todo)
		}
		free()
	}
}

// part ends the work for a device. A subscription at the same moment finds it gone and
// starts a new worker.
func (s *Surface) part(d *device) {
	d.cancel()
	s.mu.Lock()
	if s.devices[d.token] == d {
		delete(s.devices, d.token)
	}
	s.mu.Unlock()
	s.poke()
}

// tell sends one message and handles the result.
func (s *Surface) tell(ctx context.Context, sender *wire.Sender, d *device, todo job) {
	n, _ := d.now()
	tokens, err := s.Tokens.List(ctx)
	if err != nil {
		d.result(wire.Result{Outcome: wire.Later}, s.Now())
		s.Log.Warn("a notification is late", "device", d.token, "err", err)
		return
	}
	device, ok := entitled(tokens, d.token, s.Now())
	if !ok {
		s.drop(ctx, n, "its device is no longer paired")
		d.cancel()
		return
	}
	message, err := todo.message(printer(n.Lang), device.Rights, s.Now())
	if err != nil {
		s.Log.Error("a notification could not be made", "err", err)
		d.done(todo, false)
		return
	}
	sending, end := outlive(ctx)
	result := sender.Send(sending, n.Subscription, message)
	end()
	if ctx.Err() != nil && result.Outcome != wire.Delivered {
		return // we gave up: this says nothing about the service
	}
	d.result(result, s.Now())
	if result.Outcome == wire.Delivered && todo.request != nil && device.Rights.Has(nod.Answering) {
		s.receipt(ctx, device, todo.request.ID)
	}
	s.conclude(ctx, d, n, todo, result)
}

// receipt records that a person who may answer was notified; the agent's driver waits
// longer for them.
func (s *Surface) receipt(ctx context.Context, device auth.Token, id nod.RequestID) {
	by := nod.Actor{Kind: nod.ActorDevice, Name: device.Name, Via: "push", ID: device.ID, Rights: device.Rights}
	if err := s.Hub.Desk(by).Told(context.WithoutCancel(ctx), id); err != nil && nod.CodeOf(err) != nod.NotFound {
		s.Log.Warn("a notification was not noted", "device", device.ID, "request", id, "err", err)
	}
}

func (s *Surface) conclude(ctx context.Context, d *device, n wire.Subscriber, todo job, result wire.Result) {
	switch result.Outcome {
	case wire.Delivered:
		s.note(ctx, n, todo, d.done(todo, true))
	case wire.Gone:
		s.drop(ctx, n, "the browser has unsubscribed")
		d.cancel()
	case wire.Later:
		s.Log.Info("a push service wants us to come later", "device", n.Token, "service", hostOf(n.Subscription.Endpoint),
			"status", result.Status, "after", result.After, "said", nod.OneLine(result.Detail))
	default:
		s.note(ctx, n, todo, d.done(todo, false))
		s.Log.Warn("a push service refused a notification", "device", n.Token, "service", hostOf(n.Subscription.Endpoint),
			"status", result.Status, "outcome", result.Outcome.String(), "said", nod.OneLine(result.Detail))
	}
}

// note saves what a device shows, for the next start.
func (s *Surface) note(ctx context.Context, n wire.Subscriber, todo job, told []string) {
	if todo.news != nil {
		return
	}
	err := s.Store.NoteTold(context.WithoutCancel(ctx), n.Token, n.Subscription.Endpoint, told)
	if err != nil && nod.CodeOf(err) != nod.NotFound {
		s.Log.Warn("what a device was told is not noted: it may be told twice", "device", n.Token, "err", err)
	}
}

// outlive is a context that ends a moment after ctx does.
func outlive(ctx context.Context) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		pause.For(longer, drainTime)
		cancel()
	})
	return longer, func() { stop(); cancel() }
}

func hostOf(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil {
		return ""
	}
	return u.Host
}

func printer(lang string) words.Printer {
	return words.For(func(string) string { return lang })
}
