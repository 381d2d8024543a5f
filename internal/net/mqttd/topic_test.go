package mqttd_test

import (
	"testing"

	"nod/internal/net/mqttd"
)

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		filter, topic string
		want          bool
	}{
		{"a", "a", true}, {"a", "b", false}, {"a", "a/b", false}, {"a/b", "a", false},
		{"a/#", "a", true}, {"a/#", "a/b/c", true}, {"a/#", "ab", false}, {"#", "a/b", true}, {"#", "$SYS/x", false}, {"$SYS/#", "$SYS/x", true},
		{"+", "a", true}, {"+", "a/b", false}, {"a/+/c", "a/b/c", true}, {"a/+/c", "a/b/d", false}, {"a/+", "a/", true}, {"+/+", "/", true}, {"a/+/#", "a", false},
	} {
		if got := mqttd.Matches(c.filter, c.topic); got != c.want {
			t.Errorf("%q matches %q: %v", c.filter, c.topic, got)
		}
	}
}

func TestWrongFiltersAreRefused(t *testing.T) {
	b := mqttd.NewBroker(mqttd.BrokerOptions{})
	for _, filter := range []string{"", "a/#/b", "a+", "a/b#", "a\x00"} {
		if err := b.Subscribe(t.Context(), filter, func(mqttd.Message) {}); err == nil {
			t.Errorf("%q was taken", filter)
		}
	}
	for _, topic := range []string{"", "a/+", "#", "a\x00"} {
		if err := mqttd.CheckTopic(topic); err == nil {
			t.Errorf("%q was taken", topic)
		}
	}
}
