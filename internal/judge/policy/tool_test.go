package policy

import (
	"strings"
	"testing"
)

func TestToolsThatAreNoShell(t *testing.T) {
	rules := Config{ReadOnly: true, Allow: []string{"Edit(docs/**)", "Edit(/src/**)", "Read(//opt/data/**)", "WebFetch(domain:example.org)", "mcp__home__HassTurnOff", "mcp__notes__*"},
		Deny: []string{"Edit(docs/secret.md)", "mcp__evil", "WebFetch(domain:bad.org)"}}
	p := must(t, rules)
	for _, c := range []struct {
		tool, input string
		want        Verdict
		level       string
	}{
		{"Read", `{"file_path":"/home/ann/src/app/main.go"}`, Allow, Read},
		{"Read", `{"file_path":"main.go"}`, Allow, Read},
		{"Read", `{"file_path":"/home/ann/src/app/../../x"}`, Ask, Read},
		{"Read", `{"file_path":"/home/ann/src/application/x"}`, Ask, Read},
		{"Read", `{"file_path":"/home/ann/src/app/.env"}`, Ask, Secret},
		{"Read", `{"file_path":"/home/ann/.ssh/id_rsa"}`, Ask, Secret},
		{"Read", `{"file_path":"/opt/data/x.csv"}`, Allow, Read},
		{"Read", `{"file_path":"/opt/data/../x"}`, Ask, Read},
		{"Read", `{"file_path":"a","file_path":"/etc/shadow"}`, Ask, Unknown},
		{"Read", `{"FILE_PATH":"a"}`, Ask, Unknown},
		{"Read", `[]`, Ask, Unknown},
		{"Read", ``, Ask, Unknown},
		{"Glob", `{"pattern":"**/*.go"}`, Allow, Read},
		{"Glob", `{"pattern":"../**"}`, Ask, Read},
		{"Glob", `{"pattern":"*","path":"/etc"}`, Ask, Read},
		{"Grep", `{"pattern":"func main"}`, Allow, Read},
		{"Grep", `{"pattern":".","output_mode":"content"}`, Ask, Secret},
		{"Grep", `{"pattern":"x","glob":".env*"}`, Ask, Secret},
		{"Grep", `{"pattern":"x","path":"/home/ann"}`, Ask, Read},
		{"LS", `{"path":"/home/ann/src/app/src"}`, Allow, Read},
		{"Edit", `{"file_path":"/home/ann/src/app/main.go"}`, Ask, Write},
		{"Edit", `{"file_path":"/home/ann/src/app/src/a/b.go"}`, Allow, Write},
		{"Write", `{"file_path":"docs/a.md"}`, Allow, Write},
		{"Write", `{"file_path":"docs/secret.md"}`, Deny, Write},
		{"Write", `{"file_path":"docs/SECRET.md"}`, Deny, Write},
		{"Write", `{"file_path":"docs/../main.go"}`, Ask, Write},
		{"Write", `{"file_path":"src/.git/hooks/x"}`, Ask, Destructive},
		{"Edit", `{"file_path":".git/hooks/pre-commit"}`, Ask, Destructive},
		{"Edit", `{"file_path":".github/workflows/ci.yml"}`, Ask, Destructive},
		{"Edit", `{"file_path":".gitlab-ci.yml"}`, Ask, Destructive},
		{"Edit", `{"file_path":"/home/ann/.bashrc"}`, Ask, Destructive},
		{"Edit", `{"file_path":"/home/ann/other/x.go"}`, Ask, Destructive},
		{"Edit", `{"file_path":".claude/settings.json"}`, Ask, Destructive},
		{"Edit", `{"file_path":".eslintrc"}`, Ask, Write},
		{"NotebookEdit", `{"notebook_path":"a.ipynb"}`, Ask, Write},
		{"WebFetch", `{"url":"https://example.org/x"}`, Allow, Network},
		{"WebFetch", `{"url":"https://example.org@evil.com/"}`, Ask, Network},
		{"WebFetch", `{"url":"https://evil.com\\@example.org"}`, Ask, Network},
		{"WebFetch", `{"url":"https://example.org.evil.com"}`, Ask, Network},
		{"WebFetch", `{"url":"https://sub.example.org"}`, Ask, Network},
		{"WebFetch", `{"url":"https://www.bad.org"}`, Deny, Network},
		{"WebFetch", `{"url":"file:///etc/passwd"}`, Ask, Network},
		{"WebSearch", `{"query":"x"}`, Ask, Network},
		{"mcp__notes__read", `{}`, Allow, Unknown},
		{"mcp__notesx__read", `{}`, Ask, Unknown},
		{"mcp__evil__read", `{}`, Deny, Unknown},
		{"mcp__home__HassTurnOff", `{"name":"lamp"}`, Allow, Write},
		{"mcp__ha__HassTurnOff", `{"domain":["light"]}`, Ask, Destructive},
		{"mcp__ha__HassTurnOff", `{"area":"all"}`, Ask, Destructive},
		{"mcp__ha__HassTurnOff", `{"area":"kitchen","domain":["light"]}`, Ask, Write},
		{"HassTurnOff", `{}`, Ask, Destructive},
		{"mcp__ha__HassClimateSetTemperature", `{"temperature":15}`, Ask, Destructive},
		{"mcp__ha__HassClimateSetTemperature", `{"temperature":"12"}`, Ask, Destructive},
		{"mcp__ha__HassClimateSetTemperature", `{"temperature":21}`, Ask, Write},
		{"mcp__ha__call_service", `{"domain":"climate","service":"set_temperature","data":{"temperature":5}}`, Ask, Destructive},
		{"mcp__ha__call_service", `{"domain":"light","service":"turn_off","target":{"entity_id":"all"}}`, Ask, Destructive},
		{"AskUserQuestion", `{}`, Ask, Unknown},
		{"ExitPlanMode", `{}`, Ask, Unknown},
		{"Bash", `{"command":"ls","description":"list","timeout":1000}`, Allow, Read},
		{"Bash", `{"command":"ls","COMMAND":"rm x"}`, Ask, Unknown},
		{"Bash", `{"COMMAND":"ls","command":"rm x"}`, Ask, Destructive},
		{"Bash", `{"command":"ls","command":"rm x"}`, Ask, Unknown},
		{"Bash", `{"command":"ls","dangerouslyDisableSandbox":true}`, Ask, Unknown},
		{"Bash", `{"command":"ls","run_in_background":true}`, Ask, Unknown},
		{"Bash", `{"command":["ls"]}`, Ask, Unknown},
		{"Bash", `{}`, Ask, Unknown},
		{"Bash", `{"command":"cat \ud800"}`, Ask, Unknown},
		{"Bash", `{"command":"ls"} {"command":"rm"}`, Ask, Unknown},
	} {
		s := ann()
		s.Tool, s.Input = c.tool, []byte(c.input)
		j := p.Judge(s)
		if j.Verdict != c.want || j.Risk.Level != c.level {
			t.Errorf("%s %s → %s %s by %s (%s), want %s %s", c.tool, c.input, j.Verdict, j.Risk.Level, j.Rule, j.Reason, c.want, c.level)
		}
		if len(strings.Fields(j.Reason)) > 8 {
			t.Errorf("%s %s: long reason %q", c.tool, c.input, j.Reason)
		}
	}
}

