package attachment

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nod"
)

func TestFileKeepsItsName(t *testing.T) {
	s := FileStore{Dir: filepath.Join(t.TempDir(), "attachments"), Now: time.Now}
	for given, want := range map[string]string{
		"photo.jpg":                       "photo.jpg",
		"../../etc/passwd":                "passwd",
		`C:\Users\anna\a b.txt`:           "a_b.txt",
		"..":                              "file",
		"-rf":                             "rf",
		".bashrc":                         "bashrc",
		"$(touch x);`y`\n":                "__touch_x___y__",
		"zażółć 図.png":                    "zażółć_図.png",
		strings.Repeat("ż", 500) + ".txt": strings.Repeat("ż", 58) + ".txt",
		"\xff\xfe":                        "_",
		"\u202egnp.exe":                   "_gnp.exe",
		"":                                "file",
	} {
		a, err := s.Keep(t.Context(), given, strings.NewReader("content"))
		if err != nil {
			t.Fatal(err)
		}
		if a.Name != want {
			t.Errorf("%q became %q", given, a.Name)
		}
		if text, err := os.ReadFile(a.Path); err != nil || string(text) != "content" || filepath.Dir(filepath.Dir(a.Path)) != s.Dir {
			t.Errorf("%q is %q in %s, %v", given, text, a.Path, err)
		}
		if found, err := s.Find(t.Context(), a.ID); err != nil || found != a {
			t.Errorf("found %+v, %v", found, err)
		}
	}
}

func TestTooLargeOrOldFilesAreNotKept(t *testing.T) {
	now := time.Now()
	s := FileStore{Dir: t.TempDir(), Now: func() time.Time { return now }}
	if _, err := s.Keep(t.Context(), "film", io.LimitReader(zeros{}, MostBytes+1)); nod.CodeOf(err) != nod.TooLarge {
		t.Errorf("too large: %v", err)
	}
	if left, _ := os.ReadDir(s.Dir); len(left) != 0 {
		t.Errorf("%d left of what was refused", len(left))
	}
	a, err := s.Keep(t.Context(), "old", strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	now = now.Add(life + time.Hour)
	if _, err := s.Keep(t.Context(), "new", strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Find(t.Context(), a.ID); nod.CodeOf(err) != nod.NotFound {
		t.Errorf("an old file is still there: %v", err)
	}
	for _, id := range []string{"", "..", "../x", "nothing"} {
		if _, err := s.Find(t.Context(), id); nod.CodeOf(err) != nod.NotFound {
			t.Errorf("%q: %v", id, err)
		}
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }
