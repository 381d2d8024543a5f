package notify

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"nod"
)

// Item is one note that a channel should show now. Items with the same key and version have the same text.
type Item struct {
	Key      string
	Version  string
	Requests []*nod.Request // pending, oldest first
	News     *News
	Trouble  string // the failing channel
}

// A burst is this many requests within this time; they become one note.
const (
	burstSize = 5
	burstTime = 10 * time.Second
)

// AllKey is the key of the note that stands for many.
const AllKey = "all"

// AgentKey is the key of an agent's note: a channel shows one per agent at a time.
func AgentKey(id nod.AgentID) string { return "agent:" + string(id) }

// Plan is what a channel should show: waits are the requests that have reached it, oldest first. together says that
// they already share one note; they keep it until one is left, because splitting it would send a pile of old news.
func Plan(waits []*nod.Request, news []News, troubles []string, together bool) []Item {
	var items []Item
	taken := map[string]bool{}
	if len(waits) > 1 && (together || Burst(waits)) {
		items = append(items, Item{Key: AllKey, Version: versionOf(waits), Requests: waits})
		for _, r := range waits {
			taken[AgentKey(r.Agent.ID)] = true
		}
	} else {
		items = byAgent(waits)
		for _, i := range items {
			taken[i.Key] = true
		}
	}
	for _, name := range troubles {
		items = append(items, Item{Key: "trouble:" + name, Version: "trouble", Trouble: name})
	}
	for _, n := range news {
		if key := AgentKey(n.Agent.ID); !taken[key] { // pending requests are more important
			items = append(items, Item{Key: key, Version: string(n.Kind) + ":" + strconv.FormatUint(uint64(n.Seq), 10), News: &n})
		}
	}
	return items
}

func byAgent(waits []*nod.Request) []Item {
	var items []Item
	for _, r := range waits {
		key := AgentKey(r.Agent.ID)
		i := slices.IndexFunc(items, func(it Item) bool { return it.Key == key })
		if i < 0 {
			items = append(items, Item{Key: key})
			i = len(items) - 1
		}
		items[i].Requests = append(items[i].Requests, r)
	}
	for i := range items {
		items[i].Version = versionOf(items[i].Requests)
	}
	return items
}

func versionOf(waits []*nod.Request) string {
	ids := make([]string, len(waits))
	for i, r := range waits {
		ids[i] = string(r.ID)
	}
	return strings.Join(ids, " ")
}

// Burst reports whether so many requests came in so short a time that separate notes would only be noise.
func Burst(waits []*nod.Request) bool {
	for i := burstSize - 1; i < len(waits); i++ {
		if waits[i].AskedAt.Sub(waits[i-burstSize+1].AskedAt) <= burstTime {
			return true
		}
	}
	return false
}
