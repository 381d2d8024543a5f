package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/webauthn"

	"nod"
)

// A browser's own authenticator, not one of ours, makes a passkey and confirms
// with it what is dangerous.
func TestPasskey(t *testing.T) {
	t.Parallel()
	for name, options := range map[string]webauthn.VirtualAuthenticatorOptions{
		"of a phone, backed up": {Transport: webauthn.AuthenticatorTransportInternal, DefaultBackupEligibility: true, DefaultBackupState: true},
		"on a security key":     {Transport: webauthn.AuthenticatorTransportUsb, Ctap2version: webauthn.Ctap2versionCtap21},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHub(t, "[passkey]", `required = ["destructive"]`)
			h.url = strings.Replace(h.url, "127.0.0.1", "localhost", 1) // a passkey needs a name
			p := open(t, h, Desktop)
			p.Accept("403") // until a passkey has confirmed it
			send(p, webauthn.Enable, webauthn.EnableParams{})
			options.Protocol, options.HasResidentKey, options.HasUserVerification = webauthn.AuthenticatorProtocolCtap2, true, true
			options.IsUserVerified, options.AutomaticPresenceSimulation = true, true
			send(p, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &options})

			p.Tap("link", "Settings")
			p.Tap("button", "Add a passkey")
			p.Tap("button", "Go on")
			p.See("The passkey is ready.")
			p.Tap("link", "Inbox")
			q := h.agent("shop").bash("rm -rf build")
			h.request(q.id, "shown", reached(nod.StepShown))
			p.Hold("button", "Allow")
			q.allowed()
			p.Tap("link", "Settings")
			p.See("last used")
		})
	}
}
