package mqttd

import (
	"context"
	"sync"
	"time"

	broker "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/packets"

	"nod"
)

// guard is asked by the broker who may come in, read and write, and tells this
// process what was written, and by whom.
type guard struct {
	broker.HookBase
	o       BrokerOptions
	deliver func(Message)
	life    context.Context
	server  *broker.Server

	mu       sync.Mutex
	sessions map[*broker.Client]*session // by connection: an id can be taken over
}

// session is one client that was let in.
type session struct {
	id    string
	who   nod.Actor
	leave func()
	ended bool
	told  time.Time // when its last refusal was told
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

// longestSilence is how long a client may say nothing before it counts as gone.
const longestSilence = 120

func (g *guard) OnConnect(cl *broker.Client, _ packets.Packet) error {
	if cl.Properties.ProtocolVersion == 5 && (cl.State.Keepalive == 0 || cl.State.Keepalive > longestSilence) {
		cl.State.Keepalive, cl.State.ServerKeepalive = longestSilence, true
	}
	return nil
}

// OnConnectAuthenticate lets in who has a token for the whole house.
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
	if !g.enter(cl, &session{id: cl.ID, who: who, leave: leave}) {
		leave()
		g.o.Log.Warn("an MQTT client was turned away: another one with the same client id is connected", "client", nod.Visible(cl.ID), "name", who.Name)
		return false
	}
	// The library publishes a last will without asking who may.
	if w := cl.Properties.Will; w.Flag != 0 && (w.TopicName != g.o.Rules.birth() || !g.o.Rules.mayWrite(who, w.TopicName)) {
		cl.Properties.Will = broker.Will{}
		g.refuse(cl, w.TopicName)
	}
	conn := cl.Net.Conn
	context.AfterFunc(in, func() { _ = conn.Close() }) // the library's own way may forget the last will
	return true
}

// enter refuses an id that somebody else uses now: nobody takes over the session
// of another.
func (g *guard) enter(cl *broker.Client, s *session) bool {
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

// OnDisconnect keeps a session that the client will come back to: until then
// messages are kept for it, and what it may read is still asked for.
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

// OnACLCheck is asked before every subscription, every delivery and every publish.
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

// tellAgain is how often one client's refusals are told: a log is no place for
// as many lines as somebody cares to send.
const tellAgain = 5 * time.Second

func (g *guard) refuse(cl *broker.Client, topic string) {
	g.mu.Lock()
	s := g.sessions[cl]
	due := s != nil && time.Since(s.told) >= tellAgain
	if due {
		s.told = time.Now()
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

// OnPublish takes the wish to be kept away from what must not be.
func (g *guard) OnPublish(_ *broker.Client, pk packets.Packet) (packets.Packet, error) {
	if pk.FixedHeader.Retain && !g.o.Rules.mayKeep(pk.TopicName) {
		pk.FixedHeader.Retain = false
	}
	return pk, nil
}

// OnPublished tells this process. What nod published itself is no news to it.
func (g *guard) OnPublished(cl *broker.Client, pk packets.Packet) {
	if who, known := g.who(cl); known && !cl.Net.Inline {
		g.deliver(Message{Topic: pk.TopicName, Payload: pk.Payload, QoS: pk.FixedHeader.Qos, By: who})
	}
}

func (g *guard) OnWillSent(cl *broker.Client, pk packets.Packet) { g.OnPublished(cl, pk) }
