package mqttd_test

import (
	"fmt"
	"net"
	"net/url"
	"strconv"
	"sync"
	"testing"

	"nod"
	"nod/internal/net/mqttd"
)

// Over Mosquitto and over nod's own broker, in both versions, a message arrives
// as it was sent.
func TestAMessageArrives(t *testing.T) {
	for _, v := range versions {
		t.Run("mosquitto/"+string(v), func(t *testing.T) {
			m := startMosquitto(t)
			a, _ := connect(t, mqttd.Options{URL: m.URL(), Version: v, ClientID: "a"})
			b, _ := connect(t, mqttd.Options{URL: m.URL(), Version: v, ClientID: "b"})
			carry(t, a, b)
		})
		t.Run("own/"+string(v), func(t *testing.T) {
			o := ownBroker(t)
			b, _ := connect(t, mqttd.Options{URL: o.url, Version: v, Password: "answers", Username: "any"})
			carry(t, o, b)
		})
	}
}

func carry(t *testing.T, hub, device mqttd.Bus) {
	t.Helper()
	inbox, outbox := listen(t, hub, "claude/request"), listen(t, device, "claude/response")
	publish(t, hub, "claude/response", `{"type":"approval"}`)
	if m := within(t, outbox, "the response"); string(m.Payload) != `{"type":"approval"}` || m.Topic != "claude/response" {
		t.Errorf("got %q on %s", m.Payload, m.Topic)
	}
	publish(t, device, "claude/request", "hello")
	m := within(t, inbox, "the request")
	if string(m.Payload) != "hello" {
		t.Errorf("got %q", m.Payload)
	}
	if known := m.By.Name == "kitchen"; known != hub.Owned() {
		t.Errorf("published by %q, the bus is owned: %v", m.By.Name, hub.Owned())
	}
}

// After the broker was killed and started again, the client is back with its
// subscriptions. Publishing meanwhile fails with an error.
func TestTheBrokerIsKilledAndComesBack(t *testing.T) {
	for _, v := range versions {
		t.Run(string(v), func(t *testing.T) {
			m := startMosquitto(t)
			c, _ := connect(t, mqttd.Options{URL: m.URL(), Version: v})
			got := listen(t, c, "claude/#")
			m.Kill()
			awaitUp(t, c, false)
			err := c.Publish(t.Context(), mqttd.Message{Topic: "claude/x", QoS: 1})
			if nod.CodeOf(err) != nod.Unavailable {
				t.Errorf("publishing to a broker that is away: %v", err)
			}
			m.Begin()
			awaitUp(t, c, true)
			other, _ := connect(t, mqttd.Options{URL: m.URL(), ClientID: "other"})
			publish(t, other, "claude/request", "again")
			if m := within(t, got, "a message after the restart"); string(m.Payload) != "again" {
				t.Errorf("got %q", m.Payload)
			}
		})
	}
}

// Messages that come while the hub is away are delivered when it is back, all and in order.
func TestTenThousandMessagesAreQueued(t *testing.T) {
	for _, v := range versions {
		t.Run(string(v), func(t *testing.T) {
			m := startMosquitto(t)
			_, stop := subscribed(t, m.URL(), v)
			stop()
			sender, _ := connect(t, mqttd.Options{URL: m.URL(), ClientID: "sender"})
			const all = 10_000
			for i := range all {
				publish(t, sender, "claude/request", strconv.Itoa(i))
			}
			got, _ := subscribed(t, m.URL(), v)
			for i := range all {
				if m := within(t, got, "message %d", i); string(m.Payload) != strconv.Itoa(i) {
					t.Fatalf("message %d is %s", i, m.Payload)
				}
			}
		})
	}
}

// A message that comes before a surface has subscribed is delivered when it has.
func TestEarlyMessagesAreDeliveredLater(t *testing.T) {
	o := ownBroker(t)
	c, _ := connect(t, mqttd.Options{URL: o.url, Password: "answers"})
	fence := listen(t, o, "claude/approval-response")
	publish(t, c, "claude/request", "early")
	publish(t, c, "claude/approval-response", "x")
	within(t, fence, "the fence")
	if m := within(t, listen(t, o, "claude/request"), "what came early"); string(m.Payload) != "early" {
		t.Errorf("got %q", m.Payload)
	}
}

