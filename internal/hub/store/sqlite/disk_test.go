package sqlite

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nod"
	"nod/internal/hub/store/storetest"
)

func TestFullDatabase(t *testing.T) {
	s, err := open(t.Context(), file(t), schema(), []string{"max_page_count(60)"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	fullAndOn(t, s, func() { // room again
		if _, err := s.writer.Exec(`PRAGMA max_page_count(100000)`); err != nil {
			t.Fatal(err)
		}
	})
}

// fullAndOn fills the disk until an append fails: nothing of that one may be
// there, and when there is room again the same one works.
func fullAndOn(t *testing.T, s *Store, room func()) {
	t.Helper()
	var c storetest.Chain
	last := c
	var es []nod.Event
	var err error
	for err == nil {
		last = c
		es = big(t, &c)
		err = s.Append(t.Context(), last.Seq, es)
	}
	wantWords(t, err, nod.Unavailable, "the disk is full, and nothing was recorded")
	wantWords(t, s.Append(t.Context(), last.Seq, es), nod.Unavailable, "the disk is full")
	ends(t, s, last)

	room()
	if err := s.Append(t.Context(), last.Seq, es); err != nil {
		t.Fatal("there is room again, but: ", err)
	}
	ends(t, s, c)
}

func big(t *testing.T, c *storetest.Chain) (es []nod.Event) {
	for range 3 {
		es = append(es, c.Next(t, nod.Event{Kind: nod.TurnTaken, Note: strings.Repeat("x", 20_000)}))
	}
	return es
}

// ends checks that the log is whole and ends where it should.
func ends(t *testing.T, s *Store, want storetest.Chain) {
	t.Helper()
	if seq, hash, err := s.Verify(t.Context()); err != nil || seq != want.Seq || hash != want.Hash {
		t.Fatalf("Verify = %d, %v; want %d", seq, err, want.Seq)
	}
	if es, err := s.Read(t.Context(), want.Seq, 1); err != nil || len(es) != 0 {
		t.Fatalf("Read at the head = %v, %v", es, err)
	}
}

func TestNotADatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nod.db")
	if err := os.WriteFile(path, []byte(strings.Repeat("Dear diary, ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), path)
	wantWords(t, err, nod.Invalid, "is no database")
	_, err = OpenReader(t.Context(), path)
	wantWords(t, err, nod.Invalid, "is no database")
}

func TestDamagedDatabase(t *testing.T) {
	path := file(t)
	s := opened(t, path)
	var c storetest.Chain
	for range 20 {
		after := c.Seq
		if err := s.Append(t.Context(), after, big(t, &c)); err != nil {
			t.Fatal(err)
		}
	}
	s.Close()
	info, _ := os.Stat(path)
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	for page := int64(2); page < info.Size()/4096; page++ { // all but the first two
		if _, err := f.WriteAt([]byte(strings.Repeat("\xa5", 4096)), page*4096); err != nil {
			t.Fatal(err)
		}
	}
	f.Close()
	s, err = Open(t.Context(), path)
	if err == nil {
		defer s.Close()
		_, _, err = s.Verify(t.Context())
	}
	wantWords(t, err, nod.Internal, "is damaged")
}

func TestNoDirectory(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), filepath.Join(plain, "nod.db"))
	wantWords(t, err, nod.Unavailable, "choose another --data")
}

func TestReaderWithoutALog(t *testing.T) {
	path := file(t)
	_, err := OpenReader(t.Context(), path)
	wantWords(t, err, nod.NotFound, "there is no log at")
	if _, err := os.Stat(path); err == nil {
		t.Error("reading made a file")
	}
}

func TestClosedStore(t *testing.T) {
	s := opened(t, file(t))
	var c storetest.Chain
	for range 2 {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	wantWords(t, s.Append(t.Context(), 0, c.Notes(t, 1)), nod.Unavailable, "shutting down")
	_, err := s.Read(t.Context(), 0, 1)
	wantWords(t, err, nod.Unavailable, "shutting down")
}
