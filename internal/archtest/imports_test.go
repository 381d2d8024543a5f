// Package archtest holds the architecture as tests. Change a rule here and in
// ARCHITECTURE.md together.
package archtest

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// rule says what a folder may import of ours, and what else it must not. Names are
// below internal/; "nod" is the root package. A * stands for one name, ** for any
// number of them, and "own" for the folders below the package itself.
type rule struct {
	of    string
	may   []string
	never []string // packages of the standard library and others, with what is below them
}

var (
	pure   = []string{"net", "os", "io", "database/sql", "log"} // computes, and touches nothing
	sql    = []string{"database/sql"}
	noExec = []string{"database/sql", "os/exec"}
	offNet = []string{"database/sql", "os/exec", "net"}
)

// rules, the most specific first: the first one that matches a package counts. A new
// adapter needs no rule of its own.
var rules = []rule{
	{of: "nod", never: append([]string{"sync", "context"}, pure...)},
	{of: "cmd/nod", may: []string{"cli", "machine", "hook"}},
	{of: "cmd/nod-hook", may: []string{"hook"}},
	{of: "archtest"},
	{of: "web", never: []string{"database/sql", "net", "os"}},

	{of: "judge/**", may: []string{"nod", "judge/**"}, never: pure},

	{of: "present/puck/attend", may: []string{"nod", "hub", "talk", "present/**", "sys/pause"}, never: append([]string{"net/http"}, noExec...)},
	{of: "present/draw/icon", may: []string{"nod", "present/**"}, never: append([]string{"net/http"}, noExec...)},
	{of: "present/advise/model", may: []string{"present/advise", "agent/claude/wire"}, never: []string{"database/sql", "net"}},
	{of: "present/render", may: []string{"nod", "present/diff"}, never: append([]string{"regexp"}, pure...)},
	{of: "present/hasskit", may: []string{"nod", "present/**"}, never: offNet},
	{of: "present/esphome", may: []string{"nod", "present/**"}, never: append([]string{"os", "net/http"}, noExec...)},
	{of: "present/words", may: []string{"nod"}, never: []string{"net", "database/sql", "os"}},
	{of: "present/**", may: []string{"nod", "present/**"}, never: pure},

	{of: "sys/**", never: append([]string{"net/http"}, sql...)},

	{of: "hub", may: []string{"nod", "sys/pause"}, never: append([]string{"os"}, offNet...)},
	{of: "hub/hubtest", may: []string{"nod", "hub", "hub/store/mem", "net/auth", "net/httpd"}, never: noExec},
	{of: "hub/adapter", may: []string{"nod", "hub", "net/httpd", "present/words"}, never: noExec},
	{of: "hub/attachment", may: []string{"nod"}, never: offNet},
	{of: "hub/archive", may: []string{"nod", "hub", "net/auth", "net/push", "net/passkey"}, never: offNet},
	{of: "hub/record", may: []string{"nod", "net/auth", "net/push", "net/passkey"}, never: offNet},
	{of: "hub/store/**", may: []string{"nod", "hub", "hub/archive", "hub/record", "hub/store/**", "net/auth", "net/push", "net/passkey", "sys/pause"}, never: []string{"net/http"}},

	{of: "net/notify", may: []string{"nod", "net/push", "present/risk", "present/words"}, never: pure},
	{of: "net/notify/channel", may: []string{"nod", "net/notify", "sys/pause"}, never: sql},
	{of: "net/mqttd/mosquitto", never: sql},
	{of: "net/**", may: []string{"nod", "client/v1", "net/**", "sys/**", "present/words"}, never: noExec},

	{of: "talk/chattest", may: []string{"nod", "hub", "hub/adapter", "hub/hubtest", "net/httpd", "surface/transcript", "talk", "talk/**"}, never: noExec},
	{of: "talk/**", may: []string{"nod", "hub", "talk", "present/**"}, never: append([]string{"net/http"}, noExec...)},

	{of: "agent/link/wire", may: []string{"nod"}, never: append([]string{"sync", "context"}, pure...)},
	{of: "agent/claude/wire", never: offNet},
	{of: "agent/claude/screen", may: []string{"nod"}, never: pure},
	{of: "agent/claude/asking", may: []string{"nod", "agent/claude/wire"}, never: pure},
	{of: "agent/claude/settings", may: []string{"agent/claude/wire", "present/diff", "sys/replace"}, never: offNet},
	{of: "agent/claude/hookprogram", may: []string{"agent/claude/settings", "agent/claude/wire"}, never: []string{"database/sql", "net"}},
	{of: "agent/claude/stdio", may: []string{"agent/claude/wire"}, never: []string{"database/sql", "net"}},
	{of: "agent/terminal/*", may: []string{"nod", "agent/terminal/**", "sys/**"}, never: append([]string{"net/http"}, sql...)},
	{of: "agent/mcp/server", may: []string{"nod", "sys/pause"}, never: append([]string{"os"}, noExec...)},
	{of: "agent/*", may: []string{"nod", "client/v1", "hub", "hub/adapter", "net/httpd", "present/words", "sys/**", "agent/claude/wire", "agent/claude/asking", "agent/claude/screen", "agent/claude/stdio", "own"}, never: sql},

	{of: "surface/transcript", never: offNet},
	{of: "surface/uplink", may: []string{"nod", "hub", "hub/adapter", "agent/link/wire", "sys/**"}, never: append([]string{"net/http"}, noExec...)},
	{of: "surface/*/*", never: noExec},
	{of: "surface/*", may: []string{"nod", "client/v1", "hub", "hub/adapter", "hub/attachment", "config", "judge/policy", "net/**", "present/**", "talk", "sys/**", "web", "own"}, never: noExec},

	{of: "hook", may: []string{"agent/claude/wire", "sys/datadir", "sys/version"}, never: append(sql, "regexp", "html", "text/template", "github.com", "charm.land")},
	{of: "client/v1", may: []string{"nod"}, never: append([]string{"sync", "context"}, pure...)},
	{of: "client", may: []string{"nod", "client/v1", "agent/link/wire"}, never: noExec},
	{of: "config", may: []string{"nod", "sys/replace"}, never: append([]string{"net/http"}, noExec...)},
	{of: "cli/term", may: []string{"nod", "present/words"}, never: offNet},
	{of: "cli/answer", may: []string{"nod", "present/risk"}, never: pure},
	{of: "cli/show", may: []string{"nod", "client/v1", "present/words", "cli/answer", "cli/term"}, never: pure},
	{of: "cli/follow", may: []string{"nod", "client/**", "sys/pause"}, never: append([]string{"os"}, noExec...)},
	{of: "cli/console", may: []string{"nod", "client/**", "present/words", "cli/show", "cli/term"}, never: noExec},
	{of: "cli/clitest", may: []string{"nod", "client/**", "present/words"}, never: noExec},
	{of: "cli/*", may: []string{"nod", "client/**", "present/**", "sys/pause", "cli/answer", "cli/console", "cli/follow", "cli/show", "cli/term"}, never: noExec},
	{of: "cli", may: []string{"nod", "client/**", "present/words", "cli/*"}, never: noExec},
	{of: "machine/**", may: []string{"nod", "app", "cli", "cli/**", "client/**", "config", "hook", "machine/**", "agent/claude/hookprogram", "agent/claude/wire", "agent/claude/settings", "agent/mcp/server", "agent/terminal/*", "hub/archive", "judge/policy", "net/**", "present/**", "sys/**"}, never: sql},
	{of: "app", may: []string{"**"}, never: sql},
}

