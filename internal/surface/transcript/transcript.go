// Package transcript is for tests alone: conversations on a wire that anyone can
// read, in files, are played again and compared.
package transcript

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// Update is -update: what comes back now is written into the files. A package whose
// tests keep other files too reads it here, because a flag is declared once.
var Update = flag.Bool("update", false, "write the files that tests compare with anew")

// Each plays every testdata/*.txtar in a test of its own.
func Each(t *testing.T, play func(*testing.T, *File)) {
	t.Helper()
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			play(t, &File{archive})
			if *Update {
				if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// File is one transcript: steps, and after each what comes back.
type File struct{ archive *txtar.Archive }

// About is what the file says before its first step.
func (f *File) About() string { return string(f.archive.Comment) }

// Step is one thing that is done, and the name it has in the file.
type Step struct{ Name, Text string }

// Play does the steps one after the other. It is apart from Each, so that a rig can
// be made around it, in a bubble too.
func (f *File) Play(t testing.TB, do func(Step) string) {
	t.Helper()
	files := f.archive.Files
	if len(files)%2 != 0 {
		t.Fatalf("%s: nothing comes back", files[len(files)-1].Name)
	}
	for i := 0; i < len(files); i += 2 {
		step, want := files[i], &files[i+1]
		got := do(Step{step.Name, string(step.Data)})
		if *Update {
			want.Data = []byte(got)
		} else if got != string(want.Data) {
			t.Errorf("%s:\n%s\nwant:\n%s", step.Name, got, want.Data)
		}
	}
}

// Before takes away the lines at the top that begin with !, and lets each happen.
func (s *Step) Before(happen func(what string)) {
	for strings.HasPrefix(s.Text, "!") {
		line, rest, _ := strings.Cut(s.Text, "\n")
		happen(strings.TrimSpace(line[1:]))
		s.Text = rest
	}
}
