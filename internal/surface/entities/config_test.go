package entities

import (
	"strings"
	"testing"
	"time"
)

func TestConfigCheck(t *testing.T) {
	if err := defaults().Check(); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*Config){
		"entities.content": func(c *Config) { c.Content = "some" },
		"entities.keep":    func(c *Config) { c.Keep = time.Millisecond },
		"entities.prefix":  func(c *Config) { c.Prefix = "home/#" },
	} {
		c := defaults()
		if change(&c); c.Check() == nil || !strings.Contains(c.Check().Error(), want) {
			t.Errorf("%s: %v", want, c.Check())
		}
	}
}

func defaults() (c Config) {
	c.Defaults()
	return c
}
