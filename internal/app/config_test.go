package app

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"nod/internal/config"
	"nod/internal/present/advise"
)

func parse(text string, env map[string]string) (c Config, list []config.Setting, err error) {
	list, err = config.Parse(&c, "nod.toml", text, func(name string) string { return env[name] })
	return c, list, err
}

func TestDefaults(t *testing.T) {
	c, _, err := parse("", nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.Listen != "127.0.0.1:8742" || c.Answer != AnswerLocal || c.Claude.Proof != 5*time.Second || c.Policy.ReadOnly != "ask" || len(c.Passkey.Required) != 0 || !c.Notify.Ntfy.Buttons || c.Brain.Rate != 30 {
		t.Errorf("%+v", c)
	}
	if c.Advise.Model != "" || c.Advise.PerHour == 0 || c.Advise.Timeout == 0 {
		t.Errorf("a model is asked that is not configured: %+v", c.Advise)
	}
	if usual := c.Assistant.OrUsual(); len(usual) != 1 || usual[0].Name != "claude" {
		t.Errorf("without any assistant: %+v", usual)
	}
}

func TestSectionsAreRead(t *testing.T) {
	c, list, err := parse(`
listen = "127.0.0.1:1"
[passkey]
required = ["destructive", "secret"]
[advise]
model = "haiku"
per_hour = 5
timeout = "7s"
[keyboard]
applescript = true
listen = ":8080"
[relay]
listen = [":3939", ":3940"]
[headless]
claude = "/opt/claude"
env = { ANTHROPIC_BASE_URL = "http://127.0.0.1:9" }
most = 3
[[notify.channel]]
kind = "ntfy"
buttons = false
users = [7]

[[assistant]]
name = "house"
tools = ["none"]
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
`, map[string]string{"NOD_LISTEN": "127.0.0.1:2", "NOD_TLS_ACME": "nod.example.org, hub.example.org", "NOD_TLS_ACME_EMAIL": "a@b.c", "NOD_BRAIN_TRUSTED_NETWORKS": "192.168.1.0/24"})
	if err != nil {
		t.Fatal(err)
	}
	if c.Listen != "127.0.0.1:2" || c.Advise != (advise.Config{Model: "haiku", PerHour: 5, Timeout: 7 * time.Second}) || !c.Keyboard.AppleScript || len(c.Keyboard.Listen) != 1 || len(c.Relay.Listen) != 2 {
		t.Errorf("%+v", c)
	}
	if len(c.TLS.ACME) != 2 || c.TLS.ACMEEmail != "a@b.c" || len(c.Brain.TrustedNetworks) != 1 {
		t.Errorf("from the environment: %+v %+v", c.TLS, c.Brain)
	}
	if a := c.Assistant; len(a) != 2 || a[0].Context != 2*time.Minute || a[0].MCP["house"].TokenFile != "/run/secrets/ha" || len(a[0].MCP["memory"].Command) != 2 || a[1].Cwd != "/srv/code" {
		t.Errorf("%+v", a)
	}
	if c.Headless.Most != 3 || c.Headless.Env["ANTHROPIC_BASE_URL"] == "" || c.Headless.Idle != 5*time.Minute {
		t.Errorf("%+v", c.Headless)
	}
	if ch := c.Notify.Channel; len(ch) != 1 || *ch[0].Buttons || ch[0].Users[0] != 7 {
		t.Errorf("%+v", ch)
	}
	got := map[string]config.Setting{}
	for _, s := range list {
		got[s.Key] = s
	}
	for _, want := range []config.Setting{
		{Key: "listen", Value: "127.0.0.1:2", Origin: "NOD_LISTEN"}, {Key: "passkey.required", Value: "destructive,secret", Origin: "nod.toml"},
		{Key: "relay.listen", Value: ":3939,:3940", Origin: "nod.toml"}, {Key: "relay.found", Value: "off", Origin: "default"},
		{Key: "brain.trusted_networks", Value: "192.168.1.0/24", Origin: "NOD_BRAIN_TRUSTED_NETWORKS"},
	} {
		if !reflect.DeepEqual(got[want.Key], want) {
			t.Errorf("%+v, want %+v", got[want.Key], want)
		}
	}
}

func TestWrongValuesAreNamed(t *testing.T) {
	const acme = "[tls]\nacme = [\"nod.example.org\"]\n"
	for text, says := range map[string]string{
		`answer = "everyone"`:                                      `nod.toml: answer = "everyone" is neither "local" nor "devices"`,
		"[passkey]\nrequired = [\"dangerous\"]":                    `"dangerous" is no level of risk`,
		"[policy]\nread_only = \"never\"":                          "policy.read_only",
		"[advise]\nper_hour = -1":                                  "advise.per_hour",
		"[advise]\ntimeout = \"1h\"":                               "advise.",
		"[claude]\nproof = \"1ms\"":                                "claude.proof",
		"[[assistant]]\nprompt = \"x\"":                            "name",
		"[[assistant]]\nname = \"House Keeper\"":                   "small letters",
		"[[assistant]]\nname = \"a\"\n[[assistant]]\nname = \"a\"": "two assistants",
		"[[assistant]]\nname = \"a\"\ncwd = \"code\"":              "whole path",
		"[[assistant]]\nname = \"a\"\nsettings = [\"mine\"]":       "user, project, local",
		"[[assistant]]\nname = \"a\"\n[assistant.mcp.x]\nurl = \"http://a\"\ncommand = [\"b\"]": "one of them",
		"[[assistant]]\nname = \"a\"\ntool = [\"x\"]":                                           `unknown key "assistant.tool"; did you mean "assistant.tools"?`,
		"[brain]\ntrusted_networks = [\"home\"]":                                                `brain.trusted_networks is "home", but takes a network, such as "192.168.1.0/24"`,
		"[headless]\nidle = \"1ms\"":                                                            "headless.idle",
		"[headless]\nmost = 0":                                                                  "headless.most",
		"[headless]\nenv = \"A=1\"":                                                             `headless.env is "A=1", but takes a table`,
		"[headless]\nenv = { A = 1 }":                                                           "headless.env.A is 1, but takes text in quotes",
		"[brain]\nrate = 0":                                                                     "brain.rate",
		"[relay]\nlisten = 3939":                                                                "relay.listen is 3939, but takes an address",
		"[[relay.peer]]\nname = 1":                                                              "[[relay.peer]] number 1: relay.peer.name is 1",
		"[tls]\ncert = \"c\"":                                                                   "belong together",
		"[tls]\nown = true\ncert=\"c\"\nkey=\"k\"":                                              "choose",
		"[tls]\nown = true\nacme=[\"nod.example.org\"]":                                         "choose",
		"[tls]\ncert = \"c\"\nkey=\"k\"\nacme=[\"nod.example.org\"]":                            "choose",
		"[tls]\nacme_email = \"a@example.org\"":                                                 "without tls.acme",
		acme + `acme_email="anna"`:                                                              "no mail address",
		acme + `acme_directory="http://ca.lan"`:                                                 "https://",
		"[tls]\nacme = [\"desk\"]":                                                              "tls.own",
		"[tls]\nacme = [\"desk.local\"]":                                                        "tls.own",
		"[tls]\nacme = [\"192.168.1.20\"]":                                                      "tls.own",
		"[tls]\nacme = [\"::1\"]":                                                               "tls.own",
		"[tls]\nacme = [\"*.example.org\"]":                                                     "tls.own",
		"[tls]\nacme = [\"https://nod.example.org\"]":                                           "tls.own",
		"[tls]\nown = \"yes\"":                                                                  `tls.own is "yes", but takes true or false`,
	} {
		if _, _, err := parse(text, nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want …%s…", text, err, says)
		}
	}
	for _, good := range []string{"[tls]\nown = true", "[tls]\ncert = \"c\"\nkey = \"k\"", "[tls]\nacme = [\"nod.example.org\", \"Nod.Example.COM\"]\nacme_email = \"a@example.org\"",
		acme + `acme_directory="https://ca.lan/acme"`, acme + `acme_directory="http://127.0.0.1:1/d"`} {
		if _, _, err := parse(good, nil); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	if _, _, err := parse("", map[string]string{"NOD_TLS_OWN": "perhaps"}); err == nil || !strings.Contains(err.Error(), "NOD_TLS_OWN") {
		t.Error(err)
	}
	if _, _, err := parse("", map[string]string{"NOD_ANSWER": "all"}); err == nil || !strings.Contains(err.Error(), "NOD_ANSWER: answer") {
		t.Error(err)
	}
}
