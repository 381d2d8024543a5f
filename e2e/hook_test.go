package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
)

// Whatever form settings have, the real Claude Code starts the hook, and it waits
// and delivers: the form of earlier releases, one with a data directory, and a
// program in a folder whose name a shell would split.
func TestEveryFormOfTheHook(t *testing.T) {
	for name, form := range map[string]func(w *world) (program string, args []string){
		"nod hook, of an earlier release": func(*world) (string, []string) { return binary, []string{"hook"} },
		"with a data directory":           func(w *world) (string, []string) { return hookBinary, []string{"--data", w.data} },
		"in a folder with a space": func(w *world) (string, []string) {
			dir := filepath.Join(w.Home, "my tools")
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, "nod-hook")
			if err := os.Symlink(hookBinary, path); err != nil {
				t.Fatal(err)
			}
			return path, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, rig.Options{})
			program, args := form(w)
			w.installHooks(t, program, args...)
			call := fakeapi.Bash(`python3 -c "print(6*7)"`)
			w.API.On("run the sum", fakeapi.Use(call), fakeapi.Say("all done"))
			s := w.StartTUI(t)
			s.Prompt(t, "run the sum")
			r := w.one(t)
			w.ok(t, "allow", string(r.ID))
			if got := s.WaitToolResult(t, call.ID); strings.TrimSpace(got.Text) != "42" {
				t.Errorf("the model was told %+v", got)
			}
			r = w.reached(t, r.ID, nod.StepApplied)
			if _, ok := r.Receipt(nod.StepDelivered); !ok {
				t.Errorf("the delivery was not recorded: %+v", r.Receipts)
			}
		})
	}
}
