package mqttd_test

import (
	"fmt"
	"strconv"
	"sync"
	"testing"

	"nod/internal/net/mqttd"
)

func keep(t testing.TB, b mqttd.Bus, topic, text string) {
	t.Helper()
	if err := b.Publish(t.Context(), mqttd.Message{Topic: topic, Payload: []byte(text), QoS: 1, Retain: true}); err != nil {
		t.Fatalf("publish to %s: %v", topic, err)
	}
}

// A subscriber with a wildcard that comes while retained messages change ends with the
// newest of each, in this process and outside.
func TestWildcardsWhileRetainedMessagesChange(t *testing.T) {
	const topics, changes, guests = 5, 40, 8
	for _, v := range versions {
		t.Run(string(v), func(t *testing.T) {
			o := ownBroker(t)
			newest := map[string]string{}
			for i := range topics {
				newest[fmt.Sprintf("nod/lamp/%d/state", i)] = strconv.Itoa(changes - 1)
			}
			var all sync.WaitGroup
			all.Go(func() {
				for n := range changes {
					for topic := range newest {
						keep(t, o, topic, strconv.Itoa(n))
					}
				}
			})
			var inboxes []<-chan mqttd.Message
			for g := range guests {
				listen(t, o, "nod/#")
				c, _ := connect(t, mqttd.Options{URL: o.url, Version: v, Password: "views", ClientID: fmt.Sprint("guest-", g)})
				inboxes = append(inboxes, listen(t, c, []string{"nod/#", "nod/+/+/state", "#"}[g%3]))
			}
			all.Wait()
			for _, inbox := range inboxes {
				last := map[string]string{}
				read := func() { m := within(t, inbox, "the newest, after %v", last); last[m.Topic] = string(m.Payload) }
				newestYet := func() bool {
					for topic, text := range newest {
						if last[topic] != text {
							return false
						}
					}
					return true
				}
				for !newestYet() {
					read()
				}
				delete(last, "nod/lamp/end/state")
				keep(t, o, "nod/lamp/end/state", "end")
				for last["nod/lamp/end/state"] == "" {
					read()
				}
				if !newestYet() {
					t.Errorf("something older came last: %v", last)
				}
			}
		})
	}
}

// Retained messages are marked, and sent again to a new subscription.
func TestRetainedMessagesAreMarked(t *testing.T) {
	for _, v := range versions {
		t.Run(string(v), func(t *testing.T) {
			o := ownBroker(t)
			keep(t, o, "nod/a/state", "1")
			for range 2 {
				c, leave := connect(t, mqttd.Options{URL: o.url, Version: v, Password: "views", ClientID: "guest"})
				if m := within(t, listen(t, c, "+/a/#"), "what is kept"); m.Topic != "nod/a/state" || string(m.Payload) != "1" || !m.Retain {
					t.Errorf("got %+v", m)
				}
				leave()
			}
		})
	}
}
