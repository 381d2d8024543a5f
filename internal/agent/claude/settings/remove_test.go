package settings

import (
	"bytes"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestInstallThenRemoveGivesTheBytesBack(t *testing.T) {
	for _, e := range examples(t) {
		t.Run(e.name, func(t *testing.T) {
			file := settingsFile(t, e.before)
			install(t, file, wanted())
			c := remove(t, file)
			if e.ours { // what was there before was ours as well, so it goes
				if c.Restored || strings.Contains(string(c.After), "/nod") {
					t.Errorf("ours came back:\n%s", c.After)
				}
				return
			}
			if got := read(t, file); !bytes.Equal(got, e.before) || !c.Restored {
				t.Errorf("file is\n%s\nwant\n%s", got, e.before)
			}
			alone(t, filepath.Dir(file), "settings.json")
			if again := remove(t, file); again.Changed {
				t.Errorf("a second remove changed:\n%s", again.Diff)
			}
		})
	}
}

// Settings that an earlier release wrote name `nod hook`. Install changes them to nod-hook, in place, and Remove
// still gives back the bytes from before the first of the two.
func TestTheEarlierFormIsReplacedAndRemoved(t *testing.T) {
	for _, e := range examples(t) {
		t.Run(e.name, func(t *testing.T) {
			file := settingsFile(t, e.before)
			install(t, file, wanted())
			c := install(t, file, tiny())
			d, err := parse(file, c.After)
			if err != nil {
				t.Fatal(err)
			}
			present, err := d.ours(IsNod)
			if err != nil || len(present) != len(tiny()) {
				t.Fatalf("%d handlers, %v in\n%s", len(present), err, c.After)
			}
			for _, p := range present {
				if p.Command != binary+"-hook" || p.Args == nil {
					t.Errorf("%s starts %q with %q", p.Event, p.Command, p.Args)
				}
			}
			if again := install(t, file, tiny()); again.Changed {
				t.Errorf("a second install changed:\n%s", again.Diff)
			}
			c = remove(t, file)
			if e.ours {
				if c.Restored || strings.Contains(string(c.After), "/nod") {
					t.Errorf("ours came back:\n%s", c.After)
				}
				return
			}
			if !bytes.Equal(c.After, e.before) || !c.Restored {
				t.Errorf("file is\n%s\nwant\n%s", c.After, e.before)
			}
		})
	}
}

// Without the record (lost, or another machine) only white space and empty containers may differ.
func TestRemoveWithoutARecord(t *testing.T) {
	for _, e := range append(examples(t), ignored(t)...) {
		t.Run(e.name, func(t *testing.T) {
			file := settingsFile(t, e.after)
			c := remove(t, file)
			if c.Restored || c.Deleted {
				t.Errorf("%+v", c)
			}
			if got, want := stripped(t, c.After), stripped(t, e.before); !reflect.DeepEqual(got, want) {
				t.Errorf("settings are now\n%v\nbefore\n%v", got, want)
			}
			if got, want := commentsIn(c.After), commentsIn(e.before); got != want {
				t.Errorf("comments are now %q, before %q", got, want)
			}
		})
	}
}

func commentsIn(text []byte) string {
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '"' {
			for i++; text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		} else if n := commentLength(text[i:]); n > 0 {
			out.WriteString(strings.TrimSpace(string(text[i:min(i+n+1, len(text))])) + "\n")
			i += n
		}
	}
	return out.String()
}

func TestRemoveKeepsWhatThePersonChangedMeanwhile(t *testing.T) {
	for _, e := range append(examples(t), ignored(t)...) {
		t.Run(e.name, func(t *testing.T) {
			file, after := settingsFile(t, e.before), e.after
			if e.refusal == "" {
				after = install(t, file, wanted()).After
			}
			edited := bytes.Replace(after, []byte("{"), []byte(`{"mine":"yes",`), 1)
			write(t, file, edited)
			c := remove(t, file)
			want := stripped(t, e.before)
			want["mine"] = "yes"
			if got := stripped(t, c.After); !reflect.DeepEqual(got, want) || c.Restored {
				t.Errorf("settings are now\n%v\nwant\n%v", got, want)
			}
			if strings.Contains(string(c.After), binary) || c.Backup == "" || !bytes.Equal(read(t, c.Backup), edited) {
				t.Errorf("removed badly or without a backup:\n%s", c.After)
			}
		})
	}
}

func TestCreatedFileWithAnEditStays(t *testing.T) {
	file := filepath.Join(t.TempDir(), "settings.json")
	after := install(t, file, wanted()).After
	write(t, file, bytes.Replace(after, []byte("{"), []byte(`{"mine": 1,`), 1))
	if c := remove(t, file); c.Deleted || string(c.After) != "{\"mine\": 1\n}\n" {
		t.Errorf("%q", c.After)
	}
}

func TestCreatedFileThatIsEmptyAgainGoes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "settings.json")
	after := install(t, file, wanted()).After
	write(t, file, append(after, '\n'))
	if c := remove(t, file); !c.Deleted {
		t.Errorf("%+v", c)
	}
}

func TestRemoveOfNothing(t *testing.T) {
	dir := t.TempDir()
	if c := remove(t, filepath.Join(dir, "none", "settings.json")); c.Changed {
		t.Errorf("%+v", c)
	}
	alone(t, dir)
	other := []byte(`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say hook"}]}],"Setup":[]}}`)
	file := settingsFile(t, other)
	if c := remove(t, file); c.Changed {
		t.Errorf("%s", c.Diff)
	}
	alone(t, filepath.Dir(file), "settings.json")
}

func TestRemoveForgetsAFileThatIsGone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "settings.json")
	install(t, file, wanted())
	mustRemove(t, file)
	if c := remove(t, file); c.Changed {
		t.Errorf("%+v", c)
	}
	alone(t, filepath.Dir(file))
}

func TestADamagedBackupIsNotRestored(t *testing.T) {
	before := []byte("{\n  \"model\": \"opus\"\n}\n")
	for name, harm := range map[string]func(backup, record string){
		"backup changed": func(backup, _ string) { write(t, backup, []byte("{}")) },
		"backup gone":    func(backup, _ string) { mustRemove(t, backup) },
		"record broken":  func(_, record string) { write(t, record, []byte("{")) },
		"record leads elsewhere": func(backup, record string) {
			write(t, record, bytes.ReplaceAll(read(t, record), []byte(filepath.Base(backup)), []byte("../../etc/passwd")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			file := settingsFile(t, before)
			harm(install(t, file, wanted()).Backup, file+recordSuffix)
			if c := remove(t, file); c.Restored || !bytes.Equal(c.After, before) {
				t.Errorf("%q", c.After)
			}
		})
	}
}
