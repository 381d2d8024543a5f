package hook

import (
	"path/filepath"
	"runtime"
	"testing"

	"nod/internal/agent/claude/wire"
	"nod/internal/sys/datadir"
)

// The arguments decide which data directory a hook uses; without any and without
// a home there is none, and the hook does nothing.
func TestDataDirOfAHook(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	getenv := func(name string) string {
		return map[string]string{"HOME": home, "USERPROFILE": home}[name]
	}
	usual, err := datadir.Find(getenv, runtime.GOOS)
	if err != nil {
		t.Fatal(err)
	}
	none := func(string) string { return "" }
	for _, c := range []struct {
		args   []string
		getenv func(string) string
		want   string
	}{
		{nil, getenv, usual},
		{[]string{wire.DataFlag, "/elsewhere"}, getenv, "/elsewhere"},
		{[]string{wire.DataFlag, "/elsewhere"}, none, "/elsewhere"},
		{nil, none, ""},
	} {
		if got := dataDir(c.args, c.getenv); got != c.want {
			t.Errorf("%q: %q, want %q", c.args, got, c.want)
		}
	}
}
