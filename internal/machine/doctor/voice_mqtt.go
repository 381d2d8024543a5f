package doctor

import (
	"context"
	"crypto/rand"
	"errors"
	"net"
	"time"

	"nod"
	"nod/internal/net/mqttd"
	"nod/internal/present/words"
)

// broker: does it answer, and does it accept us?
func (v *voicePath) broker(ctx context.Context) Finding {
	c := v.conf.MQTT
	if !c.On() {
		return skip(v.Say(words.LegNoMQTT))
	}
	if c.Embedded {
		return v.ownBroker(ctx, c.Listen)
	}
	down := func(why string) Finding {
		return fail(v.Say(words.LegBrokerDown, c.URL, why), v.Say(words.LegBrokerFix))
	}
	o, err := c.ClientOptions()
	if err != nil {
		return down(lastCause(errors.Unwrap(err)))
	}
	// The client only logs that nothing listens there, so the port is tried first.
	dial := net.Dialer{Timeout: stepTimeout}
	conn, err := dial.DialContext(ctx, "tcp", o.Address())
	if err != nil {
		return down(lastCause(err))
	}
	_ = conn.Close()
	if v.mqtt, err = v.connect(ctx); err != nil {
		return down(lastCause(err))
	}
	return fine(v.Say(words.LegBrokerUp, c.URL))
}

// connect opens a connection with a client ID of its own.
func (v *voicePath) connect(ctx context.Context) (*mqttd.Client, error) {
	o, err := v.conf.MQTT.ClientOptions()
	if err != nil {
		return nil, err
	}
	o.ClientID = "nod-doctor-" + rand.Text()[:8]
	client, err := mqttd.NewClient(o)
	if err != nil {
		return nil, err
	}
	go client.Run(ctx)
	up := make(chan struct{}, 1)
	client.Watch(ctx, func(on bool) {
		if on {
			signal(up)
		}
	})
	if !arrives(ctx, stepTimeout, up) {
		return nil, nod.Errorf(nod.Unavailable, "%s", v.Say(words.LegSilent))
	}
	return client, nil
}

func (v *voicePath) ownBroker(ctx context.Context, listen string) Finding {
	host, port, _ := net.SplitHostPort(listen)
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	dial := net.Dialer{Timeout: stepTimeout}
	conn, err := dial.DialContext(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return fail(v.Say(words.LegBrokerDown, listen, lastCause(err)), v.Say(words.LegOwnFix))
	}
	_ = conn.Close()
	return fine(v.Say(words.LegBrokerOwn, listen))
}

// messages: does one that we publish come back?
func (v *voicePath) messages(ctx context.Context) Finding {
	if v.mqtt == nil {
		if v.conf.MQTT.Embedded {
			return fine(v.Say(words.LegOwnRound))
		}
		return skip(v.Say(words.LegNoMQTT))
	}
	topic := "nod/doctor/" + rand.Text()
	lost := fail(v.Say(words.LegNoRound), v.Say(words.LegNoRoundFix))
	back, err := v.subscribe(ctx, topic)
	if err != nil {
		return lost
	}
	other, err := v.connect(ctx) // a client does not get its own messages
	if err != nil {
		return lost
	}
	if !retry(ctx, back, func() error {
		return other.Publish(ctx, mqttd.Message{Topic: topic, Payload: []byte("hello"), QoS: 1})
	}) {
		return lost
	}
	return fine(v.Say(words.LegRound))
}

// retry sends until a message arrives: nothing reports when a subscription is active.
func retry(ctx context.Context, back <-chan struct{}, send func() error) bool {
	for range 10 {
		if send() == nil && arrives(ctx, stepTimeout/10, back) {
			return true
		}
	}
	return false
}

func (v *voicePath) subscribe(ctx context.Context, topic string) (<-chan struct{}, error) {
	back := make(chan struct{}, 1)
	err := v.mqtt.Subscribe(ctx, topic, func(mqttd.Message) { signal(back) })
	return back, err
}

// signal never blocks: one that was not received yet is enough.
func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func arrives(ctx context.Context, limit time.Duration, happened <-chan struct{}) bool {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	select {
	case <-happened:
		return true
	case <-ctx.Done():
		return false
	}
}
