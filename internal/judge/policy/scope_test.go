package policy

import (
	"strings"
	"testing"
)

func yes() *bool { b := true; return &b }
func no() *bool  { b := false; return &b }

func TestScopes(t *testing.T) {
	web := Scope{Project: "~/src/web", Allow: []string{"Bash(go test:*)"}}
	for _, c := range []struct {
		name   string
		config Config
		cwd    string
		line   string
		want   Verdict
		rule   string
	}{
		{"in the project", Config{Scopes: []Scope{web}}, "/home/ann/src/web", "go test", Allow, "your allow rule Bash(go test:*) for ~/src/web"},
		{"below it", Config{Scopes: []Scope{web}}, "/home/ann/src/web/a/b", "go test", Allow, "your allow rule Bash(go test:*) for ~/src/web"},
		{"beside it", Config{Scopes: []Scope{web}}, "/home/ann/src/webapp", "go test", Ask, "go test"},
		{"above it", Config{Scopes: []Scope{web}}, "/home/ann/src", "go test", Ask, "go test"},
		{"by another way", Config{Scopes: []Scope{web}}, "/home/ann/src/app/../web", "go test", Allow, "your allow rule Bash(go test:*) for ~/src/web"},
		{"in other letters", Config{Scopes: []Scope{web}}, "/home/ann/src/WEB", "go test", Ask, "go test"},
		{"nowhere known", Config{Scopes: []Scope{web}}, "", "go test", Ask, "go test"},
		{"gone from it", Config{Scopes: []Scope{web}}, "/home/ann/src/web", "cd /tmp && go test", Ask, "go test"},
		{"further in", Config{ReadOnly: true, Scopes: []Scope{web}}, "/home/ann/src/web", "cd a && go test", Allow, "your allow rule Bash(go test:*) for ~/src/web"},
		{"absolute", Config{Scopes: []Scope{{Project: "/home/ann/src/", Allow: []string{"Bash(go test)"}}}}, "/home/ann/src/x", "go test", Allow, "your allow rule Bash(go test) for /home/ann/src/"},
		{"a star", Config{Scopes: []Scope{{Project: "~/src/w*", Allow: []string{"Bash(go test)"}}}}, "/home/ann/src/web/x", "go test", Allow, "your allow rule Bash(go test) for ~/src/w*"},
		{"one star is one folder", Config{Scopes: []Scope{{Project: "/home/*/web", Allow: []string{"Bash(go test)"}}}}, "/home/ann/src/web", "go test", Ask, "go test"},
		{"two stars", Config{Scopes: []Scope{{Project: "**/web", Allow: []string{"Bash(go test)"}}}}, "/home/ann/src/web/a", "go test", Allow, "your allow rule Bash(go test) for **/web"},
		{"everywhere", Config{Scopes: []Scope{{Project: "/", Deny: []string{"Bash(go:*)"}}}}, "/x", "go test", Deny, "your deny rule Bash(go:*) for /"},
		{"deny beats allow", Config{Allow: []string{"Bash(go test:*)"}, Scopes: []Scope{{Project: "~/src/web", Deny: []string{"Bash(go:*)"}}}}, "/home/ann/src/web", "go test", Deny, "your deny rule Bash(go:*) for ~/src/web"},
		{"deny by a look-alike folder", Config{Allow: []string{"Bash(go test:*)"}, Scopes: []Scope{{Project: "~/src/web", Deny: []string{"Bash(go:*)"}}}}, "/home/ann/src/WEB", "go test", Deny, "your deny rule Bash(go:*) for ~/src/web"},
		{"general ask beats", Config{Ask: []string{"Bash(go:*)"}, Scopes: []Scope{web}}, "/home/ann/src/web", "go test", Ask, "your ask rule Bash(go:*)"},
		{"two scopes", Config{Scopes: []Scope{web, {Agent: "claude", Ask: []string{"Bash(go:*)"}}}}, "/home/ann/src/web", "go test", Ask, "your ask rule Bash(go:*) for claude"},
		{"agent", Config{Scopes: []Scope{{Agent: "Claude", Allow: []string{"Bash(go test)"}}}}, "/x", "go test", Allow, "your allow rule Bash(go test) for Claude"},
		{"agent by name", Config{Scopes: []Scope{{Agent: "builder", Allow: []string{"Bash(go test)"}}}}, "/x", "go test", Allow, "your allow rule Bash(go test) for builder"},
		{"another agent", Config{Scopes: []Scope{{Agent: "codex", Allow: []string{"Bash(go test)"}}}}, "/x", "go test", Ask, "go test"},
		{"host", Config{Scopes: []Scope{{Host: "Laptop", Allow: []string{"Bash(go test)"}}}}, "/x", "go test", Allow, "your allow rule Bash(go test) on Laptop"},
		{"all three", Config{Scopes: []Scope{{Agent: "claude", Project: "~/src/web", Host: "laptop", Allow: []string{"Bash(go test)"}}}}, "/home/ann/src/web", "go test", Allow, "your allow rule Bash(go test) for claude in ~/src/web on laptop"},
		{"two of three", Config{Scopes: []Scope{{Agent: "claude", Project: "~/src/web", Host: "server", Allow: []string{"Bash(go test)"}}}}, "/home/ann/src/web", "go test", Ask, "go test"},
		{"read-only on", Config{Scopes: []Scope{{Project: "~/src/web", ReadOnly: yes()}}}, "/home/ann/src/web", "ls", Allow, "read-only: ls for ~/src/web"},
		{"read-only off", Config{ReadOnly: true, Scopes: []Scope{{Project: "~/src/web", ReadOnly: no()}}}, "/home/ann/src/web", "ls", Ask, "read-only: ls"},
		{"off wins", Config{Scopes: []Scope{{Host: "laptop", ReadOnly: no()}, {Project: "~/src/web", ReadOnly: yes()}}}, "/home/ann/src/web", "ls", Ask, "read-only: ls"},
		{"off wins after on", Config{Scopes: []Scope{{Project: "~/src/web", ReadOnly: yes()}, {Host: "laptop", ReadOnly: no()}}}, "/home/ann/src/web", "ls", Ask, "read-only: ls"},
		{"on for another", Config{Scopes: []Scope{{Project: "~/src/web", ReadOnly: yes()}}}, "/x", "ls", Ask, "read-only: ls"},
		{"off by a look-alike folder", Config{ReadOnly: true, Scopes: []Scope{{Project: "~/src/web", ReadOnly: no()}}}, "/home/ann/src/Web", "ls", Ask, "read-only: ls"},
	} {
		s := bashSubject(c.line)
		s.Cwd, s.Agent, s.Name, s.Host = c.cwd, "claude", "builder", "laptop"
		if j := must(t, c.config).Judge(s); j.Verdict != c.want || j.Rule != c.rule {
			t.Errorf("%s: %s by %q, want %s by %q", c.name, j.Verdict, j.Rule, c.want, c.rule)
		}
	}
}

