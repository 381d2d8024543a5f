//go:build unix

package sqlite

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"nod"
)

// Whatever was acknowledged is there after a kill -9, once, unchanged, and
// nothing stands in the way of the next start.
func TestKill(t *testing.T) {
	path := file(t)
	told := map[nod.Seq]string{} // by the writers, of all rounds
	began := time.Now()
	for round := range 20 {
		if round >= 3 && time.Since(began) > 8*time.Second {
			t.Logf("a slow disk: only %d rounds", round)
			break
		}
		writer := start(t, "write", path, nil)
		for range 1 + rand.IntN(40) {
			note(t, writer, told)
		}
		writer.cmd.Process.Kill()
		for note(t, writer, told) { // what it said before it died counts as well
		}
		writer.kill()
		if round%2 == 0 {
			readOnlyCheck(t, path)
		}
		check(t, path, told)
	}
	t.Logf("%d acknowledged appends", len(told))
}

func note(t *testing.T, writer *process, told map[nod.Seq]string) bool {
	line, ok := writer.line()
	if !ok {
		return false
	}
	var seq nod.Seq
	var hash string
	if _, err := fmt.Sscan(line, &seq, &hash); err != nil {
		t.Fatalf("the writer says %q", line)
	}
	if len(hash) == 64 { // the last line may have been cut off
		told[seq] = hash
	}
	return true
}

func check(t *testing.T, path string, told map[nod.Seq]string) {
	t.Helper()
	s := opened(t, path)
	defer s.Close()
	seq, _, err := s.Verify(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var after nod.Seq
	found := 0
	for after < seq {
		es, err := s.Read(t.Context(), after, 500)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range es {
			if hash, ok := told[e.Seq]; ok && hash == e.Hash.String() {
				found++
			}
			after = e.Seq
		}
	}
	if found != len(told) {
		t.Fatalf("%d appends were acknowledged, %d are there", len(told), found)
	}
}

// readOnlyCheck is nod log verify after a crash, before the next nod serve.
func readOnlyCheck(t *testing.T, path string) {
	t.Helper()
	r, err := OpenReader(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, _, err := r.Verify(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestReaderBesideAWriter(t *testing.T) {
	path := file(t)
	writer := start(t, "write", path, nil)
	if !note(t, writer, map[nod.Seq]string{}) {
		t.Fatal("the writer did not start")
	}
	r, err := OpenReader(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	before := nod.Seq(0)
	for range 5 {
		told := map[nod.Seq]string{}
		note(t, writer, told)
		seq, _, err := r.Verify(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for acknowledged := range told {
			if seq < acknowledged || seq < before {
				t.Errorf("the reader sees %d after %d was acknowledged and %d was seen", seq, acknowledged, before)
			}
		}
		before = seq
	}
	if _, err := r.db.Exec(`DELETE FROM events`); err == nil {
		t.Error("a reader can write")
	}
}
