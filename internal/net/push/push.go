// Package push implements Web Push: messages that only one browser can read (RFC 8291), a signature that tells the
// push service who sends (RFC 8292), and delivery to the push service (RFC 8030). It knows nothing of requests or
// agents; it also holds the port for storing subscribers.
package push

import (
	"crypto/ecdh"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// Subscription is the address of one browser and the keys that let only it read messages.
type Subscription struct {
	Endpoint string `json:"endpoint"`
	P256DH   []byte `json:"p256dh"` // the browser's public key, 65 bytes
	Auth     []byte `json:"auth"`   // a 16-byte secret shared by the browser and us
}

// Message is one message for a browser.
type Message struct {
	Payload []byte
	TTL     time.Duration // how long the push service keeps it for an offline browser
	Urgency Urgency
	Topic   string // a newer message replaces an undelivered one of the same topic
}

// Urgency tells the push service what is worth waking a sleeping phone for.
type Urgency string

const (
	Normal Urgency = "normal"
	High   Urgency = "high"
)

// Topic makes a topic of any text: 32 characters that push services accept and that reveal nothing.
func Topic(of string) string {
	sum := sha256.Sum256([]byte(of))
	return base64.RawURLEncoding.EncodeToString(sum[:24])
}

const longestEndpoint = 2048

// Check explains what is wrong with a subscription. private allows push services on the local network, and plain HTTP
// to this machine.
func (s Subscription) Check(private bool) error {
	if len(s.Endpoint) > longestEndpoint {
		return fmt.Errorf("the endpoint is longer than %d characters", longestEndpoint)
	}
	u, err := url.Parse(s.Endpoint)
	switch {
	case err != nil, u.Hostname() == "", u.Opaque != "":
		return errors.New("the endpoint is no address of a push service")
	case u.User != nil, u.Fragment != "":
		return errors.New("the endpoint holds a user or a fragment, which no push service does")
	}
	if err := checkPlace(u, private); err != nil {
		return err
	}
	if _, err := ecdh.P256().NewPublicKey(s.P256DH); err != nil {
		return errors.New("the key p256dh is no point of P-256 (65 bytes in base64url)")
	}
	if len(s.Auth) != authLength {
		return fmt.Errorf("the secret auth has %d bytes, not %d", len(s.Auth), authLength)
	}
	return nil
}

// checkPlace is the early check with a friendly message; guard checks every address that is actually dialled.
func checkPlace(u *url.URL, private bool) error {
	host := u.Hostname()
	ip, err := netip.ParseAddr(host)
	literal := err == nil
	loopback := literal && ip.IsLoopback() || strings.EqualFold(host, "localhost")
	switch {
	case u.Scheme == "http" && private && loopback:
		return nil
	case u.Scheme != "https":
		return errors.New("the endpoint must be https")
	case private:
		return nil
	case loopback || literal && !public(ip):
		return errPrivate
	}
	return nil
}

// origin is the audience of a signature: scheme and host, and the port unless it is the default.
func origin(endpoint string) (string, error) {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" {
		return "", errors.New("the endpoint is no address")
	}
	host := strings.ToLower(u.Host)
	if u.Scheme == "https" {
		host = strings.TrimSuffix(host, ":443")
	}
	return u.Scheme + "://" + host, nil
}
