package terminal

import (
	"os"
	"strings"
	"testing"
	"time"

	"nod/internal/agent/claude/screen"
)

// What will run is the first thing that a person reads of a command's dialog.
func TestTextOfACommandsDialogBeginsWithTheCommand(t *testing.T) {
	raw, err := os.ReadFile("../claude/screen/testdata/permission.txt")
	if err != nil {
		t.Fatal(err)
	}
	r, ok := requestOf(screen.Parse(string(raw)).Dialog, time.Now())
	if !ok || !strings.HasPrefix(r.Display, "python3 -c \"print(1)\"\nrun it\n") || strings.Contains(r.Display, "Tip:") {
		t.Errorf("%q", r.Display)
	}
}
