package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"nod"
	"nod/internal/hub/store/storetest"
)

const nextStep = `ALTER TABLE tokens ADD COLUMN colour TEXT NOT NULL DEFAULT 'green'`

func TestUpgradeKeepsEverythingAndABackup(t *testing.T) {
	path := file(t)
	s := quick(t, path)
	fill(t, s)
	s.Close()

	s, err := open(t.Context(), path, append(schema(), nextStep), nil)
	if err != nil {
		t.Fatal(err)
	}
	seq, hash, err := s.Verify(t.Context())
	if err != nil || seq != 20 {
		t.Errorf("after the upgrade: Verify = %d, %v", seq, err)
	}
	s.Close()

	old := fmt.Sprintf("%s.v%d.bak", path, len(schema()))
	copied := quick(t, old)
	if bseq, bhash, err := copied.Verify(t.Context()); err != nil || bseq != seq || bhash != hash {
		t.Errorf("the backup: Verify = %d, %v", bseq, err)
	}
	private(t, old)
}

func TestFailedUpgradeChangesNothing(t *testing.T) {
	path := file(t)
	s := quick(t, path)
	fill(t, s)
	s.Close()
	for range 2 { // also when the backup of the first attempt lies there
		if _, err := open(t.Context(), path, append(schema(), nextStep, `CREATE nonsense`), nil); err == nil {
			t.Fatal("a broken step succeeded")
		}
	}
	s = quick(t, path)
	if seq, _, err := s.Verify(t.Context()); err != nil || seq != 20 {
		t.Errorf("Verify = %d, %v", seq, err)
	}
}

func TestNewFileNeedsNoBackup(t *testing.T) {
	path := file(t)
	quick(t, path)
	if found, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*.bak*")); len(found) > 0 {
		t.Error(found)
	}
}

func TestNewerFormatIsRefused(t *testing.T) {
	path := file(t)
	s, err := open(t.Context(), path, append(schema(), nextStep), nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	_, err = Open(t.Context(), path)
	wantWords(t, err, nod.Invalid, fmt.Sprintf("newer nod (format %d, this one knows %d)", len(schema())+1, len(schema())))
	_, err = OpenReader(t.Context(), path)
	wantWords(t, err, nod.Invalid, "newer nod")
}

func TestReaderCannotUpgrade(t *testing.T) {
	path := file(t)
	quick(t, path)
	_, err := newReader(t.Context(), path, len(schema())+1)
	wantWords(t, err, nod.Conflict, "start nod serve once")
}

func TestForeignDatabaseIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "photos.db")
	db, err := connect(path, "rwc", "immediate")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(`CREATE TABLE photos (id INTEGER)`); err != nil {
		t.Fatal(err)
	}
	closed(t, db)
	before, _ := os.ReadFile(path)
	_, err = Open(t.Context(), path)
	wantWords(t, err, nod.Invalid, "another program")
	if after, _ := os.ReadFile(path); len(after) != len(before) {
		t.Error("the foreign database was changed")
	}
}

func TestFilesAreOnlyForTheirOwner(t *testing.T) {
	path := file(t)
	s := quick(t, path)
	var c storetest.Chain
	if err := s.Append(t.Context(), 0, c.Notes(t, 1)); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) < 4 {
		t.Fatalf("%v, %v: want the database, its two helpers and the lock", entries, err)
	}
	for _, entry := range entries {
		private(t, filepath.Join(filepath.Dir(path), entry.Name()))
	}
}

func private(t *testing.T, path string) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if mode := info.Mode().Perm(); mode != 0o600 && runtime.GOOS != "windows" { // which has no modes
		t.Errorf("%s has mode %v", path, mode)
	}
}

func wantWords(t *testing.T, err error, code nod.Code, words string) {
	t.Helper()
	if err == nil || nod.CodeOf(err) != code || !strings.Contains(nod.MessageOf(err), words) {
		t.Errorf("error %v (%s)\nwant %s and %q", err, nod.CodeOf(err), code, words)
	}
}
