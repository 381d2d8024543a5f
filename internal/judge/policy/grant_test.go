package policy

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func grant(t testing.TB, id string, rules ...string) Grant {
	t.Helper()
	g, err := NewGrant(id, rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestGrants(t *testing.T) {
	tests, builds := grant(t, "tests", "Bash(go test:*)"), grant(t, "builds", "Bash(go build:*)", "Bash(make)")
	for _, c := range []struct {
		name   string
		config Config
		line   string
		want   Verdict
		used   string
	}{
		{"covered", Config{}, "go test ./...", Allow, "tests"},
		{"the other one", Config{}, "make", Allow, "builds"},
		{"harmless pieces go along", Config{}, "cd src && go test ./... 2>&1 | tail -5", Allow, "tests"},
		{"harmless alone does not", Config{}, "ls", Ask, ""},
		{"harmless with read-only on needs none", Config{ReadOnly: true}, "ls", Allow, ""},
		{"allowed already", Config{Allow: []string{"Bash(go test)"}}, "go test", Allow, ""},
		{"the rest by a rule", Config{Allow: []string{"Bash(mkdir:*)"}}, "mkdir x && go test", Allow, "tests"},
		{"the rest by nobody", Config{}, "mkdir x && go test", Ask, ""},
		{"two grants do not add up", Config{}, "go test && go build", Ask, ""},
		{"one grant with two rules does", Config{}, "make && go build", Allow, "builds"},
		{"denied", Config{Deny: []string{"Bash(go:*)"}}, "go test", Deny, ""},
		{"denied beside it", Config{Deny: []string{"Bash(ls:*)"}}, "go test | ls", Deny, ""},
		{"asked by a rule", Config{Ask: []string{"Bash(go:*)"}}, "go test", Ask, ""},
		{"asked beside it", Config{Ask: []string{"Bash(ls:*)"}}, "go test && ls", Ask, ""},
		{"destructive beside it", Config{}, "go test && rm x", Ask, ""},
		{"secret beside it", Config{}, "go test && cat .env", Ask, ""},
		{"written to a file", Config{}, "go test > x", Ask, ""},
		{"in the background", Config{}, "go test &", Ask, ""},
		{"substituted", Config{}, "go test $(ls)", Ask, ""},
		{"unknown word", Config{}, "go test $X", Ask, ""},
		{"a variable before it", Config{}, "GOFLAGS=x go test", Ask, ""},
		{"as root", Config{}, "sudo go test", Ask, ""},
		{"runs more", Config{}, "go test -exec ./evil", Ask, ""},
		{"broken", Config{}, "go test 'x", Ask, ""},
		{"out of the folder", Config{}, "cd /tmp && go test", Ask, ""},
	} {
		j, used := must(t, c.config).JudgeWith(bashSubject(c.line), []Grant{tests, builds})
		if j.Verdict != c.want || used != c.used {
			t.Errorf("%s: %q → %s by %q of %q, want %s of %q", c.name, c.line, j.Verdict, j.Rule, used, c.want, c.used)
		}
		if used != "" && !strings.HasPrefix(j.Rule, "your lease Bash(") {
			t.Errorf("%s: the lease is not named: %q", c.name, j.Rule)
		}
	}
}

func TestDestructiveGrantsMustSpellOutTheCommand(t *testing.T) {
	p := must(t, Config{})
	wide, exact := grant(t, "wide", "Bash(rm:*)", "Bash(cat:*)", "Bash(*)"), grant(t, "exact", "Bash(rm -rf build)", "Bash(cat .env)")
	for line, want := range map[string]string{
		"rm -rf build": "exact",
		"rm -rf buil":  "",
		"rm -rf src":   "",
		"cat .env":     "exact",
		"cat x.pem":    "",
		"mkdir x":      "wide",
		"cat x":        "wide",
	} {
		if _, used := p.JudgeWith(bashSubject(line), []Grant{wide, exact}); used != want {
			t.Errorf("%q used %q, want %q", line, used, want)
		}
	}
}

func TestGrantsForOtherTools(t *testing.T) {
	g := []Grant{grant(t, "g", "Edit(src/**)", "WebFetch(domain:example.org)", "mcp__ha__HassTurnOff", "AskUserQuestion", "Bash(go test)")}
	for _, c := range []struct{ tool, input, used string }{
		{"Edit", `{"file_path":"src/a.go"}`, "g"},
		{"Write", `{"file_path":"src/a.go"}`, "g"},
		{"Edit", `{"file_path":"main.go"}`, ""},
		{"Edit", `{"file_path":"src/.git/hooks/x"}`, ""},
		{"WebFetch", `{"url":"https://example.org/"}`, "g"},
		{"WebFetch", `{"url":"https://example.com/"}`, ""},
		{"mcp__ha__HassTurnOff", `{"name":"lamp"}`, "g"},
		{"mcp__ha__HassTurnOff", `{}`, ""},
		{"mcp__ha__HassTurnOff", `[]`, ""},
		{"Read", `{"file_path":"main.go"}`, ""},
		{"AskUserQuestion", `{}`, ""},
		{"Bash", `{"command":"go test","run_in_background":true}`, ""},
		{"Bash", `{"command":"go test","run_in_background":false}`, "g"},
	} {
		s := ann()
		s.Tool, s.Input = c.tool, []byte(c.input)
		j, used := must(t, Config{}).JudgeWith(s, g)
		if used != c.used || (used != "") != (j.Verdict == Allow) {
			t.Errorf("%s %s → %s, used %q, want %q", c.tool, c.input, j.Verdict, used, c.used)
		}
	}
}

// Without a grant JudgeWith is Judge; and no grant of test and lint tools makes
// any attack of the corpus pass.
func TestGrantsOfTheUsualKindAllowNoAttack(t *testing.T) {
	p := must(t, Config{})
	g := []Grant{grant(t, "usual", "Bash(pytest:*)", "Bash(eslint:*)", "Bash(npm run lint:*)", "Edit(src/**)", "Bash(cat:*)", "Bash(ls:*)", "Bash(grep:*)", "Bash(git log:*)", "Bash(git diff:*)")}
	readOnly := 0
	for _, l := range corpus(t) {
		s := bashSubject(l.source)
		j, used := p.JudgeWith(s, nil)
		if k := p.Judge(s); k.Verdict != j.Verdict || k.Rule != j.Rule || used != "" {
			t.Errorf("%q: %v and %v", l.source, j, k)
		}
		if j, used = p.JudgeWith(s, g); used == "" {
			continue
		}
		// A wildcard is for flags that nothing is known of; ls has none that harms.
		if readOnly++; l.verdict != Allow && l.source != "ls --unknown-flag" {
			t.Errorf("ATTACK %q allowed by %s", l.source, j.Rule)
		}
	}
	if readOnly < 30 {
		t.Errorf("only %d lines used the grant: the test proves little", readOnly)
	}
}

func TestBadGrants(t *testing.T) {
	for _, c := range []struct {
		id    string
		rules []string
		want  string
	}{
		{"", []string{"Bash"}, "needs an id"},
		{"1", nil, "needs a rule"},
		{"1", []string{"Bash(ls)", "Bash(ls"}, `rule "Bash(ls": a closing )`},
	} {
		if _, err := NewGrant(c.id, c.rules); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q %q: %v, want …%s…", c.id, c.rules, err, c.want)
		}
	}
}

// Programs built around a command without a grant are never let through.
func TestAGrantNeverCoversAnOutsider(t *testing.T) {
	p := must(t, Config{})
	g := []Grant{grant(t, "g", "Bash(go test:*)", "Bash(ls:*)", "Bash(cat README.md)", "Bash(git status:*)")}
	r := rand.New(rand.NewPCG(3, 4))
	used := 0
	for range 3000 {
		depth := 1 + r.IntN(4)
		bad := randomProgram(r, depth, outsiders()[r.IntN(len(outsiders()))])
		if j, id := p.JudgeWith(bashSubject(bad), g); j.Verdict == Allow || id != "" {
			t.Fatalf("allowed: %q (%s)", bad, j.Rule)
		}
		if _, id := p.JudgeWith(bashSubject(randomProgram(r, depth, "go test")), g); id != "" {
			used++
		}
	}
	if used < 500 {
		t.Errorf("only %d programs used the grant: the test proves little", used)
	}
}

func FuzzKinds(f *testing.F) {
	for _, l := range corpus(f) {
		f.Add(l.source)
	}
	for _, l := range typicalLines() {
		f.Add(l)
	}
	p := must(f, Config{})
	f.Fuzz(func(t *testing.T, line string) {
		rules := p.Kinds(bashSubject(line))
		if len(rules) == 0 {
			return
		}
		g := []Grant{grant(t, "g", rules...)}
		if _, used := p.JudgeWith(bashSubject(line), g); used == "" {
			t.Errorf("%q is not allowed by its own kinds %q", line, rules)
		}
		if _, used := p.JudgeWith(bashSubject(line+"\nrm -rf x"), g); used != "" {
			t.Errorf("%q: %q hide what follows", line, rules)
		}
	})
}
