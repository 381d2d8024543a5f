package policy

import (
	"encoding/json"
	"strings"
	"testing"

	"nod/internal/machine/env/envtest"
	"nod/internal/present/words"
)

func TestPolicyTestForScripts(t *testing.T) {
	w := envtest.New(t, Command)
	for line, want := range map[string]string{
		"kubectl get pods | grep web": "allow",
		"cat x; rm -rf ~":             "ask",
		"cat $(":                      "ask",
	} {
		out, err := w.Run("policy", "test", "--json", line)
		var got struct {
			Verdict, Reason, Rule string
			Risk                  struct{ Level, Reason string }
		}
		if err != nil || json.Unmarshal([]byte(out), &got) != nil || got.Verdict != want || got.Rule == "" || got.Risk.Level == "" {
			t.Errorf("%q: %s %v", line, out, err)
		}
	}
}

func TestPolicyTestForPeople(t *testing.T) {
	w := envtest.New(t, Command)
	for lang, want := range map[words.Lang][]string{
		words.English:  {"? ask  destructive", "✓ allow  git log", "rm -rf build", "read_only"},
		words.Polish:   {"? zapytaj", "✓ pozwól  git log", "read_only"},
		words.Japanese: {"? 確認", "✓ 許可  git log", "read_only"},
	} {
		w.Printer = words.In(lang)
		out, err := w.Run("policy", "test", "git log; rm -rf build \x1b[31m")
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range want {
			if !strings.Contains(out, part) {
				t.Errorf("%q is missing in\n%s", part, out)
			}
		}
		if strings.Contains(out, "\x1b") {
			t.Errorf("an escape reached the terminal: %q", out)
		}
	}
	if _, err := w.Run("policy", "test"); err == nil {
		t.Error("no line is no question")
	}
}

func TestPolicyCheckNamesTheWrongRule(t *testing.T) {
	w := envtest.New(t, Command)
	if out, err := w.Run("policy", "check"); err != nil || !strings.Contains(out, "fine") {
		t.Errorf("%s %v", out, err)
	}
	for text, want := range map[string]string{
		"[policy]\nallow = [\"Bash(git\"]\n":   "Bash(git",
		"[policy]\nread_only = \"yes\"\n":      "neither",
		"[policy]\nalow = [\"Bash(ls)\"]\n":    "policy.allow",
		"[policy]\ndeny = [\"Read(~/.aws\"]\n": "Read(~/.aws",
	} {
		w.Write("data/nod.toml", text)
		if _, err := w.Run("policy", "check"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want …%s…", text, err, want)
		}
	}
}
