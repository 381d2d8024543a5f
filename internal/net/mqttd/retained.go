package mqttd

import (
	"bytes"
	"slices"
	"strings"

	broker "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/packets"
)

// The library looks up retained messages for a filter with wildcards without a lock,
// while other clients retain more: it can read half a name, and the process crashes. So
// it never does that here; this file serves such subscriptions.

// retainedFor are the retained messages of a filter, read under the library's lock.
func retainedFor(server *broker.Server, filter string) []packets.Packet {
	var list []packets.Packet
	for topic, pk := range server.Topics.Retained.GetAll() {
		if Matches(filter, topic) {
			list = append(list, pk)
		}
	}
	slices.SortFunc(list, func(a, b packets.Packet) int { return strings.Compare(a.TopicName, b.TopicName) })
	return list
}

// When a client wants retained messages (MQTT 5, 3.8.3.1).
const (
	retainIfNew = 1
	retainNever = 2
)

func hasWildcard(filter string) bool {
	return strings.ContainsAny(filter, "+#") && !broker.IsSharedFilter(filter) // a shared one never gets retained messages
}

// OnSubscribe keeps the library from looking retained messages up.
func (g *guard) OnSubscribe(cl *broker.Client, pk packets.Packet) packets.Packet {
	asked := pk.Filters // OnPacketProcessed gets the same slice
	pk.Filters = slices.Clone(asked)
	for i, sub := range asked {
		if !hasWildcard(sub.Filter) {
			continue
		}
		if _, had := cl.State.Subscriptions.Get(sub.Filter); had && sub.RetainHandling == retainIfNew {
			asked[i].RetainHandling = retainNever
		}
		pk.Filters[i].RetainHandling = retainNever
	}
	return pk
}

// OnPacketProcessed sends retained messages after the client has its SUBACK.
func (g *guard) OnPacketProcessed(cl *broker.Client, pk packets.Packet, err error) {
	if err != nil || pk.FixedHeader.Type != packets.Subscribe {
		return
	}
	for _, sub := range pk.Filters {
		if _, granted := cl.State.Subscriptions.Get(sub.Filter); !granted || !hasWildcard(sub.Filter) || sub.RetainHandling == retainNever {
			continue
		}
		for _, kept := range retainedFor(g.server, sub.Filter) {
			if g.OnACLCheck(cl, kept.TopicName, false) {
				g.serveRetained(cl, sub, kept)
			}
		}
	}
}

// mostResends bounds how often a message that changes meanwhile is sent again.
const mostResends = 8

// serveRetained sends one message. It bypasses the client's queue, so a newer one may
// have been sent before it: it repeats until the newest is the last.
func (g *guard) serveRetained(cl *broker.Client, sub packets.Subscription, kept packets.Packet) {
	for range mostResends {
		if err := sendRetained(cl, sub, kept); err != nil {
			return
		}
		now, _ := g.server.Topics.Retained.Get(kept.TopicName) // empty, if it was removed
		if bytes.Equal(now.Payload, kept.Payload) {
			return
		}
		kept.Payload = now.Payload
	}
}

func sendRetained(cl *broker.Client, sub packets.Subscription, kept packets.Packet) error {
	out := kept.Copy(false)
	out.FixedHeader.Retain = true
	out.FixedHeader.Qos = min(out.FixedHeader.Qos, sub.Qos, 1)
	if sub.Identifier > 0 {
		out.Properties.SubscriptionIdentifier = []int{sub.Identifier}
	}
	// What exceeds the client's receive maximum goes without a receipt.
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
