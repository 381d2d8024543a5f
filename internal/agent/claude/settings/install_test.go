package settings

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/tailscale/hujson"
)

func TestInstallWritesInTheStyleOfTheFile(t *testing.T) {
	for _, e := range examples(t) {
		t.Run(e.name, func(t *testing.T) {
			file := settingsFile(t, e.before)
			c := install(t, file, wanted())
			if *update {
				saveExample(t, e.name, c.After)
				return
			}
			if got := read(t, file); !bytes.Equal(got, e.after) {
				t.Errorf("file is\n%s\nwant\n%s", got, e.after)
			}
			if (len(c.Warnings) > 0) != e.warns {
				t.Errorf("warnings: %q", c.Warnings)
			}
			if !c.Changed || c.Created || !bytes.Equal(c.Before, e.before) || c.Diff == "" {
				t.Errorf("change does not tell the story: %+v", c)
			}
		})
	}
}

func TestSecondInstallChangesNothing(t *testing.T) {
	for _, e := range examples(t) {
		t.Run(e.name, func(t *testing.T) {
			file := settingsFile(t, e.before)
			first := install(t, file, wanted())
			second := install(t, file, wanted())
			if second.Changed || second.Diff != "" || second.Backup != "" || !bytes.Equal(read(t, file), first.After) {
				t.Errorf("second install changed:\n%s", second.Diff)
			}
		})
	}
}

func TestInstallKeepsEverythingElse(t *testing.T) {
	for _, e := range examples(t) {
		t.Run(e.name, func(t *testing.T) {
			after := install(t, settingsFile(t, e.before), wanted()).After
			if got, want := stripped(t, after), stripped(t, e.before); !reflect.DeepEqual(got, want) {
				t.Errorf("other settings are now\n%v\nbefore\n%v", got, want)
			}
			if !e.ours {
				onlyAdds(t, e.before, after)
			}
		})
	}
}

// onlyAdds: apart from white space and commas every byte of before is in after, in order.
func onlyAdds(t *testing.T, before, after []byte) {
	t.Helper()
	skip := func(b byte) bool { return strings.IndexByte(" \t\r\n,", b) >= 0 }
	i := 0
	for _, b := range after {
		for i < len(before) && skip(before[i]) {
			i++
		}
		if i < len(before) && b == before[i] {
			i++
		}
	}
	if rest := bytes.Trim(before[i:], " \t\r\n,"); len(rest) > 0 {
		t.Errorf("lost from here on: %q", rest)
	}
}

// stripped is the document as a JSON value without our handlers and without empty containers under hooks.
func stripped(t testing.TB, raw []byte) map[string]any {
	t.Helper()
	d, err := parse("test", raw)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.remove(IsNod); err != nil {
		t.Fatal(err)
	}
	if d.blank {
		return map[string]any{}
	}
	standard, err := hujson.Standardize(bytes.Clone(d.root.Pack()))
	if err != nil {
		t.Fatal(err)
	}
	var v map[string]any
	exact := json.NewDecoder(bytes.NewReader(standard))
	exact.UseNumber() // 8e400 is a JSON number but no float64
	if err := exact.Decode(&v); err != nil {
		t.Fatal(err)
	}
	if hooks, ok := v["hooks"].(map[string]any); ok {
		for event, groups := range hooks {
			if list, ok := groups.([]any); ok && len(list) == 0 {
				delete(hooks, event)
			}
		}
		if len(hooks) == 0 {
			delete(v, "hooks")
		}
	}
	return v
}

func TestAnotherBinaryReplacesTheOldOne(t *testing.T) {
	for _, e := range examples(t) {
		t.Run(e.name, func(t *testing.T) {
			file := settingsFile(t, e.before)
			old := wanted()
			for i := range old {
				old[i].Command, old[i].Timeout = "/previous & old/nod", 7
			}
			install(t, file, old)
			moved := install(t, file, wanted())
			if bytes.Contains(moved.After, []byte("previous")) {
				t.Errorf("the old path is still there:\n%s", moved.After)
			}
			if got, want := stripped(t, moved.After), stripped(t, e.before); !reflect.DeepEqual(got, want) {
				t.Errorf("other settings are now\n%v\nbefore\n%v", got, want)
			}
			if back := remove(t, file); !e.ours && !bytes.Equal(back.After, e.before) {
				t.Errorf("removing after a move gives\n%s", back.After)
			}
		})
	}
}