// Fields and patterns that make a tool read more than it seems to.
func TestToolsThatReadMoreThanTheirInputShows(t *testing.T) {
	p := must(t, Config{ReadOnly: true, Allow: []string{"Edit(/src/**)"}})
	for _, c := range []struct {
		tool, input string
		want        Verdict
		level       string
	}{
		{"Grep", `{"pattern":"func","output_mode":"content","glob":"*.go","-n":true,"head_limit":5}`, Allow, Read},
		{"Grep", `{"pattern":".","output_mode":"content","glob":"*.{ts,tsx}"}`, Allow, Read},
		{"Grep", `{"pattern":".","output_mode":"content","type":"go"}`, Allow, Read},
		{"Grep", `{"pattern":".","output_mode":"content","type":"sh"}`, Ask, Secret},
		{"Grep", `{"pattern":".","output_mode":"content","type":"all"}`, Ask, Secret},
		{"Grep", `{"pattern":".","output_mode":"content","glob":"*"}`, Ask, Secret},
		{"Grep", `{"pattern":".","output_mode":"content","glob":"**"}`, Ask, Secret},
		{"Grep", `{"pattern":".","output_mode":"content","glob":"**/*"}`, Ask, Secret},
		{"Grep", `{"pattern":".","output_mode":"content","glob":"!x"}`, Ask, Secret},
		{"Grep", `{"pattern":".","output_mode":"content","glob":"{.npmrc,x}"}`, Ask, Secret},
		{"Grep", `{"pattern":".","output_mode":"content","glob":"*.{pem,key}"}`, Ask, Secret},
		{"Grep", `{"pattern":".","output_mode":"content","glob":"{a,{b,.env}}"}`, Ask, Secret},
		{"Grep", `{"pattern":".","output_mode":"content","glob":"[.]npmrc"}`, Ask, Secret},
		{"Grep", `{"pattern":".","output_mode":"content","glob":".e\\nv"}`, Ask, Secret},
		{"Grep", `{"pattern":".","output_mode":"content","glob":"a.txt .npmrc"}`, Ask, Secret},
		{"Grep", `{"pattern":".","output_mode":"content","glob":"a.txt,.npmrc"}`, Ask, Secret},
		{"Grep", `{"pattern":".","output_mode":"content","glob":"*rc"}`, Ask, Secret},
		{"Grep", `{"pattern":"^[A-Z_]+=","output_mode":"content"}`, Ask, Secret},
		{"Grep", `{"pattern":"[A-Z]","output_mode":"content"}`, Ask, Secret},
		{"Grep", `{"pattern":"foo|","output_mode":"content"}`, Ask, Secret},
		{"Grep", `{"pattern":"x","hidden":true}`, Ask, Unknown},
		{"Read", `{"file_path":"x","notebook_path":"/home/ann/.ssh/id_rsa"}`, Ask, Unknown},
		{"Read", `{"file_path":"main.go","offset":1,"limit":5}`, Allow, Read},
		{"Read", `{"file_path":"main.go","path":"/etc/shadow"}`, Ask, Unknown},
		{"NotebookRead", `{"file_path":"x","notebook_path":"a.ipynb"}`, Ask, Unknown},
		{"NotebookRead", `{"notebook_path":"a.ipynb"}`, Allow, Read},
		{"LS", `{"path":"src","dir":"/"}`, Ask, Unknown},
		{"Edit", `{"file_path":"src/a.go","notebook_path":"/etc/x"}`, Ask, Unknown},
		{"Read", `{"file_path":".env-local"}`, Ask, Secret},
		{"Read", `{"file_path":".git/modules/x/config"}`, Ask, Secret},
		{"Glob", `{"pattern":"{/home/ann/.ssh,x}/*"}`, Ask, Read},
		{"Glob", `{"pattern":"$HOME/*"}`, Ask, Read},
	} {
		s := ann()
		s.Tool, s.Input = c.tool, []byte(c.input)
		if j := p.Judge(s); j.Verdict != c.want || j.Risk.Level != c.level {
			t.Errorf("%s %s → %s %s by %s (%s), want %s %s", c.tool, c.input, j.Verdict, j.Risk.Level, j.Rule, j.Reason, c.want, c.level)
		}
	}
}

func TestPhrases(t *testing.T) {
	for text, want := range map[string]Verdict{
		"Wyłącz wszystkie światła":       Ask,
		"WYLACZ WSZYSTKO":                Ask,
		"wyłącz proszę wszystko":         Ask,
		"wyła\u0328cz wszystko":          Ask,
		"wyłącz światło w kuchni":        Allow,
		"turn off all lights":            Ask,
		"Turn OFF, all of it!":           Ask,
		"turn off the lamp":              Allow,
		"ｔｕｒｎ ｏｆｆ ａｌｌ":                   Ask,
		"zamknij dom":                    Ask,
		"zamknij okno":                   Allow,
		"ustaw temperaturę na 12":        Ask,
		"ustaw temperature do 15 stopni": Ask,
		"ustaw temperaturę na 21":        Allow,
		"set the temperature to five":    Ask,
		"what is the server status":      Allow,
		"zrób kawę":                      Deny,
		"":                               Allow,
	} {
		p := must(t, Config{Phrases: []PhraseRule{{Text: "zrob kawe", Verdict: Deny}}})
		if j := p.JudgePhrase(text); j.Verdict != want {
			t.Errorf("%q → %s by %s, want %s", text, j.Verdict, j.Rule, want)
		}
	}
}
