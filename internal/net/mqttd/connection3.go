package mqttd

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"sync"
	"time"

	mqtt3 "github.com/eclipse/paho.mqtt.golang"
	"github.com/eclipse/paho.mqtt.golang/packets"
)

// connection3 speaks MQTT 3.1.1. The library reconnects by itself; this is one of its
// connections.
type connection3 struct {
	conn mqtt3.Client
	lost chan struct{} // closed with the connection
}

// inbox is the library's store without outgoing messages. Otherwise the library would
// send those again at every reconnect, even one for which the broker closed the
// connection, and report them as confirmed.
type inbox struct{ mqtt3.Store }

func (b inbox) Put(key string, m packets.ControlPacket) {
	if !strings.HasPrefix(key, "o.") {
		b.Store.Put(key, m)
	}
}

func (c *Client) connect3(context.Context) (connection, error) {
	broker := url.URL{Scheme: "tcp", Host: c.o.URL.Host}
	if c.o.secure() {
		broker.Scheme = "ssl"
	}
	o := mqtt3.NewClientOptions().AddBroker(broker.String()).
		SetProtocolVersion(4).SetClientID(c.o.ClientID).SetUsername(c.o.Username).SetPassword(c.o.Password).
		SetCleanSession(false).SetKeepAlive(c.o.KeepAlive).SetPingTimeout(c.o.KeepAlive / 2).
		SetConnectTimeout(connectTime).SetWriteTimeout(c.o.Ack).
		SetAutoReconnect(true).SetMaxReconnectInterval(c.o.Retry).
		SetConnectRetry(true).SetConnectRetryInterval(min(2*time.Second, c.o.Retry))
	if last := c.o.will(Offline); last.Topic != "" {
		o.SetBinaryWill(last.Topic, last.Payload, last.QoS, last.Retain)
	}
	if c.o.TLS != nil {
		o.SetTLSConfig(c.o.TLS)
	}
	o.SetDefaultPublishHandler(func(_ mqtt3.Client, m mqtt3.Message) {
		c.subs.deliver(Message{Topic: m.Topic(), Payload: m.Payload(), QoS: m.Qos(), Retain: m.Retained()})
	})
	o.SetStore(inbox{mqtt3.NewMemoryStore()})
	var lost chan struct{}
	var mu sync.Mutex // the two handlers run on goroutines of their own
	o.SetOnConnectHandler(func(m mqtt3.Client) {
		mu.Lock()
		defer mu.Unlock()
		if lost == nil && m.IsConnectionOpen() {
			lost = make(chan struct{})
			c.connected(connection3{m, lost})
		}
	})
	o.SetConnectionLostHandler(func(m mqtt3.Client, err error) {
		mu.Lock()
		defer mu.Unlock()
		c.disconnected(err)
		if lost != nil {
			close(lost)
			lost = nil
		}
		if m.IsConnectionOpen() { // it is back already, and the other handler was not called or came too early
			lost = make(chan struct{})
			c.connected(connection3{m, lost})
		}
	})
	o.SetConnectionNotificationHandler(func(_ mqtt3.Client, n mqtt3.ConnectionNotification) {
		if failed, ok := n.(mqtt3.ConnectionNotificationBrokerFailed); ok {
			c.disconnected(failed.Reason)
		}
	})
	w := connection3{conn: mqtt3.NewClient(o)}
	w.conn.Connect() // it retries by itself
	return w, nil
}

func (w connection3) publish(ctx context.Context, m Message) error {
	if !w.conn.IsConnectionOpen() { // otherwise the library would queue it
		return errors.New("not connected")
	}
	return w.await(ctx, w.conn.Publish(m.Topic, m.QoS, m.Retain, m.Payload))
}

func (w connection3) subscribe(ctx context.Context, filters ...string) error {
	wanted := map[string]byte{}
	for _, f := range filters {
		wanted[f] = 1
	}
	t := w.conn.SubscribeMultiple(wanted, nil)
	if err := w.await(ctx, t); err != nil {
		return err
	}
	if s, ok := t.(*mqtt3.SubscribeToken); ok {
		for f, code := range s.Result() {
			if code == 0x80 {
				return errors.New("not allowed: " + f)
			}
		}
	}
	return nil
}

func (w connection3) unsubscribe(ctx context.Context, filter string) error {
	return w.await(ctx, w.conn.Unsubscribe(filter))
}

func (w connection3) end(context.Context) { w.conn.Disconnect(250) }

func (w connection3) await(ctx context.Context, t mqtt3.Token) error {
	select {
	case <-t.Done():
		return t.Error()
	case <-w.lost:
		return errors.New("the connection was lost")
	case <-ctx.Done():
		return ctx.Err()
	}
}
