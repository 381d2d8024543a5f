package voicebridge

import (
	"net/http"
	"net/netip"
	"strings"

	"nod"
	"nod/internal/httpd"
	"nod/internal/words"
)

// Trusted are the networks whose people may use the doors of this surface
// without a credential.
func Trusted(networks []netip.Prefix) httpd.Trust {
	return httpd.Trust{Networks: networks, Doors: ours, Name: words.In(words.English).Say(words.VoiceHome), Via: "voice"}
}

// Neighbours admits people from trusted networks to this surface alone.
func Neighbours(trusted []netip.Prefix, own func() []netip.Addr) func(*http.Request) (nod.Actor, bool) {
	return httpd.Neighbours(own, Trusted(trusted))
}

// OwnAddresses are the addresses of this machine, for Neighbours.
func OwnAddresses() []netip.Addr { return httpd.OwnAddresses() }

func ours(path string) bool {
	return strings.HasPrefix(path, "/api/voice/") || strings.HasPrefix(path, "/api/respond/") || path == "/api/events/stream"
}
