package mqttd_test

import (
	"context"
	"crypto/tls"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	mqtt3 "github.com/eclipse/paho.mqtt.golang"

	"nod/internal/net/mqttd"
)

// raw is a device with a library of its own, so that it can do what nod's own
// client never would.
func raw(t *testing.T, o *own, id, password string, set ...func(*mqtt3.ClientOptions)) (mqtt3.Client, error) {
	t.Helper()
	opt := mqtt3.NewClientOptions().AddBroker("tcp://" + o.url.Host).SetProtocolVersion(4).SetClientID(id).
		SetUsername("puck").SetPassword(password).SetAutoReconnect(false).SetConnectTimeout(5 * time.Second)
	for _, f := range set {
		f(opt)
	}
	c := mqtt3.NewClient(opt)
	token := c.Connect()
	within(t, token.Done(), "the answer to a connect")
	t.Cleanup(func() { c.Disconnect(0) })
	return c, token.Error()
}

func TestClientsNeedATokenThatIsNotLimitedToARoom(t *testing.T) {
	o := ownBroker(t)
	for _, password := range []string{"", "wrong", "room"} {
		if _, err := raw(t, o, "x", password); err == nil {
			t.Errorf("the password %q was let in", password)
		}
	}
	if _, err := raw(t, o, "x", "views"); err != nil {
		t.Errorf("a token was turned away: %v", err)
	}
}

// An approval of a client that may only view is not delivered, and the attempt is reported.
func TestAnApprovalWithoutTheRightIsRefused(t *testing.T) {
	for _, password := range []string{"views", "raises"} {
		for _, v := range versions {
			t.Run(password+"/"+string(v), func(t *testing.T) {
				o := ownBroker(t)
				got := listen(t, o, "#")
				c, _ := connect(t, mqttd.Options{URL: o.url, Version: v, Password: password, Ack: 2 * time.Second})
				if err := c.Publish(t.Context(), mqttd.Message{Topic: "claude/approval-response", Payload: []byte("{}"), QoS: 1}); err == nil {
					t.Error("the broker took it")
				}
				for {
					if r := within(t, o.refused, "the refusal"); r.topic == "claude/approval-response" {
						break
					}
				}
				for drained := false; !drained; {
					select {
					case m := <-got:
						if !m.Retain {
							t.Errorf("%s came through", m.Topic)
						}
					default:
						drained = true
					}
				}
			})
		}
	}
}

func TestRules(t *testing.T) {
	o := ownBroker(t)
	for _, c := range []struct {
		password, topic string
		write, ok       bool
	}{
		{"answers", "claude/request", true, true},
		{"answers", "claude/approval-response", true, true},
		{"answers", "nod/agent/a1/prompt/set", true, true},
		{"answers", "homeassistant/status", true, true},
		{"answers", "claude/response", true, false},
		{"answers", "nod/status", true, false},
		{"answers", "homeassistant/device/nod/config", true, false},
		{"answers", "other/topic", true, false},
		{"views", "claude/request", true, false},
		{"views", "nod/agent/a1/prompt/set", true, false},
		{"views", "claude/response", false, true},
		{"views", "homeassistant/device/nod/config", false, true},
		{"views", "nod/status", false, true},
		{"views", "claude/request", false, false},
		{"raises", "claude/response", false, false},
	} {
		d, err := raw(t, o, c.password+c.topic, c.password)
		if err != nil {
			t.Fatal(err)
		}
		if got := reaches(t, o, d, c.topic, c.write); got != c.ok {
			t.Errorf("%s, %s, write %v: %v", c.password, c.topic, c.write, got)
		}
		d.Disconnect(0)
	}
}

