package wire

import (
	"os"
	"path/filepath"
	"testing"
)

func TestACommandInTheBackgroundLeavesASessionIdle(t *testing.T) {
	file := filepath.Join(t.TempDir(), "status.json")
	for told, want := range map[string]string{"idle": StatusIdle, "shell": StatusIdle, "busy": StatusBusy, "waiting": StatusWaiting} {
		if err := os.WriteFile(file, []byte(`{"sessionId":"s","status":"`+told+`"}`), 0o600); err != nil {
			t.Fatal(err)
		}
		if s, ok := ReadStatus(file); !ok || s.State != want {
			t.Errorf("%s reads as %+v, %v", told, s, ok)
		}
	}
}
