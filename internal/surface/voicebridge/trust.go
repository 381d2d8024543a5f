package voicebridge

import (
	"net/netip"
	"strings"

	"nod/internal/net/httpd"
	"nod/internal/present/words"
)

// Trusted lets callers from some networks use this surface without a credential.
func Trusted(networks []netip.Prefix) httpd.Trust {
	return httpd.Trust{Networks: networks, Paths: ours, Name: words.In(words.English).Say(words.VoiceHome), Via: "voice"}
}

func ours(path string) bool {
	for _, begin := range []string{"/api/voice/", "/api/respond/", "/api/focus/", "/api/agents/"} {
		if strings.HasPrefix(path, begin) {
			return true
		}
	}
	return path == streamPath || path == "/api/projects" || path == "/api/personas/active"
}
