package wyoming

import (
	"net/netip"
	"strings"
	"testing"
	"time"
)

func TestListeningBeyondThisMachineNeedsTrustedNetworks(t *testing.T) {
	for listen, beyond := range map[string]bool{
		"": false, "127.0.0.1:10500": false, "[::1]:10500": false, "localhost:10500": false,
		":10500": true, "0.0.0.0:10500": true, "192.168.1.5:10500": true, "desk:10500": true,
	} {
		c := defaults()
		c.Listen = listen
		if c.Beyond() != beyond {
			t.Errorf("%q beyond: %v", listen, c.Beyond())
		}
		if err := c.Check(); (err != nil) != beyond {
			t.Errorf("%q without trusted networks: %v", listen, err)
		}
		if c.TrustedNetworks = []netip.Prefix{netip.MustParsePrefix("192.168.1.20/32")}; c.Check() != nil {
			t.Errorf("%q: %v", listen, c.Check())
		}
	}
}

func TestInvalidConfigurations(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"wyoming.wait":   func(c *Config) { c.Wait = time.Millisecond },
		"wyoming.name":   func(c *Config) { c.Name = "" },
		"wyoming.listen": func(c *Config) { c.Listen = "10500" },
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
