package passkey

import (
	"encoding/base64"
	"encoding/json"
	"strings"
)

// Bytes are written as base64url without padding, as WebAuthn does in JSON.
type Bytes []byte

// MarshalText implements encoding.TextMarshaler.
func (b Bytes) MarshalText() ([]byte, error) {
	return base64.RawURLEncoding.AppendEncode(nil, b), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (b *Bytes) UnmarshalText(text []byte) (err error) {
	*b, err = base64.RawURLEncoding.DecodeString(strings.TrimRight(string(text), "="))
	return err
}

// clientData is what the browser says about a ceremony; the authenticator signs
// its hash.
type clientData struct {
	Type        string `json:"type"`
	Challenge   string `json:"challenge"`
	Origin      string `json:"origin"`
	CrossOrigin bool   `json:"crossOrigin"`
	TopOrigin   string `json:"topOrigin"`
}

func parseClientData(b []byte) (clientData, error) {
	var c clientData
	if err := json.Unmarshal(b, &c); err != nil {
		return c, refuse(Wrong, "client data: %s", err)
	}
	return c, nil
}

// check: the browser did this very thing on our own page, and no other page had
// put ours into a frame.
func (c clientData) check(kind string, site Site) error {
	switch {
	case c.Type != kind:
		return refuse(Wrong, "the browser did %q, not %q", c.Type, kind)
	case c.Origin != site.Origin || c.CrossOrigin || c.TopOrigin != "":
		return refuse(Foreign, "made on %q (in a frame: %v), not on %q", c.Origin, c.CrossOrigin, site.Origin)
	}
	return nil
}
