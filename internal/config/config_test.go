package config

import (
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nod"
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

// sample is a configuration like nod's own, but small.
type sample struct {
	Listen string   `toml:"listen"`
	Hosts  []string `toml:"hosts"`
	Agent  agent    `toml:"agent"`
	Lamp   []lamp   `toml:"lamp"`
}

type agent struct {
	HandBack time.Duration     `toml:"hand_back"`
	Proof    time.Duration     `toml:"proof"`
	Env      map[string]string `toml:"env"`
	Networks []netip.Prefix    `toml:"networks"`
	On       *bool             `toml:"on"`
}

type lamp struct {
	Room   string `toml:"room"`
	Colour string `toml:"colour"`
}

func (h *sample) Defaults() { h.Listen = "127.0.0.1:1" }
func (a *agent) Defaults()  { a.Proof = 5 * time.Second }
func (l *lamp) Defaults()   { l.Colour = "white" }

func (a agent) Check() error {
	if a.Proof < time.Second {
		return nod.Errorf(nod.Invalid, "agent.proof is at least \"1s\"")
	}
	return nil
}

func TestEnvironmentOverridesTheFile(t *testing.T) {
	file := write(t, "listen = \"127.0.0.1:2\"\n[agent]\nproof = \"7s\"\non = false\nnetworks = [\"10.0.0.0/8\"]\n[[lamp]]\nroom = \"hall\"\n")
	var c sample
	list, err := Load(&c, file, true, env(map[string]string{"NOD_LISTEN": "127.0.0.1:3", "NOD_HOSTS": "desk.local, desk", "NOD_AGENT_HAND_BACK": "1m"}))
	if err != nil {
		t.Fatal(err)
	}
	if c.Listen != "127.0.0.1:3" || c.Agent.Proof != 7*time.Second || c.Agent.HandBack != time.Minute || len(c.Hosts) != 2 || *c.Agent.On || len(c.Agent.Networks) != 1 || c.Lamp[0] != (lamp{"hall", "white"}) {
		t.Errorf("%+v", c)
	}
	got := map[string]string{}
	for _, s := range list {
		got[s.Key] = s.Value + " from " + s.Origin
	}
	for key, want := range map[string]string{
		"listen": "127.0.0.1:3 from NOD_LISTEN", "agent.proof": "7s from " + file, "agent.hand_back": "1m0s from NOD_AGENT_HAND_BACK", "hosts": "desk.local,desk from NOD_HOSTS",
	} {
		if got[key] != want {
			t.Errorf("%s: %s, want %s", key, got[key], want)
		}
	}
}

func TestConfigErrors(t *testing.T) {
	for text, want := range map[string]string{
		"lisen = \"x\"":                  `unknown key "lisen"; did you mean "listen"?`,
		"[agent]\nhandback = \"1s\"":     `unknown key "agent.handback"; did you mean "agent.hand_back"?`,
		"[[lamp]]\ncolor = \"red\"":      `[[lamp]] number 1: unknown key "lamp.color"; did you mean "lamp.colour"?`,
		"listen = ":                      "line 1",
		"listen = 7":                     "listen is 7, but takes text in quotes",
		"agent = 7":                      "agent is 7, but takes a table",
		"lamp = \"hall\"":                `lamp is "hall", but takes tables, each under [[…]]`,
		"hosts = \"desk\"":               `hosts is "desk", but takes a list`,
		"hosts = [1]":                    "hosts is 1, but takes text in quotes",
		"[agent]\nproof = \"soon\"":      `agent.proof is "soon", but takes a length of time, such as "30s"`,
		"[agent]\nproof = 5":             `agent.proof is 5, but takes a length of time, such as "30s"`,
		"[agent]\nenv = [\"A=1\"]":       "agent.env is a list, but takes a table",
		"[agent]\nenv = {A = {}}":        "agent.env.A is a table, but takes text in quotes",
		"[agent]\nnetworks = [\"home\"]": `agent.networks is "home", but takes a network, such as "192.168.1.0/24"`,
		"[agent]\non = \"yes\"":          `agent.on is "yes", but takes true or false`,
		"[agent]\nproof = \"1ms\"":       `nod.toml: agent.proof is at least "1s"`,
	} {
		_, err := Load(new(sample), write(t, text), true, env(nil))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want …%s…", text, err, want)
		}
	}
	if _, err := Load(new(sample), "/nowhere/nod.toml", true, env(nil)); err == nil {
		t.Error("a file that was asked for must exist")
	}
	if _, err := Load(new(sample), "/nowhere/nod.toml", false, env(nil)); err != nil {
		t.Errorf("the usual file need not exist: %v", err)
	}
	for name, text := range map[string]string{"NOD_AGENT_PROOF": "x", "NOD_AGENT_NETWORKS": "home"} {
		if _, err := Load(new(sample), "/nowhere/nod.toml", false, env(map[string]string{name: text})); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v", err)
		}
	}
}
