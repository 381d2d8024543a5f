package policy

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestRulesOfTheUser(t *testing.T) {
	for _, c := range []struct {
		allow, ask, deny string
		line             string
		want             Verdict
	}{
		{allow: "Bash(npm run test:*)", line: "npm run test", want: Allow},
		{allow: "Bash(npm run test:*)", line: "npm run test -- --watch", want: Allow},
		{allow: "Bash(npm run test *)", line: "npm run test x", want: Allow},
		{allow: "Bash(npm run test:*)", line: "npm run testx", want: Ask},
		{allow: "Bash(npm run test:*)", line: "npm run test; rm x", want: Ask},
		{allow: "Bash(npm run test:*)", line: "npm run test && npm run test", want: Allow},
		{allow: "Bash(npm run test:*)", line: "npm run test > out", want: Ask},
		{allow: "Bash(npm run test:*)", line: "npm run test $(rm x)", want: Ask},
		{allow: "Bash(npm run test:*)", line: "npm run test $X", want: Ask},
		{allow: "Bash(npm run test:*)", line: "NODE_OPTIONS=x npm run test", want: Ask},
		{allow: "Bash(npm run test:*)", line: "npm run test &", want: Ask},
		{allow: "Bash(npm run test:*)", line: "sudo npm run test", want: Ask},
		{allow: "Bash(npm run test:*)", line: "./npm run test", want: Ask},
		{allow: "Bash(npm run test:*)", line: "npm  run 'test'", want: Allow},
		{allow: "Bash(npm run test)", line: "npm run test", want: Allow},
		{allow: "Bash(npm run test)", line: "npm run test x", want: Ask},
		{allow: "Bash(git diff:*)", line: "git diff HEAD", want: Allow},
		{allow: "Bash(git diff:*)", line: "git diff --output=x", want: Ask},
		{allow: "Bash(git diff:*)", line: "git diff --ext-diff", want: Ask},
		{allow: "Bash(git diff --ext-diff)", line: "git diff --ext-diff", want: Allow},
		{allow: "Bash(git diff:*)", line: "git -c core.pager=x diff", want: Ask},
		{allow: "Bash(rm:*)", line: "rm -rf x", want: Ask},
		{allow: "Bash(rm -rf build)", line: "rm -rf build", want: Allow},
		{allow: "Bash(cat:*)", line: "cat ~/.ssh/id_rsa", want: Ask},
		{allow: "Bash(find:*)", line: "find . -exec rm {} +", want: Ask},
		{allow: "Bash", line: "mkdir x", want: Allow},
		{allow: "Bash(*)", line: "mkdir x && touch y", want: Allow},
		{allow: "Bash", line: "rm -rf /", want: Ask},
		{allow: "Bash", line: "eval x $(y)", want: Ask},
		{allow: "Bash", line: "ls 'broken", want: Ask},
		{allow: "Bash(make:*)", deny: "Bash(make deploy:*)", line: "make deploy", want: Deny},
		{deny: "Bash(rm:*)", line: "ls; rm x", want: Deny},
		{deny: "Bash(rm:*)", line: "ls | xargs rm", want: Deny},
		{deny: "Bash(rm:*)", line: "sudo /bin/rm x", want: Deny},
		{deny: "Bash(rm:*)", line: "./rm x", want: Deny},
		{deny: "Bash(rm:*)", line: "rm $X", want: Deny},
		{deny: "Bash(rm:*)", line: "bash -c 'rm x'", want: Deny},
		{deny: "Read(secret.txt)", line: "cat secret.txt", want: Deny},
		{deny: "Read(secret.txt)", line: "cat src/SECRET.txt", want: Deny},
		{deny: "Read(secret.txt)", line: "sort < secret.txt", want: Deny},
		{ask: "Bash(git log:*)", line: "git log", want: Ask},
		{ask: "Bash(npm:*)", allow: "Bash(npm run x)", line: "npm run x", want: Ask},
		{deny: "Bash", line: "ls", want: Deny},
	} {
		list := func(s string) []string {
			if s == "" {
				return nil
			}
			return []string{s}
		}
		p := must(t, Config{Allow: list(c.allow), Ask: list(c.ask), Deny: list(c.deny)})
		in, _ := json.Marshal(map[string]string{"command": c.line})
		s := ann()
		s.Input = in
		if j := p.Judge(s); j.Verdict != c.want {
			t.Errorf("allow %q ask %q deny %q: %q → %s by %s, want %s", c.allow, c.ask, c.deny, c.line, j.Verdict, j.Rule, c.want)
		}
	}
}

func TestBadRulesAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "names no tool",
		"Bash(ls":                 "closing )",
		"Bash(ls; rm x)":          "one command",
		"Bash(git * main)":        "at the end only",
		"Bash(sudo ls)":           "without sudo",
		"Bash(X=1 ls)":            "without sudo, variables",
		"Bash(ls > x)":            "redirections",
		"Bash(ls 'x)":             "no command",
		"Bash(echo $X)":           "plain",
		"WebFetch(example.org)":   "domain:",
		"WebFetch(domain:a/b)":    "domain:",
		"mcp__*":                  "one server",
		"Task(x)":                 "nothing can stand",
		"Read()":                  "empty",
		"Two words":               "one word",
		"mcp__home__HassTurn*Off": "at its end",
	} {
		_, err := New(Config{Deny: []string{text}})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "deny rule") {
			t.Errorf("%q: %v, want …%s…", text, err, want)
		}
	}
}
