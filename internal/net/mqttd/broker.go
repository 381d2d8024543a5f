package mqttd

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"sync"
	"time"

	broker "github.com/mochi-mqtt/server/v2"

	"nod"
	"nod/internal/sys/pause"
)

// BrokerOptions are what nod's own broker works with.
type BrokerOptions struct {
	Listen string
	TLS    *tls.Config // nil: plain
	// Admit checks a user name and a password. The connection ends with the context
	// that it returns.
	Admit func(ctx context.Context, user, password string) (in context.Context, who nod.Actor, leave func(), err error)
	// Rules say who may read and write which topics.
	Rules Rules
	// Refused is called for a publish without the right to it, at a limited rate.
	Refused func(by nod.Actor, topic string)
	Log     *slog.Logger
}

// Broker is nod's own broker, and the bus over it.
type Broker struct {
	o     BrokerOptions
	subs  subscribers
	state *state
	guard *guard

	mu       sync.Mutex
	listener net.Listener
	server   *broker.Server
}

// NewBroker makes a broker; it listens when it runs.
func NewBroker(o BrokerOptions) *Broker {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	b := &Broker{o: o, subs: subscribers{log: o.Log}, state: newState()}
	b.guard = &guard{o: o, deliver: b.subs.deliver, sessions: map[*broker.Client]*session{}}
	return b
}

// Listen opens the port, for callers that need to know it before Run.
func (b *Broker) Listen() (net.Addr, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.listener == nil {
		l, err := net.Listen("tcp", b.o.Listen)
		if err != nil {
			return nil, nod.Errorf(nod.Unavailable, "nod's MQTT broker cannot listen on %s: another broker may have that port. Set [mqtt] listen to another one, or [mqtt] url to use that broker", b.o.Listen).Because(err)
		}
		b.listener = l
	}
	return b.listener.Addr(), nil
}

// listenRetry is the pause between two attempts to open the port.
const listenRetry = 5 * time.Second

// Run serves until ctx ends. It waits for a port that is taken, so that the hub does
// not fail because of it.
func (b *Broker) Run(ctx context.Context) {
	for said := false; ; said = true {
		_, err := b.Listen()
		if err == nil {
			break
		}
		if !said {
			b.o.Log.Error(nod.MessageOf(err), "err", err)
		}
		if !pause.For(ctx, listenRetry) {
			return
		}
	}
	if err := b.serve(ctx); err != nil {
		b.o.Log.Error("nod's MQTT broker could not be started", "err", err)
		return
	}
	b.state.set(true)
	_ = b.Publish(ctx, Message{Topic: StatusTopic, Payload: []byte(Online), QoS: 1, Retain: true})
	<-ctx.Done()
	_ = b.Publish(context.WithoutCancel(ctx), Message{Topic: StatusTopic, Payload: []byte(Offline), QoS: 1, Retain: true})
	b.state.set(false)
	b.mu.Lock()
	server := b.server
	b.server, b.listener = nil, nil
	b.mu.Unlock()
	_ = server.Close()
}

func (b *Broker) serve(ctx context.Context) error {
	limits := broker.NewDefaultServerCapabilities()
	limits.MaximumClients = mostConnections
	limits.MaximumPacketSize = 256 << 10
	limits.MaximumInflight = 16 << 10 // queued for one client that is away
	limits.MaximumClientWritesPending = 16 << 10
	limits.MaximumSessionExpiryInterval = uint32(24 * time.Hour / time.Second)
	limits.MaximumMessageExpiryInterval = int64(24 * time.Hour / time.Second)
	limits.MinimumProtocolVersion = 4
	limits.TopicAliasMaximum = 0 // rights are checked by name
	server := broker.New(&broker.Options{
		Capabilities: limits, InlineClient: true,
		SysTopicResendInterval: int64(24 * time.Hour / time.Second), // each one stops the world to measure memory
		Logger:                 slog.New(slog.DiscardHandler),       // it logs whole packets
	})
	b.guard.life, b.guard.server = ctx, server
	if err := server.AddHook(b.guard, nil); err != nil {
		return err
	}
	d := newBrokerListener(b.listener, b.o.TLS, b.o.Log)
	if err := server.AddListener(d); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.server = server
	if err := server.Serve(); err != nil {
		return err
	}
	b.o.Log.Info("nod's MQTT broker listens", "address", d.Address(), "tls", b.o.TLS != nil)
	return nil
}

func (b *Broker) running() *broker.Server {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.server
}

// Publish is part of Bus.
func (b *Broker) Publish(ctx context.Context, m Message) error {
	if err := CheckTopic(m.Topic); err != nil {
		return err
	}
	server := b.running()
	if server == nil {
		return nod.Errorf(nod.Unavailable, "nod's MQTT broker does not run")
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return server.Publish(m.Topic, m.Payload, m.Retain, min(m.QoS, 1))
}

// Subscribe is part of Bus.
func (b *Broker) Subscribe(ctx context.Context, filter string, f func(Message)) error {
	box, err := b.subs.add(ctx, filter, f, func() {})
	if err != nil {
		return err
	}
	if server := b.running(); server != nil {
		for _, p := range retainedFor(server, filter) {
			box.put(Message{Topic: p.TopicName, Payload: p.Payload, QoS: p.FixedHeader.Qos, Retain: true})
		}
	}
	return nil
}

// Watch is part of Bus.
func (b *Broker) Watch(ctx context.Context, f func(up bool)) { go b.state.watch(ctx, f) }

// Owned is part of Bus.
func (b *Broker) Owned() bool { return true }
