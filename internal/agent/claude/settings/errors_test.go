package settings

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWrongFilesAreRefusedWithPlaceAndAdvice(t *testing.T) {
	deep := strings.Repeat("[", 300) + strings.Repeat("]", 300)
	tests := map[string]struct {
		text         string
		line, column int
		says         string
	}{
		"array on top":               {"\n  [1]", 2, 3, "the top level is an array"},
		"string on top":              {`"x"`, 1, 1, "the top level is a string"},
		"hooks is an array":          {"{\n  \"hooks\": []\n}", 2, 12, `"hooks" is an array, not an object`},
		"hooks is null":              {`{"hooks": null}`, 1, 11, `"hooks" is null`},
		"event is an object":         {`{"hooks": {"Stop": {}}}`, 1, 20, "hooks.Stop is an object, not an array"},
		"wanted event is a string":   {`{"hooks": {"SessionStart": "x"}}`, 1, 28, "hooks.SessionStart is a string"},
		"missing comma":              {"{\n  \"ä\": 1 \"b\": 2\n}", 2, 10, "invalid character '\"' after object value"},
		"cut off":                    {"{\n  \"a\": [1,", 2, 11, "ends in the middle"},
		"cut off in a string":        {`{"a": "secret`, 1, 14, "ends in the middle"},
		"open comment":               {"{} /* x", 1, 4, "ends in the middle"},
		"bad literal":                {`{"a": sk-ant-secret}`, 1, 7, "invalid literal"},
		"bad escape":                 {`{"a": "secret\x"}`, 1, 7, "invalid literal"},
		"text behind":                {"{}\n{}", 2, 1, "after top-level value"},
		"not UTF-8":                  {"{\n\"a\": \"\xff\"}", 2, 7, "0xff is not valid UTF-8"},
		"UTF-16":                     {"\xff\xfe{\x00}\x00", 1, 1, "not valid UTF-8"},
		"name twice on top":          {"{\"hooks\": {},\n \"h\\u006foks\": {}}", 2, 2, `"hooks" appears twice`},
		"event twice":                {`{"hooks": {"Stop": [], "Stop": []}}`, 1, 24, `"Stop" appears twice`},
		"name twice in a handler":    {`{"hooks": {"Stop": [{"hooks": [{"type": "a", "type": "b"}]}]}}`, 1, 46, `"type" appears twice`},
		"nested beyond reason":       {`{"a": ` + deep + `}`, 1, 262, "nested"},
		"larger than Claude accepts": {`{"a": "` + strings.Repeat("x", maxSize) + `"}`, 0, 0, "larger than 2 MiB"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			file := settingsFile(t, []byte(tt.text))
			_, err := Install(file, wanted(), Options{})
			wantFileError(t, err, file, tt.line, tt.column, tt.says)
			_, err = Remove(file, nil, Options{})
			wantFileError(t, err, file, tt.line, tt.column, tt.says)
			if string(read(t, file)) != tt.text {
				t.Error("the file was touched")
			}
			alone(t, filepath.Dir(file), "settings.json")
		})
	}
}

func wantFileError(t *testing.T, err error, file string, line, column int, says string) {
	t.Helper()
	e, ok := errors.AsType[*FileError](err)
	if !ok {
		t.Fatalf("error is %v", err)
	}
	if e.File != file || e.Line != line || e.Column != column || !strings.Contains(e.Problem, says) || e.Fix == "" {
		t.Errorf("got %v, want %d:%d %s", e, line, column, says)
	}
	if strings.Contains(e.Error(), "secret") {
		t.Errorf("the message shows the contents: %v", e)
	}
}

func TestARepeatedNameElsewhereIsOnlyMentioned(t *testing.T) {
	c := install(t, settingsFile(t, []byte(`{"env": {"A": "1", "A": "2"}}`)), wanted())
	if len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], `"A" appears twice`) {
		t.Errorf("%q", c.Warnings)
	}
}

func TestPathsThatAreNoSettingsFile(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "file"), []byte("{}"))
	if err := os.Symlink("nowhere", filepath.Join(dir, "dangling")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("loop", filepath.Join(dir, "loop")); err != nil {
		t.Fatal(err)
	}
	for path, says := range map[string]string{
		dir:                                "this is a directory",
		filepath.Join(dir, "file", "x"):    "a part of the path is a file",
		filepath.Join(dir, "file/x", "y"):  "a part of the path is a file",
		filepath.Join(dir, "dangling"):     "leads nowhere",
		filepath.Join(dir, "loop"):         "leads nowhere",
		"/dev/null":                        "not a regular file",
		filepath.Join(dir, "\x00", "file"): "cannot read",
	} {
		for _, edit := range []func() (Change, error){
			func() (Change, error) { return Install(path, wanted(), Options{}) },
			func() (Change, error) { return Remove(path, nil, Options{}) },
		} {
			_, err := edit()
			if e, ok := errors.AsType[*FileError](err); !ok || !strings.Contains(e.Problem, says) || e.File != path {
				t.Errorf("%q: %v", path, err)
			}
		}
	}
	alone(t, dir, "dangling", "file", "loop")
}
