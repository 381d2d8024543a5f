package config

import (
	"strings"
	"testing"
)

func TestPasskeysAreOffUntilALevelIsNamed(t *testing.T) {
	c, _, err := Load(write(t, ""), true, env(nil))
	if err != nil || len(c.Passkey.Required) != 0 {
		t.Errorf("%+v, %v", c.Passkey, err)
	}
	c, list, err := Load(write(t, "[passkey]\nrequired = [\"destructive\", \"secret\"]\n"), true, env(nil))
	if err != nil || len(c.Passkey.Required) != 2 {
		t.Fatalf("%+v, %v", c.Passkey, err)
	}
	for _, s := range list {
		if s.Key == "passkey.required" && s.Value != "destructive,secret" {
			t.Errorf("%+v", s)
		}
	}
	_, _, err = Load(write(t, "[passkey]\nrequired = [\"dangerous\"]\n"), true, env(nil))
	if err == nil || !strings.Contains(err.Error(), `"dangerous" is no level of risk`) {
		t.Error(err)
	}
}
