package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestAdviseAsksNoModelUnlessOneIsNamed(t *testing.T) {
	if d := Default().Advise; d.Model != "" || d.PerHour == 0 || d.Timeout == 0 {
		t.Errorf("%+v", d)
	}
	file := filepath.Join(t.TempDir(), "nod.toml")
	load := func(text string) (Config, error) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, _, err := Load(file, true, func(string) string { return "" })
		return c, err
	}
	c, err := load("[advise]\nmodel = \"haiku\"\nper_hour = 5\ntimeout = \"7s\"\n[keyboard]\napplescript = true\n")
	if err != nil || c.Advise != (Advise{"haiku", 5, 7 * time.Second}) || !c.Keyboard.AppleScript {
		t.Errorf("%+v, %v", c.Advise, err)
	}
	for _, text := range []string{"per_hour = -1", "timeout = \"0s\"", "timeout = \"1h\""} {
		if _, err := load("[advise]\n" + text + "\n"); err == nil || !strings.Contains(err.Error(), "advise.") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