func TestMissingEventsAreAdded(t *testing.T) {
	file := settingsFile(t, []byte("{\n  \"model\": \"opus\"\n}\n"))
	install(t, file, wanted()[:1])
	c := install(t, file, wanted())
	d, err := parse(file, c.After)
	if err != nil {
		t.Fatal(err)
	}
	if found, _ := d.ours(IsNod); len(found) != 3 {
		t.Errorf("found %d of our handlers, want 3:\n%s", len(found), c.After)
	}
	if back := remove(t, file); string(back.After) != "{\n  \"model\": \"opus\"\n}\n" {
		t.Errorf("removing gives %q", back.After)
	}
}

func TestMissingFileIsCreatedPrivately(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a", "b", "settings.json")
	c := install(t, file, wanted())
	if !c.Created || c.Before != nil || c.Backup != "" || !strings.Contains(c.Diff, "--- /dev/null\n") {
		t.Errorf("%+v", c)
	}
	wantMode(t, filepath.Dir(file), 0o700)
	wantMode(t, file, 0o600)
	if !bytes.HasSuffix(c.After, []byte("}\n")) {
		t.Errorf("a new file should end in a newline: %q", c.After)
	}
	if back := remove(t, file); !back.Deleted || back.After != nil {
		t.Errorf("%+v", back)
	}
	alone(t, filepath.Dir(file))
}

func TestBlankFileCountsAsEmptyObject(t *testing.T) {
	for _, blank := range []string{"", " \n\t", "\r\n\r\n", byteOrderMark} {
		file := settingsFile(t, []byte(blank))
		c := install(t, file, wanted())
		if !json.Valid(bytes.TrimPrefix(c.After, []byte(byteOrderMark))) {
			t.Errorf("%q became %q", blank, c.After)
		}
		if strings.Contains(blank, "\r\n") != bytes.Contains(c.After, []byte("\r\n")) {
			t.Errorf("newline style of %q is lost", blank)
		}
		if back := remove(t, file); string(back.After) != blank || !back.Restored {
			t.Errorf("%q came back as %q", blank, back.After)
		}
		alone(t, filepath.Dir(file), "settings.json")
	}
}

func TestPlanTouchesNothing(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "deep", "settings.json")
	c, err := PlanInstall(file, wanted(), Options{})
	if err != nil || !c.Changed || !c.Created || len(c.After) == 0 {
		t.Errorf("%+v, %v", c, err)
	}
	if c, err := PlanRemove(file, nil); err != nil || c.Changed {
		t.Errorf("%+v, %v", c, err)
	}
	alone(t, dir)
}

func TestHooksThatCouldNotBeFoundAgainAreRefused(t *testing.T) {
	for name, h := range map[string]Hook{
		"no event":         {Command: binary, Args: []string{"hook"}},
		"no command":       {Event: "Stop", Args: []string{"hook"}},
		"another program":  {Event: "Stop", Command: "/bin/nodd", Args: []string{"hook"}},
		"another argument": {Event: "Stop", Command: binary, Args: []string{"serve"}},
		"negative timeout": {Event: "Stop", Command: binary, Args: []string{"hook"}, Timeout: -1},
		"broken text":      {Event: "Stop", Command: "/\xff/nod", Args: []string{"hook"}},
	} {
		file := settingsFile(t, []byte("{}"))
		if _, err := Install(file, []Hook{h}, Options{}); err == nil {
			t.Errorf("%s was accepted", name)
		}
		alone(t, filepath.Dir(file), "settings.json")
	}
	twice := append(wanted(), wanted()...)
	if _, err := PlanInstall(settingsFile(t, []byte("{}")), twice, Options{}); err == nil {
		t.Error("the same hook twice was accepted")
	}
}
