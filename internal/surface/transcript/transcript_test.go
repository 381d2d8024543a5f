package transcript

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

const kept = "About it.\n-- first --\none\n-- answer 1 --\nONE\n-- second --\ntwo\n-- answer 2 --\nTWO\n"

// heard takes down what a test would have failed with.
type heard struct {
	testing.TB
	errors []string
}

func (h *heard) Errorf(format string, args ...any) {
	h.errors = append(h.errors, fmt.Sprintf(format, args...))
}

// play plays the file that is kept, and gives what was wrong and what it is then.
func play(t *testing.T, update bool, do func(Step) string) (wrong []string, file string) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("testdata", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("testdata/a.txtar", []byte(kept), 0o644); err != nil {
		t.Fatal(err)
	}
	defer func(was bool) { *Update = was }(*Update)
	*Update = update
	Each(t, func(t *testing.T, f *File) {
		if f.About() != "About it.\n" {
			t.Error(f.About())
		}
		h := &heard{TB: t}
		f.Play(h, do)
		wrong = h.errors
	})
	now, err := os.ReadFile("testdata/a.txtar")
	if err != nil {
		t.Fatal(err)
	}
	return wrong, string(now)
}

func TestWhatDiffersIsTold(t *testing.T) {
	upper := func(s Step) string { return strings.ToUpper(s.Text) }
	if wrong, _ := play(t, false, upper); len(wrong) != 0 {
		t.Error(wrong)
	}
	wrong, now := play(t, false, func(s Step) string { return strings.Replace(upper(s), "W", "w", 1) })
	if want := []string{"second:\nTwO\n\nwant:\nTWO\n"}; !slices.Equal(wrong, want) {
		t.Errorf("%q", wrong)
	}
	if now != kept {
		t.Errorf("without -update the file is now:\n%s", now)
	}
}

func TestUpdateWritesTheAnswersAlone(t *testing.T) {
	wrong, now := play(t, true, func(s Step) string { return s.Name + "!\n" })
	if want := strings.NewReplacer("ONE", "first!", "TWO", "second!").Replace(kept); now != want || len(wrong) != 0 {
		t.Errorf("%q, and the file is:\n%s", wrong, now)
	}
}

func TestARequest(t *testing.T) {
	s := Step{Text: "!one thing\n! another\nPOST /a b\nrights: view\nAccept: */*\n\n{}\n"}
	var before []string
	s.Before(func(what string) { before = append(before, what) })
	r := s.Request()
	rights, _ := r.Take("rights")
	_, again := r.Take("rights")
	if got := fmt.Sprintf("%q %+q %q %v", before, *r, rights, again); got != `["one thing" "another"] {"POST" "/a b" ["Accept" "*/*"] "{}"} "view" false` {
		t.Error(got)
	}
	if r := (&Step{Text: "/ask\n"}).Request(); r.Method != "" || r.Path != "/ask" || r.Body != "" {
		t.Errorf("%+v", r)
	}
}