// reaches tries it: what a device writes must come to the hub, what the hub
// writes must come to the device.
func reaches(t *testing.T, o *own, d mqtt3.Client, topic string, write bool) bool {
	t.Helper()
	if write {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		got := make(chan mqttd.Message, 10)
		if err := o.Subscribe(ctx, topic, func(m mqttd.Message) {
			if !m.Retain {
				got <- m
			}
		}); err != nil {
			t.Fatal(err)
		}
		token := d.Publish(topic, 1, true, "x")
		select {
		case <-got:
			return true
		case <-token.Done():
			select { // the broker confirms before it tells
			case <-got:
				return true
			case <-time.After(50 * time.Millisecond):
				return false
			}
		}
	}
	got := make(chan bool, 1)
	tell := func(arrived bool) {
		select {
		case got <- arrived:
		default: // only the first counts
		}
	}
	sub := d.Subscribe("#", 1, func(_ mqtt3.Client, m mqtt3.Message) {
		if !m.Retained() && (m.Topic() == topic || m.Topic() == "nod/fence") {
			tell(m.Topic() == topic)
		}
	})
	within(t, sub.Done(), "a subscription")
	if s := sub.(*mqtt3.SubscribeToken); s.Result()["#"] == 0x80 {
		return false
	}
	publish(t, o, topic, "x")
	publish(t, o, "nod/fence", "x")
	return within(t, got, "the fence")
}

// Commands are never retained for later subscribers.
func TestOnlyAnnouncementsAreRetained(t *testing.T) {
	o := ownBroker(t)
	for _, topic := range []string{"claude/response", "claude/approval-response", "nod/a/set", "homeassistant/device/a/config", "nod/a/state"} {
		keep(t, o, topic, "x")
	}
	d, err := raw(t, o, "d", "answers")
	if err != nil {
		t.Fatal(err)
	}
	within(t, d.Publish("claude/request", 1, true, "x").Done(), "an ack")
	publish(t, o, "nod/z/state", "") // not kept
	got := listen(t, o, "#")
	within(t, d.Publish("claude/request", 1, false, "fence").Done(), "an ack")
	listened := map[string]bool{}
	for m := within(t, got, "a message"); string(m.Payload) != "fence"; m = within(t, got, "the fence") {
		if m.Retain {
			listened[m.Topic] = true
		}
	}
	for topic, want := range map[string]bool{
		"claude/response": false, "claude/approval-response": false, "claude/request": false, "nod/a/set": false,
		"homeassistant/device/a/config": true, "nod/a/state": true, mqttd.StatusTopic: true,
	} {
		if listened[topic] != want {
			t.Errorf("%s is kept: %v", topic, listened[topic])
		}
	}
}

// The library publishes last wills without an access check: a client must not approve by
// disconnecting.
func TestALastWillNeedsTheRightToItsTopic(t *testing.T) {
	o := ownBroker(t)
	got := listen(t, o, "#")
	d, err := raw(t, o, "dying", "answers", func(c *mqtt3.ClientOptions) { c.SetWill("claude/approval-response", `{"approved":true}`, 1, true) })
	if err != nil {
		t.Fatal(err)
	}
	if r := within(t, o.refused, "the refusal"); r.topic != "claude/approval-response" {
		t.Errorf("refused %q", r.topic)
	}
	birth, err := raw(t, o, "birth", "second", func(c *mqtt3.ClientOptions) { c.SetWill("homeassistant/status", "offline", 1, false) })
	if err != nil {
		t.Fatal(err)
	}
	_ = d
	_ = birth
	o.keys.revoke("answers") // both die without a goodbye
	o.keys.revoke("second")
	for {
		m := within(t, got, "Home Assistant's last will")
		if m.Topic == "claude/approval-response" {
			t.Fatal("the will came through")
		}
		if m.Topic == "homeassistant/status" {
			break
		}
	}
}

func TestARevokedTokenEndsItsConnection(t *testing.T) {
	o := ownBroker(t)
	lost := make(chan error, 1)
	if _, err := raw(t, o, "d", "answers", func(c *mqtt3.ClientOptions) {
		c.SetConnectionLostHandler(func(_ mqtt3.Client, err error) { lost <- err })
	}); err != nil {
		t.Fatal(err)
	}
	o.keys.revoke("answers")
	within(t, lost, "the end of the connection")
}

