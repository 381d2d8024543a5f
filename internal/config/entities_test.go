package config

import (
	"strings"
	"testing"
	"time"
)

func TestEntitiesRefuseNonsense(t *testing.T) {
	if err := defaultEntities().check(); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*Entities){
		"entities.content": func(c *Entities) { c.Content = "some" },
		"entities.keep":    func(c *Entities) { c.Keep = time.Millisecond },
		"entities.prefix":  func(c *Entities) { c.Prefix = "home/#" },
	} {
		c := defaultEntities()
		if change(&c); c.check() == nil || !strings.Contains(c.check().Error(), want) {
			t.Errorf("%s: %v", want, c.check())
		}
	}
}
