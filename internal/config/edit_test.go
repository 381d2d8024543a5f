package config

import (
	"os"
	"path/filepath"
	"testing"

	"nod"
)

func TestAddRuleChangesNothingElse(t *testing.T) {
	const rule = `Bash(go test:*)`
	for name, c := range map[string]struct{ before, after string }{
		"no file":          {"", "[policy]\nallow = [\"Bash(go test:*)\"]\n"},
		"no section":       {"listen = \":1\"\n", "listen = \":1\"\n\n[policy]\nallow = [\"Bash(go test:*)\"]\n"},
		"no newline":       {"listen = \":1\"", "listen = \":1\"\n\n[policy]\nallow = [\"Bash(go test:*)\"]\n"},
		"no list":          {"[policy] # mine\nread_only = \"allow\"\n", "[policy] # mine\nallow = [\"Bash(go test:*)\"]\nread_only = \"allow\"\n"},
		"section alone":    {"[policy]", "[policy]\nallow = [\"Bash(go test:*)\"]\n"},
		"an empty list":    {"[policy]\nallow = []\n", "[policy]\nallow = [\"Bash(go test:*)\"]\n"},
		"a short list":     {"[policy]\nallow = [ 'a' ] # why\n", "[policy]\nallow = [ 'a', \"Bash(go test:*)\" ] # why\n"},
		"brackets inside":  {"[policy]\nallow = [\"Read(a[0]\\\")\"]\n", "[policy]\nallow = [\"Read(a[0]\\\")\", \"Bash(go test:*)\"]\n"},
		"many lines":       {"[policy]\nallow = [\n  \"a\",\n  \"b\", # ] no\n]\n", "[policy]\nallow = [\n  \"a\",\n  \"b\",\n  \"Bash(go test:*)\", # ] no\n]\n"},
		"no last comma":    {"[policy]\nallow = [\n\t\"a\"\n]\n", "[policy]\nallow = [\n\t\"a\",\n\t\"Bash(go test:*)\",\n]\n"},
		"another section":  {"[policy]\nread_only = \"ask\"\n[claude]\nproof = \"9s\"\n", "[policy]\nallow = [\"Bash(go test:*)\"]\nread_only = \"ask\"\n[claude]\nproof = \"9s\"\n"},
		"a scope after it": {"[policy]\n[[policy.scope]]\nhost = \"x\"\nallow = [\"y\"]\n", "[policy]\nallow = [\"Bash(go test:*)\"]\n[[policy.scope]]\nhost = \"x\"\nallow = [\"y\"]\n"},
		"there already":    {"[policy]\nallow = ['Bash(go test:*)']\n", "[policy]\nallow = ['Bash(go test:*)']\n"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "nod.toml")
			if c.before != "" {
				if err := os.WriteFile(file, []byte(c.before), 0o640); err != nil {
					t.Fatal(err)
				}
			}
			changed, err := AddRule(file, "allow", rule)
			if err != nil || changed != (c.before != c.after) {
				t.Fatal(changed, err)
			}
			if got, _ := os.ReadFile(file); string(got) != c.after {
				t.Errorf("got\n%s\nwant\n%s", got, c.after)
			}
		})
	}
}

func TestAddRuleRefusesUnusualFiles(t *testing.T) {
	for name, text := range map[string]string{
		"an inline table": "policy = { allow = ['a'] }\n",
		"dotted keys":     "policy.allow = ['a']\n",
		"a broken file":   "[policy\n",
		"wrong type":      "[policy]\nallow = 'a'\n",
	} {
		file := filepath.Join(t.TempDir(), "nod.toml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := AddRule(file, "allow", "Bash(x)"); err == nil || nod.CodeOf(err) == nod.Internal {
			t.Errorf("%s: %v", name, err)
		}
		if got, _ := os.ReadFile(file); string(got) != text {
			t.Errorf("%s became %s", name, got)
		}
	}
}
