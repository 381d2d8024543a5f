package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func loadText(t *testing.T, text string) (Config, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "nod.toml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, _, err := Load(file, true, func(string) string { return "" })
	return c, err
}

func TestAssistants(t *testing.T) {
	c, err := loadText(t, `
[headless]
claude = "/opt/claude"
env = { ANTHROPIC_BASE_URL = "http://127.0.0.1:9" }
most = 3

[[assistant]]
name = "house"
prompt = "You look after a house."
language = "pl"
tools = ["none"]
allow = ["mcp__house__GetLiveContext"]
context = "2m"
[assistant.mcp.house]
url = "http://homeassistant.local:8123/api/mcp"
token_file = "/run/secrets/ha"
[assistant.mcp.memory]
command = ["npx", "memory"]

[[assistant]]
name = "code"
cwd = "/srv/code"
settings = ["user", "project"]
`)
	if err != nil {
		t.Fatal(err)
	}
	list := c.Everybody()
	if len(list) != 2 || list[0].Context != 2*time.Minute || list[0].MCP["house"].TokenFile != "/run/secrets/ha" || len(list[0].MCP["memory"].Command) != 2 || list[1].Cwd != "/srv/code" {
		t.Errorf("%+v", list)
	}
	if c.Headless.Most != 3 || c.Headless.Env["ANTHROPIC_BASE_URL"] == "" || c.Headless.Idle != 5*time.Minute {
		t.Errorf("%+v", c.Headless)
	}
	if usual := Default(); len(usual.Everybody()) != 1 || usual.Everybody()[0].Name != "claude" {
		t.Errorf("without any: %+v", usual.Everybody())
	}
}

func TestWrongAssistantsAreNamed(t *testing.T) {
	for name, c := range map[string]struct{ text, says string }{
		"no name":        {"[[assistant]]\nprompt = \"x\"", "name"},
		"a loud name":    {"[[assistant]]\nname = \"House Keeper\"", "small letters"},
		"twice":          {"[[assistant]]\nname = \"a\"\n[[assistant]]\nname = \"a\"", "two assistants"},
		"half a path":    {"[[assistant]]\nname = \"a\"\ncwd = \"code\"", "whole path"},
		"no such source": {"[[assistant]]\nname = \"a\"\nsettings = [\"mine\"]", "user, project, local"},
		"both ways":      {"[[assistant]]\nname = \"a\"\n[assistant.mcp.x]\nurl = \"http://a\"\ncommand = [\"b\"]", "one of them"},
		"an unknown key": {"[[assistant]]\nname = \"a\"\nmodle = \"x\"", "modle"},
		"no network":     {"[brain]\ntrusted_networks = [\"home\"]", "brain.trusted_networks"},
		"no time":        {"[headless]\nidle = \"1ms\"", "headless.idle"},
		"no program":     {"[headless]\nmost = 0", "headless.most"},
		"no rate":        {"[brain]\nrate = 0", "brain.rate"},
	} {
		if _, err := loadText(t, c.text); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
