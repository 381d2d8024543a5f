package settings

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// scribbler writes settings files as untidily as the grammar allows, which byte mutation seldom reaches.
type scribbler struct {
	*rand.Rand
	strings.Builder
	comments int
}

func (s *scribbler) gap() {
	for range s.IntN(3) {
		switch s.IntN(7) {
		case 0:
			s.comments++
			fmt.Fprintf(s, "// c%d \"{\n", s.comments)
		case 1:
			s.comments++
			fmt.Fprintf(s, "/* c%d\n*/", s.comments)
		default:
			s.WriteString([]string{" ", "\n", "\r\n", "\t", "\n    "}[s.IntN(5)])
		}
	}
}

func (s *scribbler) list(open, end string, n int, entry func(i int)) {
	s.WriteString(open)
	for i := range n {
		s.gap()
		entry(i)
		s.gap()
		if i < n-1 || s.IntN(3) == 0 {
			s.WriteString(",")
		}
	}
	s.gap()
	s.WriteString(end)
}

func (s *scribbler) name(n string) {
	fmt.Fprintf(s, "%q", n)
	s.gap()
	s.WriteString(":")
	s.gap()
}

// file writes no handlers of ours when ours is false.
func (s *scribbler) file(ours bool) string {
	handlers := []string{`{"type":"command","command":"date"}`, `{"type":"http","url":"http://x/"}`, `7`}
	if ours {
		handlers = append(handlers, `{"type":"command","command":"nod hook"}`,
			`{"type":"command","command":"/old/nod","args":["hook"],"timeout":1}`)
	}
	s.gap()
	s.list("{", "}", s.IntN(4), func(i int) {
		if i != 1 {
			s.name([]string{"model", "", "env"}[i%3])
			s.WriteString(`{"a":[1,{}]}`)
			return
		}
		s.name("hooks")
		s.list("{", "}", s.IntN(4), func(i int) {
			s.name([]string{"SessionStart", "Stop", "PermissionRequest"}[i])
			s.list("[", "]", s.IntN(3), func(int) {
				s.list("{", "}", 1+s.IntN(2), func(i int) {
					if i == 1 {
						s.name("matcher")
						s.WriteString([]string{`""`, `"*"`, `"Edit|Write"`, `5`}[s.IntN(4)])
						return
					}
					s.name("hooks")
					s.list("[", "]", s.IntN(4), func(int) { s.WriteString(handlers[s.IntN(len(handlers))]) })
				})
			})
		})
	})
	s.gap()
	return s.String()
}

func TestUntidyFilesComeBackEquivalent(t *testing.T) {
	for seed := range uint64(600) {
		s := &scribbler{Rand: rand.New(rand.NewPCG(seed, 1))}
		ours := seed%2 == 0
		before := s.file(ours)
		installed := annotated(t, before)
		removed, err := remover(IsNod)(snapshot{file: "f", target: "f", exists: true, data: installed}, record{})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, installed)
		}
		if got, want := stripped(t, removed.After), stripped(t, []byte(before)); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: %s\nbecame\n%s\nand then\n%s", seed, before, installed, removed.After)
		}
		for _, text := range [][]byte{installed, removed.After} {
			if got, want := commentsIn(text), commentsIn([]byte(before)); got != want {
				t.Fatalf("seed %d: comments are %q, were %q\n%s\nbecame\n%s", seed, got, want, before, text)
			}
		}
		if again := annotated(t, string(installed)); string(again) != string(installed) {
			t.Fatalf("seed %d: a second install changes\n%s\nto\n%s", seed, installed, again)
		}
	}
}

// annotated is what the file would be if Claude Code read comments: Install refuses such a file, but people
// annotate what Install wrote, and Remove has to cope with it.
func annotated(t testing.TB, text string) []byte {
	t.Helper()
	d, err := parse("f", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if err := d.install(wanted(), IsNod); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return d.pack()
}