// fits reports whether a name matches a pattern.
func fits(pattern, name string) bool {
	if all, ok := strings.CutSuffix(pattern, "/**"); ok {
		return name == all || strings.HasPrefix(name, all+"/")
	}
	ok, _ := path.Match(pattern, name)
	return ok || pattern == "**"
}

func ruleOf(name string) (rule, bool) {
	i := slices.IndexFunc(rules, func(r rule) bool { return fits(r.of, name) })
	if i < 0 {
		return rule{}, false
	}
	return rules[i], true
}

type listed struct {
	ImportPath string
	Imports    []string
}

// listPackages asks the go command, which knows build tags better than we do.
func listPackages(t *testing.T) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "nod/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	var list []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}

// ours is a package's name in the rules; ok is false for third-party packages.
func ours(path string) (name string, ok bool) {
	if path == "nod" {
		return path, true
	}
	if rest, ok := strings.CutPrefix(path, "nod/internal/"); ok {
		return rest, true
	}
	return strings.CutPrefix(path, "nod/")
}

func TestImportsFollowTheRules(t *testing.T) {
	used := map[string]bool{}
	for _, p := range listPackages(t) {
		us, _ := ours(p.ImportPath)
		if strings.HasPrefix(us, "e2e") {
			continue // tests may look at everything
		}
		r, known := ruleOf(us)
		if !known {
			t.Errorf("no rule says what %s may import", us)
			continue
		}
		used[r.of] = true
		for _, imported := range p.Imports {
			name, isOurs := ours(imported)
			if isOurs && !slices.ContainsFunc(r.may, func(may string) bool {
				return fits(may, name) || may == "own" && strings.HasPrefix(name, us+"/")
			}) {
				t.Errorf("%s must not import %s", us, name)
			}
			for _, never := range r.never {
				if imported == never || strings.HasPrefix(imported, never+"/") {
					t.Errorf("%s must not import %s", us, imported)
				}
			}
		}
	}
	for _, r := range rules {
		if !used[r.of] {
			t.Logf("no package needs the rule for %s", r.of)
		}
	}
}

// An adapter is a folder of agent, surface or hub/store. What one needs from another,
// app passes to it as a typed argument.
func TestNoAdapterImportsAnother(t *testing.T) {
	adapter := func(name string) bool {
		return fits("agent/*", name) || fits("surface/*", name) && name != "surface/transcript" || fits("hub/store/*", name)
	}
	for _, p := range listPackages(t) {
		us, _ := ours(p.ImportPath)
		for _, imported := range p.Imports {
			if name, ok := ours(imported); ok && adapter(us) && adapter(name) {
				t.Errorf("%s must not import %s", us, name)
			}
		}
	}
}

// A package whose name ends in test is for tests: no program may link it.
func TestProgramsLinkNothingForTests(t *testing.T) {
	for _, p := range listPackages(t) {
		for _, imported := range p.Imports {
			if name, ok := ours(imported); ok && strings.HasSuffix(name, "test") && !strings.HasSuffix(p.ImportPath, "test") && !strings.HasPrefix(p.ImportPath, "nod/e2e") {
				t.Errorf("%s must not import %s", p.ImportPath, name)
			}
		}
	}
}

// The first look into internal/ should show the architecture.
func TestDirectoryTreeIsSmall(t *testing.T) {
	top := map[string]bool{}
	for _, p := range listPackages(t) {
		if rest, ok := strings.CutPrefix(p.ImportPath, "nod/internal/"); ok {
			first, _, _ := strings.Cut(rest, "/")
			top[first] = true
		}
	}
	if len(top) > 15 {
		t.Errorf("internal/ has %d folders, more than 15", len(top))
	}
}
