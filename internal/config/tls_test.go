package config

import (
	"strings"
	"testing"
)

func TestOneCertificateAtATime(t *testing.T) {
	for text, want := range map[string]string{
		`own = true`:                 "",
		`cert = "c"` + "\nkey=\"k\"": "",
		`acme = ["nod.example.org", "Nod.Example.COM"]` + "\nacme_email=\"a@example.org\"": "",
		`acme = ["nod.example.org"]` + "\nacme_directory=\"https://ca.lan/acme\"":          "",
		`acme = ["nod.example.org"]` + "\nacme_directory=\"http://127.0.0.1:1/d\"":         "",
		`cert = "c"`:                                                        "belong together",
		`own = true` + "\ncert=\"c\"\nkey=\"k\"":                            "choose",
		`own = true` + "\nacme=[\"nod.example.org\"]":                       "choose",
		`cert = "c"` + "\nkey=\"k\"\nacme=[\"nod.example.org\"]":            "choose",
		`acme_email = "a@example.org"`:                                      "without tls.acme",
		`acme = ["nod.example.org"]` + "\nacme_email=\"anna\"":              "no mail address",
		`acme = ["nod.example.org"]` + "\nacme_directory=\"http://ca.lan\"": "https://",
		`acme = ["desk"]`:                                                   "tls.own",
		`acme = ["desk.local"]`:                                             "tls.own",
		`acme = ["192.168.1.20"]`:                                           "tls.own",
		`acme = ["::1"]`:                                                    "tls.own",
		`acme = ["*.example.org"]`:                                          "tls.own",
		`acme = ["https://nod.example.org"]`:                                "tls.own",
		`own = "yes"`:                                                       "line 2",
	} {
		_, _, err := Load(write(t, "[tls]\n"+text), true, env(nil))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestTLSFromTheEnvironment(t *testing.T) {
	c, _, err := Load("/nowhere/nod.toml", false, env(map[string]string{"NOD_TLS_OWN": "1"}))
	if err != nil || !c.TLS.Own {
		t.Error(c.TLS, err)
	}
	if _, _, err := Load("/nowhere/nod.toml", false, env(map[string]string{"NOD_TLS_OWN": "perhaps"})); err == nil || !strings.Contains(err.Error(), "NOD_TLS_OWN") {
		t.Error(err)
	}
	c, _, err = Load("/nowhere/nod.toml", false, env(map[string]string{"NOD_TLS_ACME": "nod.example.org, hub.example.org", "NOD_TLS_ACME_EMAIL": "a@b.c"}))
	if err != nil || len(c.TLS.ACME) != 2 || c.TLS.ACMEEmail != "a@b.c" {
		t.Error(c.TLS, err)
	}
}
