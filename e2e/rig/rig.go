// Package rig runs the real Claude Code for a test, isolated from the machine: empty environment, own home, a fake
// key and a fake API on loopback. It knows nothing of nod.
package rig

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"nod/e2e/fakeapi"
)

// Options configure Claude Code. The zero value is a fresh install in default mode.
type Options struct {
	Settings []byte            // the user's settings.json; nil for none
	Env      map[string]string // on top of the rig's own; an empty value removes a variable
	Mode     string            // --permission-mode, "default" if empty
	Args     []string          // further flags for every start, e.g. --mcp-config
}

// Rig is one fake user on one fake machine. It can run any number of sessions.
type Rig struct {
	API       *fakeapi.API
	Home      string
	ConfigDir string // CLAUDE_CONFIG_DIR
	Dir       string // the project, trusted; working directory of every session

	claude string
	root   string
	opts   Options
}

// New sets up a rig that is removed when the test ends. It skips the test where Claude Code is not installed.
// NOD_E2E_KEEP=1 keeps the rig's files for inspection.
func New(t testing.TB, opts Options) *Rig {
	t.Helper()
	r := &Rig{claude: NeedClaude(t), opts: opts, root: newRoot(t)}
	r.Home, r.ConfigDir, r.Dir = r.in("home"), r.in("config"), r.in("project")
	for _, dir := range []string{r.Home, r.ConfigDir, r.Dir, r.in("tmp")} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	MakeRepository(t, r.Dir)
	r.seedOnboarding(t)
	if opts.Settings != nil {
		writeFile(t, filepath.Join(r.ConfigDir, "settings.json"), opts.Settings)
	}
	r.API = fakeapi.Start()
	t.Cleanup(r.API.Close)
	return r
}

// newRoot does not use t.TempDir: its paths exceed the 108 bytes of a unix socket, and it fails the test when a dying
// process still writes.
func newRoot(t testing.TB) string {
	root, err := os.MkdirTemp("", "nod-e2e-")
	if err != nil {
		t.Fatal(err)
	}
	if root, err = filepath.EvalSymlinks(root); err != nil { // trust is stored by real path
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if os.Getenv("NOD_E2E_KEEP") != "" {
			t.Logf("rig kept in %s", root)
			return
		}
		_ = os.RemoveAll(root) // best effort: see above
	})
	return root
}

// MakeRepository makes a folder an empty git repository: Claude Code keeps a project's settings in the nearest
// repository, which could be one above the temporary folder.
func MakeRepository(t testing.TB, dir string) {
	t.Helper()
	for _, part := range []string{"objects", "refs"} {
		if err := os.MkdirAll(filepath.Join(dir, ".git", part), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	writeFile(t, filepath.Join(dir, ".git", "HEAD"), []byte("ref: refs/heads/main\n"))
}

func (r *Rig) in(name string) string { return filepath.Join(r.root, name) }

// seedOnboarding answers the questions of a first start. A key is remembered by its last 20 characters.
func (r *Rig) seedOnboarding(t testing.TB) {
	seed := map[string]any{
		"hasCompletedOnboarding": true,
		"customApiKeyResponses":  map[string]any{"approved": []string{madeUpKey[len(madeUpKey)-20:]}, "rejected": []string{}},
		"projects":               map[string]any{r.Dir: map[string]any{"hasTrustDialogAccepted": true}},
	}
	raw, err := json.Marshal(seed)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(r.ConfigDir, ".claude.json"), raw)
}

func (r *Rig) args(more ...string) []string {
	mode := r.opts.Mode
	if mode == "" {
		mode = "default"
	}
	// Some flags, like --mcp-config, take all words up to the next flag: keep them away from a prompt.
	return slices.Concat(r.opts.Args, []string{"--permission-mode", mode}, more)
}

func writeFile(t testing.TB, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}
