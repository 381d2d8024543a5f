package settings

import "testing"

func TestIsNod(t *testing.T) {
	tests := []struct {
		command string
		args    []string
		ours    bool
	}{
		{"/usr/bin/nod", []string{"hook"}, true},
		{"nod", []string{"hook", "permission"}, true},
		{`C:\Program Files\nod\NOD.EXE`, []string{"hook"}, false}, // our file is called nod.exe
		{`C:\Program Files\nod\nod.EXE`, []string{"hook"}, true},
		{"nod hook", nil, true},
		{"  /opt/my\\ tools/nod   hook  --verbose ", nil, true},
		{`"/opt/my tools/nod" hook`, nil, true},
		{`'/opt/my tools/nod' 'hook'`, nil, true},
		{`"$HOME/bin/nod" hook`, nil, true},
		{`C:\tools\nod.exe hook`, nil, true},
		{"/usr/bin/nod-hook", []string{}, true},
		{"/usr/bin/nod-hook", []string{"--data", "/srv/nod"}, true},
		{"/opt/my tools/nod-hook", []string{}, true},
		{`C:\Program Files\nod\nod-hook.exe`, []string{}, true},
		{"nod-hook", nil, true},
		{`"/opt/my tools/nod-hook" --data /srv/nod`, nil, true},
		{"nod-hook | tee log", nil, false},
		{"/usr/bin/nod-hooks", []string{}, false},
		{"nod hook", []string{}, false}, // a program of that name: without a shell the line is not split
		{"nod", nil, false},
		{"nod", []string{}, false},
		{"nod serve", nil, false},
		{"/usr/bin/nod", []string{"serve", "hook"}, false},
		{"/usr/bin/nodder", []string{"hook"}, false},
		{"/nod/x", []string{"hook"}, false},
		{".exe", []string{"hook"}, false},
		{"nod hook; other", nil, false},
		{"nod hook && other", nil, false},
		{"cat | nod hook", nil, false},
		{"nod hook > log", nil, false},
		{"nod hook $(other)", nil, false},
		{"nod hook `other`", nil, false},
		{"nod hook \"$(other)\"", nil, false},
		{"nod 'hook", nil, false},
		{"echo nod hook", nil, false},
		{"", nil, false},
		{" ", nil, false},
		{`''`, nil, false},
	}
	for _, tt := range tests {
		if got := IsNod(tt.command, tt.args); got != tt.ours {
			t.Errorf("IsNod(%q, %q) = %v", tt.command, tt.args, got)
		}
	}
}
