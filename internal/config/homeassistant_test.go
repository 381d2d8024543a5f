package config

import (
	"strings"
	"testing"
)

func TestAHomeAssistantIsChecked(t *testing.T) {
	good := defaultHomeAssistant()
	if err := good.check(); err != nil {
		t.Errorf("nothing is configured: %v", err)
	}
	good.URL, good.TokenFile = "http://homeassistant.local:8123", "/run/token"
	if err := good.check(); err != nil {
		t.Error(err)
	}
	for says, harm := range map[string]func(*HomeAssistant){
		"token_file is not":     func(c *HomeAssistant) { c.TokenFile = "" },
		"no address":            func(c *HomeAssistant) { c.URL = "homeassistant.local:8123" },
		"without a name":        func(c *HomeAssistant) { c.URL = "http://anna:secret@homeassistant.local" },
		"speaks en, pl and ja":  func(c *HomeAssistant) { c.Language = "de" },
		"choose \"volume\" (tu": func(c *HomeAssistant) { c.Dial = "wheel" },
	} {
		c := good
		harm(&c)
		err := c.check()
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v does not say %q", err, says)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("a password is told: %v", err)
		}
	}
}
