package mqttd

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/eclipse/paho.golang/autopaho"
	"github.com/eclipse/paho.golang/paho"
)

// connection5 speaks MQTT 5.
type connection5 struct{ conn *autopaho.ConnectionManager }

func (c *Client) connect5(ctx context.Context) (connection, error) {
	scheme := *c.o.URL
	scheme.User = nil
	cfg := autopaho.ClientConfig{
		ServerUrls: []*url.URL{&scheme}, TlsCfg: c.o.TLS,
		KeepAlive: uint16(max(1, c.o.KeepAlive/time.Second)), SessionExpiryInterval: uint32(sessionTime / time.Second),
		ConnectTimeout: connectTime, ReconnectBackoff: c.o.pause,
		ConnectUsername: c.o.Username, ConnectPassword: []byte(c.o.Password),
		OnConnectionUp:   func(m *autopaho.ConnectionManager, _ *paho.Connack) { c.connected(connection5{m}) },
		OnConnectionDown: func() bool { c.disconnected(fmt.Errorf("the connection was lost")); return true },
		OnConnectError:   c.disconnected,
		ClientConfig: paho.ClientConfig{
			ClientID: c.o.ClientID,
			OnPublishReceived: []func(paho.PublishReceived) (bool, error){func(p paho.PublishReceived) (bool, error) {
				c.subs.deliver(Message{Topic: p.Packet.Topic, Payload: p.Packet.Payload, QoS: p.Packet.QoS, Retain: p.Packet.Retain})
				return true, nil
			}},
		},
	}
	if last := c.o.will(Offline); last.Topic != "" {
		cfg.WillMessage = &paho.WillMessage{Topic: last.Topic, Payload: last.Payload, QoS: last.QoS, Retain: last.Retain}
	}
	m, err := autopaho.NewConnection(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return connection5{m}, nil
}

func (w connection5) publish(ctx context.Context, m Message) error {
	p := &paho.Publish{Topic: m.Topic, Payload: m.Payload, QoS: m.QoS, Retain: m.Retain}
	if !m.Retain {
		seconds := uint32(expiry / time.Second)
		p.Properties = &paho.PublishProperties{MessageExpiry: &seconds}
	}
	_, err := w.conn.Publish(ctx, p)
	return err
}

func (w connection5) subscribe(ctx context.Context, filters ...string) error {
	s := &paho.Subscribe{}
	for _, f := range filters {
		// NoLocal: nod does not need its own messages.
		s.Subscriptions = append(s.Subscriptions, paho.SubscribeOptions{Topic: f, QoS: 1, NoLocal: true})
	}
	_, err := w.conn.Subscribe(ctx, s)
	return err
}

func (w connection5) unsubscribe(ctx context.Context, filter string) error {
	_, err := w.conn.Unsubscribe(ctx, &paho.Unsubscribe{Topics: []string{filter}})
	return err
}

func (w connection5) end(ctx context.Context) { _ = w.conn.Disconnect(ctx) }
