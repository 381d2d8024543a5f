package mqttd

import (
	"bytes"
	"slices"
	"strings"

	broker "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/packets"
)

// The library looks for what is kept under a filter with wildcards while others
// keep more, without a lock: half a name can be read, and the process ends. So it
// never gets to look; those who come with such a filter are served here.

// keptFor is what is kept under a filter, read under the library's lock.
func keptFor(server *broker.Server, filter string) []packets.Packet {
	var list []packets.Packet
	for topic, pk := range server.Topics.Retained.GetAll() {
		if Matches(filter, topic) {
			list = append(list, pk)
		}
	}
	slices.SortFunc(list, func(a, b packets.Packet) int { return strings.Compare(a.TopicName, b.TopicName) })
	return list
}

// How a client wants what is kept (MQTT 5, 3.8.3.1).
const (
	keptIfNew = 1
	keptNever = 2
)

func wild(filter string) bool {
	return strings.ContainsAny(filter, "+#") && !broker.IsSharedFilter(filter) // a shared one never gets what is kept
}

// OnSubscribe keeps the library from looking.
func (g *guard) OnSubscribe(cl *broker.Client, pk packets.Packet) packets.Packet {
	asked := pk.Filters // OnPacketProcessed gets the same ones
	pk.Filters = slices.Clone(asked)
	for i, sub := range asked {
		if !wild(sub.Filter) {
			continue
		}
		if _, had := cl.State.Subscriptions.Get(sub.Filter); had && sub.RetainHandling == keptIfNew {
			asked[i].RetainHandling = keptNever
		}
		pk.Filters[i].RetainHandling = keptNever
	}
	return pk
}

// OnPacketProcessed serves what is kept, after the client knows that it is subscribed.
func (g *guard) OnPacketProcessed(cl *broker.Client, pk packets.Packet, err error) {
	if err != nil || pk.FixedHeader.Type != packets.Subscribe {
		return
	}
	for _, sub := range pk.Filters {
		if _, granted := cl.State.Subscriptions.Get(sub.Filter); !granted || !wild(sub.Filter) || sub.RetainHandling == keptNever {
			continue
		}
		for _, kept := range keptFor(g.server, sub.Filter) {
			if g.OnACLCheck(cl, kept.TopicName, false) {
				g.serveKept(cl, sub, kept)
			}
		}
	}
}

// latest is how often something that changes meanwhile is looked at again.
const latest = 8

// serveKept sends one message. It goes around the queue of the client, so a newer
// one may have gone before it: the last word is the newest.
func (g *guard) serveKept(cl *broker.Client, sub packets.Subscription, kept packets.Packet) {
	for range latest {
		if err := sendKept(cl, sub, kept); err != nil {
			return
		}
		now, _ := g.server.Topics.Retained.Get(kept.TopicName) // nothing, if it was taken away
		if bytes.Equal(now.Payload, kept.Payload) {
			return
		}
		kept.Payload = now.Payload
	}
}

func sendKept(cl *broker.Client, sub packets.Subscription, kept packets.Packet) error {
	out := kept.Copy(false)
	out.FixedHeader.Retain = true
	out.FixedHeader.Qos = min(out.FixedHeader.Qos, sub.Qos, 1)
	if sub.Identifier > 0 {
		out.Properties.SubscriptionIdentifier = []int{sub.Identifier}
	}
	// More than the client can hold goes without a receipt.
	if room := int(cl.Properties.Props.ReceiveMaximum); room > 0 && cl.State.Inflight.Len() >= room {
		out.FixedHeader.Qos = 0
	}
	if out.FixedHeader.Qos > 0 {
		id, err := cl.NextPacketID()
		if err != nil {
			return err
		}
		out.PacketID = uint16(id)
		cl.State.Inflight.Set(out)
		cl.State.Inflight.DecreaseSendQuota()
	}
	return cl.WritePacket(out)
}
