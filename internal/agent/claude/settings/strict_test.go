package settings

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

func TestAFileThatClaudeCodeIgnoresIsRefused(t *testing.T) {
	files := ignored(t)
	for text, refusal := range map[string]string{
		`{"a": 1,}`:                                    "1:8 a trailing comma",
		"{\n  \"a\": [1, 2,\n  ]\n}":                   "2:13 a trailing comma",
		`{"a": "//, }", "b": [],}`:                     "1:23 a trailing comma",
		"{\"a\": 1, // why\n}":                         "1:8 a trailing comma",
		"{\"a\": 1, // why\n\"b\": 2}":                 "1:10 a comment",
		"{\"ä\": \"\\\"//\", \"b\": 2\n/* c */}":       "2:1 a comment",
		byteOrderMark + "{}\n// bye":                   "2:1 a comment",
		`{"hooks": {"Stop": [{"hooks": [{}]}, ], }, }`: "1:36 a trailing comma",
	} {
		files = append(files, example{name: text, before: []byte(text), refusal: refusal})
	}
	for _, e := range files {
		t.Run(e.name, func(t *testing.T) {
			file := settingsFile(t, e.before)
			for _, edit := range []func(string, []Hook, Options) (Change, error){PlanInstall, Install} {
				_, err := edit(file, wanted(), Options{})
				wantRefusal(t, err, file, e.refusal)
			}
			if !bytes.Equal(read(t, file), e.before) {
				t.Error("the file was touched")
			}
			alone(t, filepath.Dir(file), "settings.json")
			if c := remove(t, file); c.Changed || len(c.Warnings) == 0 {
				t.Errorf("nothing of ours is in there, but: %+v", c)
			}
		})
	}
}

func wantRefusal(t *testing.T, err error, file, refusal string) {
	t.Helper()
	e, ok := errors.AsType[*FileError](err)
	if !ok || !errors.Is(err, ErrIgnored) || e.File != file || e.Fix == "" {
		t.Fatalf("error is %v", err)
	}
	place, what, _ := strings.Cut(refusal, " ")
	if fmt.Sprintf("%d:%d", e.Line, e.Column) != place || !strings.Contains(e.Problem, what) || !strings.Contains(e.Problem, "ignores the whole file") {
		t.Errorf("got %v, want %s", e, refusal)
	}
}

func TestAnIgnoredFileHasNoLiveHookAndNoSwitch(t *testing.T) {
	p := world(t, "-- home/.claude/settings.json --\n{\"disableAllHooks\": true, // for now\n"+
		`"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "nod hook"}]}]}}`+"\n")
	r := Inspect(p)
	user := r.Files[len(r.Files)-1]
	if !errors.Is(user.Err, ErrIgnored) || len(user.Handlers) != 1 || len(r.Live("Stop")) != 0 || len(r.Silencers(User)) != 0 {
		t.Errorf("%+v", r)
	}
}
