package push

import (
	"strings"
	"testing"
	"time"
)

func TestContactsThatAppleWouldRefuse(t *testing.T) {
	for contact, good := range map[string]bool{
		"mailto:anna@example.org":                    true,
		"https://example.org/nod":                    true,
		"https://desk.example.org:8742":              true,
		"mailto:nod@localhost":                       false,
		"mailto:nod@desk.local":                      false,
		"mailto:nod@nod.invalid":                     false,
		"https://localhost":                          false,
		"https://localhost.:8742/":                   false,
		"https://192.168.1.4":                        false,
		"https://[::1]":                              false,
		"http://example.org":                         false,
		"anna@example.org":                           false,
		"mailto:Anna <anna@example.org>":             false,
		"mailto: anna@example.org":                   false,
		"mailto:":                                    false,
		"":                                           false,
		"https://anna:secret@example.org":            false,
		"mailto:anna@example.org,bert@example.local": false,
	} {
		if err := CheckContact(contact); (err == nil) != good {
			t.Errorf("%q: %v", contact, err)
		}
	}
}

func TestSignatureIsReusedUntilItsLastHour(t *testing.T) {
	now := time.Date(2026, 3, 1, 6, 0, 0, 0, time.UTC)
	s := signerAt(t, &now)
	sign := func(endpoint string) string {
		t.Helper()
		header, err := s.authorization(endpoint)
		if err != nil {
			t.Fatal(err)
		}
		return header
	}
	first := sign("https://a.example/push/1")
	if sign("https://A.example:443/push/2") != first {
		t.Error("another endpoint of the same origin was signed anew")
	}
	if sign("https://b.example/push/1") == first || sign("https://a.example:8443/") == first {
		t.Error("another origin got the same signature")
	}
	now = now.Add(signatureLife - signatureRest)
	if sign("https://a.example/") != first {
		t.Error("signed anew although an hour is left")
	}
	now = now.Add(time.Second)
	second := sign("https://a.example/")
	if second == first {
		t.Error("a signature in its last hour was used")
	}
	now = now.Add(-24 * time.Hour) // a clock that was set right
	if sign("https://a.example/") == second {
		t.Error("a signature from the future was used: it would be valid for longer than a day")
	}
	s.forget("https://a.example/push/1")
	if len(s.signed) != 2 {
		t.Errorf("%d signatures, want 2", len(s.signed))
	}
}

func TestManyAudiencesDoNotFillTheMemory(t *testing.T) {
	now := time.Now()
	s := signerAt(t, &now)
	for i := range 3 * maxSignatures {
		if _, err := s.authorization("https://" + strings.Repeat("x", i+1) + ".example/"); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.signed) > maxSignatures {
		t.Errorf("%d signatures are kept", len(s.signed))
	}
}

func signerAt(t *testing.T, now *time.Time) *Signer {
	t.Helper()
	key, err := NewKey()
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSigner(key, "mailto:anna@example.org", func() time.Time { return *now })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestInvalidKey(t *testing.T) {
	for _, key := range [][]byte{nil, {1, 2, 3}, make([]byte, 32)} {
		if _, err := NewSigner(key, "mailto:anna@example.org", time.Now); err == nil {
			t.Errorf("%x was accepted", key)
		}
	}
}
