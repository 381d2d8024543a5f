package machine

import (
	"encoding/json"
	"strings"
	"testing"

	"nod/internal/config"
	"nod/internal/machine/console"
	"nod/internal/machine/env/envtest"
)

func TestConfigShowsTheSourceOfEachValue(t *testing.T) {
	w := newWorld(t)
	w.Write("data/nod.toml", "answer = \"devices\"\n")
	w.Vars["NOD_LISTEN"] = "127.0.0.1:0"
	page := w.MustRun("config")
	for _, want := range []string{
		"listen 127.0.0.1:0 NOD_LISTEN", "answer devices $DIR/data/nod.toml", "hosts – default", "claude.proof 5s default",
	} {
		if !strings.Contains(strings.Join(strings.Fields(page), " "), want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	var list []config.Setting
	envtest.Must(t, json.Unmarshal([]byte(w.MustRun("config", "--json")), &list))
	if len(list) < 5 || list[0] != (config.Setting{Key: "listen", Value: "127.0.0.1:0", Origin: "NOD_LISTEN"}) {
		t.Errorf("%+v", list)
	}
	w.Write("data/nod.toml", "store = \"postgres://nod:hush@db/nod\"\n")
	if page := w.MustRun("config"); strings.Contains(page, "hush") || !strings.Contains(page, "postgres://nod:xxxxx@db/nod") {
		t.Error(page)
	}
	w.Write("data/nod.toml", "lisen = 1\n")
	if _, err := w.Run("config"); err == nil || !strings.Contains(err.Error(), `did you mean "listen"`) {
		t.Error(err)
	}
}

func TestConfigMasksSecrets(t *testing.T) {
	for key, want := range map[string]string{
		"homeassistant.token": "•••", "mqtt.password": "•••", "keyboard.listen": "x", "tls.key": "x", "listen": "x", "store": "x",
	} {
		if got := console.MaskValue(key, "x"); got != want {
			t.Errorf("%s: %s", key, got)
		}
	}
	for _, address := range []string{"postgres://nod:hush@db/nod", "postgres://nod:hush%zz@db/nod", "postgres://db/nod?user=nod&password=hush", "postgres://db/nod?sslpassword=hush"} {
		if got := console.MaskValue("store", address); strings.Contains(got, "hush") {
			t.Error(got)
		}
	}
	if got := console.MaskValue("store", "postgres://nod@db/nod?sslmode=require"); got != "postgres://nod@db/nod?sslmode=require" {
		t.Error(got)
	}
}
