package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func env(pairs map[string]string) func(string) string {
	return func(name string) string { return pairs[name] }
}

func write(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "nod.toml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestTheEnvironmentWeighsMoreThanTheFile(t *testing.T) {
	file := write(t, "listen = \"127.0.0.1:1\"\nanswer = \"devices\"\n[claude]\nproof = \"7s\"\n")
	c, list, err := Load(file, true, env(map[string]string{"NOD_LISTEN": "127.0.0.1:2", "NOD_HOSTS": "desk.local, desk", "NOD_CLAUDE_HAND_BACK": "1m"}))
	if err != nil {
		t.Fatal(err)
	}
	if c.Listen != "127.0.0.1:2" || c.Answer != AnswerDevices || c.Claude.Proof != 7*time.Second || c.Claude.HandBack != time.Minute || len(c.Hosts) != 2 {
		t.Errorf("%+v", c)
	}
	got := map[string]string{}
	for _, s := range list {
		got[s.Key] = s.Value + " from " + s.Origin
	}
	for key, want := range map[string]string{
		"listen": "127.0.0.1:2 from NOD_LISTEN", "answer": "devices from " + file, "claude.proof": "7s from " + file, "hosts": "desk.local,desk from NOD_HOSTS",
	} {
		if got[key] != want {
			t.Errorf("%s: %s, want %s", key, got[key], want)
		}
	}
}

func TestMistakesAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"lisen = \"x\"":               `unknown key "lisen"; did you mean "listen"?`,
		"[claude]\nhandback = \"1s\"": `unknown key "claude.handback"; did you mean "claude.hand_back"?`,
		"answer = \"everyone\"":       `neither "local" nor "devices"`,
		"listen = ":                   "line 1",
		"listen = 7":                  "listen",
		"[claude]\nproof = \"soon\"":  "line 2",
	} {
		_, _, err := Load(write(t, text), true, env(nil))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want …%s…", text, err, want)
		}
	}
	if _, _, err := Load("/nowhere/nod.toml", true, env(nil)); err == nil {
		t.Error("a file that was asked for must exist")
	}
	if _, _, err := Load("/nowhere/nod.toml", false, env(nil)); err != nil {
		t.Errorf("the usual file need not exist: %v", err)
	}
	if _, _, err := Load("/nowhere/nod.toml", false, env(map[string]string{"NOD_CLAUDE_PROOF": "x"})); err == nil || !strings.Contains(err.Error(), "NOD_CLAUDE_PROOF") {
		t.Errorf("%v", err)
	}
}

func TestDataDir(t *testing.T) {
	for _, c := range []struct {
		os   string
		env  map[string]string
		want string
	}{
		{"linux", map[string]string{"HOME": "/home/anna"}, "/home/anna/.local/share/nod"},
		{"linux", map[string]string{"HOME": "/home/anna", "XDG_DATA_HOME": "/data"}, "/data/nod"},
		{"darwin", map[string]string{"HOME": "/Users/anna"}, "/Users/anna/Library/Application Support/nod"},
		{"linux", map[string]string{"NOD_DATA": "/srv/nod", "HOME": "/home/anna"}, "/srv/nod"},
		{"linux", nil, ""},
	} {
		got, err := DataDir(env(c.env), c.os)
		if got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%v: %q, %v", c, got, err)
		}
	}
}