func TestAClientCannotTakeOverTheSessionOfAnother(t *testing.T) {
	o := ownBroker(t)
	first, err := raw(t, o, "same", "answers")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := raw(t, o, "same", "views"); err == nil {
		t.Error("another token took the session over")
	}
	if !first.IsConnectionOpen() {
		t.Error("the first was thrown out")
	}
	if _, err := raw(t, o, "same", "answers"); err != nil {
		t.Errorf("its own token may come anew: %v", err)
	}
}

func TestAHugeMessageEndsTheConnection(t *testing.T) {
	o := ownBroker(t)
	got := listen(t, o, "claude/request")
	lost := make(chan error, 1)
	d, err := raw(t, o, "d", "answers", func(c *mqtt3.ClientOptions) {
		c.SetConnectionLostHandler(func(_ mqtt3.Client, err error) { lost <- err })
	})
	if err != nil {
		t.Fatal(err)
	}
	d.Publish("claude/request", 0, false, strings.Repeat("x", 300<<10))
	within(t, lost, "the end of the connection")
	if len(got) > 0 {
		t.Error("it came through")
	}
}

// Bytes that are no MQTT neither crash nor stop the broker.
func TestGarbageFromAClient(t *testing.T) {
	o := ownBroker(t)
	for _, junk := range []string{"GET / HTTP/1.1\r\n\r\n", "\x10\xff\xff\xff\x7f", "\x10\x00", "\x30\x05\x00\x01x", "\x00\x00\x00", "\x10\x0c\x00\x04MQTT\x05\xff\x00\x00\x00\x00"} {
		c, err := net.Dial("tcp", o.url.Host)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = c.Write([]byte(junk))
		_ = c.(*net.TCPConn).CloseWrite()
		_ = c.SetReadDeadline(time.Now().Add(patience))
		for b := make([]byte, 64); ; {
			if _, err := c.Read(b); err != nil {
				break
			}
		}
		_ = c.Close()
	}
	if _, err := raw(t, o, "x", "views"); err != nil {
		t.Errorf("after the garbage: %v", err)
	}
}

// The library is known to panic or deadlock here.
func TestTheBrokerIsClosedWhileClientsConnect(t *testing.T) {
	for range 20 {
		o := ownBroker(t)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				c, err := net.Dial("tcp", o.url.Host)
				if err != nil {
					return
				}
				defer func() { _ = c.Close() }()
				_, _ = c.Write([]byte("\x10\x17\x00\x04MQTT\x04\xc2\x00\x3c\x00\x00\x00\x01u\x00\x06second"))
				_, _ = c.Read(make([]byte, 8))
			})
		}
		closed := make(chan struct{})
		go func() { o.stop(); close(closed) }()
		within(t, closed, "the broker to close")
		all.Wait()
	}
}

func TestABrokerWithTLS(t *testing.T) {
	certificate, pool := selfSigned(t)
	keys := newTokens()
	b := mqttd.NewBroker(mqttd.BrokerOptions{
		Listen: "127.0.0.1:0", Admit: keys.admit, TLS: &tls.Config{Certificates: []tls.Certificate{certificate}},
		Rules: mqttd.Rules{Write: []string{"claude/request"}},
	})
	addr, err := b.Listen()
	if err != nil {
		t.Fatal(err)
	}
	running(t, b.Run)
	got := listen(t, b, "claude/request")
	for _, v := range versions {
		c, _ := connect(t, mqttd.Options{
			URL: &url.URL{Scheme: "mqtts", Host: addr.String()}, Version: v, ClientID: "tls-" + string(v), Password: "answers", TLS: &tls.Config{RootCAs: pool, ServerName: "localhost"},
		})
		publish(t, c, "claude/request", "secret")
		if m := within(t, got, "a message over TLS"); string(m.Payload) != "secret" {
			t.Errorf("got %q", m.Payload)
		}
	}
}
