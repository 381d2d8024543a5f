//go:build unix

package claude

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"nod"
)

func TestNothingButAPlainTranscriptOfThisSessionIsRead(t *testing.T) {
	dir := t.TempDir()
	good, text := filepath.Join(dir, "s1.jsonl"), []byte(answered("claude-opus-5-5", 1, 0, 0, 1, ""))
	other, pipe := filepath.Join(dir, "s2.jsonl"), filepath.Join(dir, "pipe", "s1.jsonl")
	if err := os.Mkdir(filepath.Dir(pipe), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{good, other} {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	play(t, func(s *stage) {
		ends := func(file string, change func(*Call)) *nod.Context {
			c := s.call("", event("Stop", `,"last_assistant_message":"Done.","transcript_path":"`+file+`"`))
			change(&c)
			if err := s.driver.Observe(s.Context(), c); err != nil {
				t.Fatal(err)
			}
			time.Sleep(settles()[0])
			synctest.Wait()
			return s.agent().Context
		}
		same := func(*Call) {}
		for name, got := range map[string]*nod.Context{
			"of another session":  ends(other, same),
			"a pipe":              ends(pipe, same),
			"a directory":         ends(filepath.Dir(pipe), same),
			"on another machine":  ends(good, func(c *Call) { c.Local = false }),
			"a path of somewhere": ends("s1.jsonl", same),
		} {
			if got != nil {
				t.Errorf("%s was read: %+v", name, got)
			}
		}
		if ends(good, same) == nil {
			t.Error("the right one was not read")
		}
		s.tell(event("PostCompact", ""))
		synctest.Wait()
		if got := s.agent().Context; got != nil {
			t.Errorf("after compacting it is still %+v", got)
		}
		c := s.call("", event("Stop", `,"transcript_path":"`+good+`"`))
		if err := s.driver.Observe(s.Context(), c); err != nil {
			t.Fatal(err)
		}
		s.tell(event("SessionEnd", `,"reason":"other"`))
		time.Sleep(settles()[0])
		synctest.Wait()
		if a := s.agent(); a.Alive() || a.Context != nil {
			t.Errorf("an ended session came back: %+v", a)
		}
	})
}
