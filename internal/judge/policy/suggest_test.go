package policy

import (
	"fmt"
	"slices"
	"testing"
)

func times(n int, line string, v Verdict) []Past {
	var out []Past
	for i := range n {
		out = append(out, happened(i+1, line, v, true))
	}
	return out
}

func TestSuggest(t *testing.T) {
	for _, c := range []struct {
		name   string
		config Config
		past   []Past
		want   string // rule allowed/denied/would/would-denied …
	}{
		{"five make a habit", Config{}, times(5, "go test ./...", Allow), "[Bash(go test:*) 5/0/5/0]"},
		{"four do not", Config{}, times(4, "go test ./...", Allow), "[]"},
		{"different lines of a kind", Config{}, slices.Concat(times(3, "go test ./a", Allow), times(3, "go test -v ./b", Allow)), "[Bash(go test:*) 6/0/6/0]"},
		{"the one that spares most first", Config{}, slices.Concat(times(5, "make", Allow), times(7, "go build", Allow)), "[Bash(go build:*) 7/0/7/0 Bash(make) 5/0/5/0]"},
		{"allowed already", Config{Allow: []string{"Bash(go test:*)"}}, times(9, "go test", Allow), "[]"},
		{"asked by a rule", Config{Ask: []string{"Bash(go:*)"}}, times(9, "go test", Allow), "[]"},
		{"not by a person", Config{}, []Past{happened(1, "make", Allow, false), happened(2, "make", Allow, false), happened(3, "make", Allow, false), happened(4, "make", Allow, false), happened(5, "make", Allow, false)}, "[]"},
		{"no rule may exist", Config{ReadOnly: true}, slices.Concat(times(9, "rm -rf build", Allow), times(9, "python -c x", Allow), times(9, "cat .env", Allow)), "[]"},
		{"harmless needs none", Config{}, times(9, "ls", Allow), "[]"},
		{"unanswered ones would be spared too", Config{}, append(times(5, "make", Allow), happened(1, "make", "", false)), "[Bash(make) 5/0/6/0]"},
		{"rules' own decisions are no prompts", Config{}, append(times(5, "make", Allow), happened(1, "make", Deny, false)), "[Bash(make) 5/0/5/0]"},
		{"a pipe is not spared while read-only is off", Config{}, append(times(5, "make", Allow), times(5, "make | tail", Allow)...), "[Bash(make) 10/0/5/0]"},
		{"a pipe is spared when it is on", Config{ReadOnly: true}, append(times(5, "make", Allow), times(5, "make | tail", Allow)...), "[Bash(make) 10/0/10/0]"},
		{"a rule that spares nothing alone", Config{}, times(5, "make && go build", Allow), "[]"},
		{"old habits are forgotten", Config{}, []Past{happened(1, "make", Allow, true), happened(2, "make", Allow, true), happened(95, "make", Allow, true), happened(96, "make", Allow, true), happened(97, "make", Allow, true)}, "[]"},
		{"a fresh no", Config{}, append(times(20, "make", Allow), happened(0, "make", Deny, true)), "[]"},
		{"a no after a third of the yeses", Config{}, append(times(9, "make", Allow), happened(7, "make", Deny, true)), "[]"},
		{"a no older than all of them", Config{}, append(times(9, "make", Allow), happened(10, "make", Deny, true)), "[Bash(make) 9/1/10/1]"},
		{"a no after a quarter", Config{}, append(times(8, "make", Allow), happened(7, "make", Deny, true)), "[Bash(make) 8/1/9/1]"},
		{"the newest no counts", Config{}, append(times(8, "make", Allow), happened(30, "make", Deny, true), happened(1, "make", Deny, true)), "[]"},
		{"a no to another line of that kind", Config{}, append(times(9, "go test ./a", Allow), happened(0, "go test ./prod", Deny, true)), "[]"},
		{"a no that the rule would not overturn", Config{}, append(times(9, "go test ./a", Allow), happened(0, "go test ./a && rm x", Deny, true)), "[Bash(go test:*) 9/0/9/0]"},
	} {
		var got []string
		for _, s := range Suggest(c.past, must(t, c.config), day(0)) {
			got = append(got, fmt.Sprintf("%s %d/%d/%d/%d", s.Rule, s.Allowed, s.Denied, s.WouldAllow, len(s.WouldAllowDenied)))
			if s.Last.Before(day(1)) {
				t.Errorf("%s: last %v", c.name, s.Last)
			}
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
	}
}

// A suggestion's figures match a replay with the rule added, although suggesting judges
// every request only once.
func TestSuggestionsAreBacktested(t *testing.T) {
	for _, readOnly := range []bool{false, true} {
		var past []Past
		for i, l := range corpus(t) {
			if i%7 > 0 && must(t, Config{}).Kinds(bashSubject(l.source)) == nil {
				continue // most of what no rule can ever answer adds nothing but time
			}
			if l.verdict == Allow && i%7 > 0 {
				continue
			}
			p := happened(i%60, l.source, Allow, true)
			past = append(past, p, p, p, p, p)
		}
		for i := range 40 { // folders within folders
			p := happened(i, "", Allow, true)
			p.Subject.Tool, p.Subject.Input = "Edit", []byte(`{"file_path":"`+[]string{"src/a.go", "src/a/b.go", "src/a/.x", "main.go"}[i%4]+`"}`)
			past = append(past, p)
		}
		list := Suggest(past, must(t, Config{ReadOnly: readOnly}), day(0))
		if len(list) < 20 {
			t.Errorf("only %d suggestions: the test proves little", len(list))
		}
		base := len(Replay(past, must(t, Config{ReadOnly: readOnly})).Allowed)
		for _, s := range list {
			r := Replay(past, must(t, Config{ReadOnly: readOnly, Allow: []string{s.Rule}}))
			if got := len(r.Allowed) - base; got != s.WouldAllow {
				t.Errorf("%s: says %d, but a replay allows %d more", s.Rule, s.WouldAllow, got)
			}
		}
	}
}
