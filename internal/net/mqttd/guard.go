package mqttd

import (
	"context"
	"sync"
	"time"

	broker "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/packets"

	"nod"
)

// guard decides for the broker which clients get in and what they may read and write,
// and hands what they publish to this process, with who did.
type guard struct {
	broker.HookBase
	o       BrokerOptions
	deliver func(Message)
	life    context.Context
	server  *broker.Server

	mu       sync.Mutex
	sessions map[*broker.Client]*session // by connection: a client id can be taken over
}

// session is one authenticated client.
type session struct {
	id        string
	who       nod.Actor
	leave     func()
	ended     bool
	refusedAt time.Time // when a refusal was last reported
}

func (g *guard) ID() string { return "nod" }

func (g *guard) Provides(b byte) bool {
	switch b {
	case broker.OnConnect, broker.OnConnectAuthenticate, broker.OnACLCheck, broker.OnDisconnect, broker.OnClientExpired,
		broker.OnSubscribe, broker.OnPacketProcessed, broker.OnPublish, broker.OnPublished, broker.OnWillSent:
		return true
	}
	return false
}

// longestSilence is the longest keep-alive, in seconds, that a client may choose.
const longestSilence = 120

func (g *guard) OnConnect(cl *broker.Client, _ packets.Packet) error {
	if cl.Properties.ProtocolVersion == 5 && (cl.State.Keepalive == 0 || cl.State.Keepalive > longestSilence) {
		cl.State.Keepalive, cl.State.ServerKeepalive = longestSilence, true
	}
	return nil
}

// OnConnectAuthenticate lets in clients whose token is not limited to one room.
func (g *guard) OnConnectAuthenticate(cl *broker.Client, pk packets.Packet) bool {
	in, who, leave, err := g.o.Admit(g.life, string(pk.Connect.Username), string(pk.Connect.Password))
	if err == nil && who.Room != "" {
		leave()
		err = nod.Errorf(nod.Forbidden, "the token of %s was made for the room %q and opens nothing else", who.Name, who.Room)
	}
	if err != nil {
		g.o.Log.Warn("an MQTT client was turned away: its password must be a token of nod's", "from", cl.Net.Remote, "client", nod.Visible(cl.ID), "err", err)
		return false
	}
	if !g.addSession(cl, &session{id: cl.ID, who: who, leave: leave}) {
		leave()
		g.o.Log.Warn("an MQTT client was turned away: another one with the same client id is connected", "client", nod.Visible(cl.ID), "name", who.Name)
		return false
	}
	// The library publishes a last will without an access check.
	if w := cl.Properties.Will; w.Flag != 0 && (w.TopicName != g.o.Rules.birthTopic() || !g.o.Rules.mayWrite(who, w.TopicName)) {
		cl.Properties.Will = broker.Will{}
		g.refuse(cl, w.TopicName)
	}
	conn := cl.Net.Conn
	context.AfterFunc(in, func() { _ = conn.Close() }) // the library's own way may lose the last will
	return true
}

// addSession refuses a client id that is in use with another token: a client can take
// over only a session of its own.
func (g *guard) addSession(cl *broker.Client, s *session) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for other, old := range g.sessions {
		if old.id != s.id {
			continue
		}
		if old.who.ID != s.who.ID && !other.Closed() {
			return false
		}
		delete(g.sessions, other)
		old.end()
	}
	g.sessions[cl] = s
	return true
}

func (s *session) end() {
	if !s.ended {
		s.ended = true
		s.leave()
	}
}

// OnDisconnect keeps a session that the client may resume: until then messages are
// queued for it, and its rights are still checked.
func (g *guard) OnDisconnect(cl *broker.Client, _ error, expire bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if s := g.sessions[cl]; s != nil {
		s.end()
		if expire {
			delete(g.sessions, cl)
		}
	}
}

func (g *guard) OnClientExpired(cl *broker.Client) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.sessions, cl)
}

func (g *guard) who(cl *broker.Client) (nod.Actor, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if s := g.sessions[cl]; s != nil {
		return s.who, true
	}
	return nod.Actor{}, false
}

// OnACLCheck is called before every subscription, every delivery and every publish.
func (g *guard) OnACLCheck(cl *broker.Client, topic string, write bool) bool {
	if cl.Net.Inline {
		return true
	}
	who, known := g.who(cl)
	if !write {
		return known && g.o.Rules.mayRead(who, topic)
	}
	if known && g.o.Rules.mayWrite(who, topic) {
		return true
	}
	g.refuse(cl, topic)
	return false
}

// refusalInterval limits how often one client's refusals are reported, so that a client
// cannot flood the log.
const refusalInterval = 5 * time.Second

func (g *guard) refuse(cl *broker.Client, topic string) {
	g.mu.Lock()
	s := g.sessions[cl]
	due := s != nil && time.Since(s.refusedAt) >= refusalInterval
	if due {
		s.refusedAt = time.Now()
	}
	g.mu.Unlock()
	if !due {
		return
	}
	topic = nod.Visible(topic[:min(len(topic), 200)])
	g.o.Log.Warn("an MQTT message was refused: this token has no right to that topic", "name", s.who.Name, "topic", topic)
	if g.o.Refused != nil {
		g.o.Refused(s.who, topic)
	}
}

// OnPublish clears the retain flag of messages that must not be retained.
func (g *guard) OnPublish(_ *broker.Client, pk packets.Packet) (packets.Packet, error) {
	if pk.FixedHeader.Retain && !g.o.Rules.mayRetain(pk.TopicName) {
		pk.FixedHeader.Retain = false
	}
	return pk, nil
}

// OnPublished delivers to this process what others published.
func (g *guard) OnPublished(cl *broker.Client, pk packets.Packet) {
	if who, known := g.who(cl); known && !cl.Net.Inline {
		g.deliver(Message{Topic: pk.TopicName, Payload: pk.Payload, QoS: pk.FixedHeader.Qos, By: who})
	}
}

func (g *guard) OnWillSent(cl *broker.Client, pk packets.Packet) { g.OnPublished(cl, pk) }