// A policy is shared: judging for one scope must leave nothing behind for another.
func TestScopesDoNotLeak(t *testing.T) {
	p := must(t, Config{Allow: []string{"Bash(make)"}, Scopes: []Scope{{Agent: "a", Allow: []string{"Bash(x y)"}}, {Agent: "b", Deny: []string{"Bash(x y)"}}}})
	s := bashSubject("x y")
	for range 3 {
		for agent, want := range map[string]Verdict{"a": Allow, "b": Deny, "c": Ask} {
			s.Agent = agent
			if j := p.Judge(s); j.Verdict != want {
				t.Fatalf("%s: %s by %s", agent, j.Verdict, j.Rule)
			}
		}
	}
}

func TestBadScopesAreNamed(t *testing.T) {
	for _, c := range []struct {
		scope Scope
		want  string
	}{
		{Scope{Allow: []string{"Bash"}}, "scope 2: it names no agent"},
		{Scope{Project: "src/web"}, "scope 2 for src/web: a project is an absolute path"},
		{Scope{Project: "~bob/web"}, "a project is an absolute path"},
		{Scope{Project: "/x/[a"}, "no pattern"},
		{Scope{Project: "~/x", Deny: []string{"Bash(ls"}}, `scope 2 for ~/x: deny rule "Bash(ls": a closing )`},
		{Scope{Agent: "claude", Host: "laptop", Ask: []string{""}}, `scope 2 for claude on laptop: ask rule ""`},
	} {
		_, err := New(Config{Scopes: []Scope{{Agent: "x"}, c.scope}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want …%s…", c.scope, err, c.want)
		}
	}
}
