package config

import (
	"strings"
	"testing"
	"time"
)

func TestWyomingListensBeyondThisMachineOnlyForWhomItTrusts(t *testing.T) {
	for listen, beyond := range map[string]bool{
		"": false, "127.0.0.1:10500": false, "[::1]:10500": false, "localhost:10500": false,
		":10500": true, "0.0.0.0:10500": true, "192.168.1.5:10500": true, "desk:10500": true,
	} {
		c := defaultWyoming()
		c.Listen = listen
		if c.Beyond() != beyond {
			t.Errorf("%q beyond: %v", listen, c.Beyond())
		}
		if err := c.check(); (err != nil) != beyond {
			t.Errorf("%q without trusted networks: %v", listen, err)
		}
		if c.TrustedNetworks = []string{"192.168.1.20/32"}; c.check() != nil {
			t.Errorf("%q: %v", listen, c.check())
		}
	}
}

func TestWyomingRefusesNonsense(t *testing.T) {
	for want, change := range map[string]func(*Wyoming){
		"wyoming.wait":             func(c *Wyoming) { c.Wait = time.Millisecond },
		"wyoming.name":             func(c *Wyoming) { c.Name = "" },
		"wyoming.listen":           func(c *Wyoming) { c.Listen = "10500" },
		"wyoming.trusted_networks": func(c *Wyoming) { c.TrustedNetworks = []string{"home"} },
	} {
		c := defaultWyoming()
		if change(&c); c.check() == nil || !strings.Contains(c.check().Error(), want) {
			t.Errorf("%s: %v", want, c.check())
		}
	}
}
