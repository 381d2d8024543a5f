package homeassistant

import (
	"strings"
	"testing"
)

func TestConfigCheck(t *testing.T) {
	good := defaults()
	if err := good.Check(); err != nil {
		t.Errorf("nothing is configured: %v", err)
	}
	good.URL, good.TokenFile = "http://homeassistant.local:8123", "/run/token"
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	for says, harm := range map[string]func(*Config){
		"token_file is not":     func(c *Config) { c.TokenFile = "" },
		"no address":            func(c *Config) { c.URL = "homeassistant.local:8123" },
		"without a name":        func(c *Config) { c.URL = "http://anna:secret@homeassistant.local" },
		"speaks en, pl and ja":  func(c *Config) { c.Language = "de" },
		"homeassistant.allow":   func(c *Config) { c.Allow = []string{"kubectl"} },
		"choose \"volume\" (tu": func(c *Config) { c.Dial = "wheel" },
	} {
		c := good
		harm(&c)
		err := c.Check()
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v does not say %q", err, says)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("a password is told: %v", err)
		}
	}
}

func defaults() (c Config) {
	c.Defaults()
	return c
}