// subscribed is a client that subscribed before it connected, as a surface does.
func subscribed(t *testing.T, u *url.URL, v mqttd.Version) (<-chan mqttd.Message, func()) {
	t.Helper()
	c, err := mqttd.NewClient(mqttd.Options{URL: u, Version: v, ClientID: "hub", Log: logOf(t)})
	if err != nil {
		t.Fatal(err)
	}
	got := listen(t, c, "claude/request")
	stop := running(t, c.Run)
	awaitUp(t, c, true)
	return got, stop
}

// When the hub vanishes, its last will says so; when it leaves, it says so itself.
func TestTheStatusIsPublished(t *testing.T) {
	for _, v := range versions {
		t.Run(string(v), func(t *testing.T) {
			m := startMosquitto(t)
			watcher, _ := connect(t, mqttd.Options{URL: m.URL(), ClientID: "watcher"})
			proxy := newProxy(t, m.Address())
			_, stop := connect(t, mqttd.Options{URL: proxy.url(), Version: v, ClientID: "hub", Status: mqttd.StatusTopic})
			status := listen(t, watcher, mqttd.StatusTopic)
			expect := func(want string) {
				t.Helper()
				for string(within(t, status, "status %s", want).Payload) != want {
				}
			}
			expect(mqttd.Online)
			proxy.cut()
			expect(mqttd.Offline)
			expect(mqttd.Online) // it came back
			stop()
			expect(mqttd.Offline)
		})
	}
}

// A connection on which nothing arrives any more is noticed and replaced.
func TestAHalfOpenConnectionIsNoticed(t *testing.T) {
	for _, v := range versions {
		t.Run(string(v), func(t *testing.T) {
			m := startMosquitto(t)
			proxy := newProxy(t, m.Address())
			c, _ := connect(t, mqttd.Options{URL: proxy.url(), Version: v, KeepAlive: 1e9, Ack: 1e9})
			got := listen(t, c, "claude/#")
			proxy.freeze()
			err := c.Publish(t.Context(), mqttd.Message{Topic: "claude/x", QoS: 1})
			if nod.CodeOf(err) != nod.Unavailable {
				t.Errorf("publishing into silence: %v", err)
			}
			awaitUp(t, c, false)
			proxy.thaw()
			awaitUp(t, c, true)
			other, _ := connect(t, mqttd.Options{URL: m.URL(), ClientID: "other"})
			publish(t, other, "claude/request", "alive")
			for string(within(t, got, "a message after the silence").Payload) != "alive" {
			}
		})
	}
}

// A handler that hangs holds up neither the connection nor another handler.
func TestASlowHandlerDoesNotBlockOthers(t *testing.T) {
	o := ownBroker(t)
	c, _ := connect(t, mqttd.Options{URL: o.url, Password: "answers"})
	hang := make(chan struct{})
	defer close(hang)
	if err := o.Subscribe(t.Context(), "claude/request", func(mqttd.Message) { <-hang }); err != nil {
		t.Fatal(err)
	}
	got := listen(t, o, "claude/request")
	for i := range 100 {
		publish(t, c, "claude/request", fmt.Sprint(i))
		within(t, got, "message %d", i)
	}
}

// proxy forwards a connection and can cut it or let it go silent.
type proxy struct {
	l      net.Listener
	to     string
	mu     sync.Mutex
	frozen bool
	conns  []net.Conn
	wake   *sync.Cond
}

func newProxy(t testing.TB, to string) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{l: l, to: to}
	p.wake = sync.NewCond(&p.mu)
	go p.serve()
	t.Cleanup(func() { _ = l.Close(); p.thaw(); p.cut() })
	return p
}

func (p *proxy) url() *url.URL { return &url.URL{Scheme: "mqtt", Host: p.l.Addr().String()} }

func (p *proxy) serve() {
	for {
		in, err := p.l.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", p.to)
		if err != nil {
			_ = in.Close()
			continue
		}
		p.mu.Lock()
		p.conns = append(p.conns, in, out)
		p.mu.Unlock()
		go p.pump(in, out)
		go p.pump(out, in)
	}
}

func (p *proxy) pump(from, to net.Conn) {
	defer func() { _ = from.Close(); _ = to.Close() }()
	buf := make([]byte, 4096)
	for {
		n, err := from.Read(buf)
		p.mu.Lock()
		for p.frozen {
			p.wake.Wait()
		}
		p.mu.Unlock()
		if n > 0 {
			if _, err := to.Write(buf[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func (p *proxy) freeze() { p.mu.Lock(); p.frozen = true; p.mu.Unlock() }

func (p *proxy) thaw() { p.mu.Lock(); p.frozen = false; p.mu.Unlock(); p.wake.Broadcast() }

func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.conns {
		_ = c.Close()
	}
	p.conns = nil
}
