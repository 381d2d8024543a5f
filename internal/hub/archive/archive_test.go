package archive_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/hub/archive"
	"nod/internal/hub/store/pgtest"
	"nod/internal/hub/store/postgres"
	"nod/internal/hub/store/sqlite"
	"nod/internal/hub/store/storetest"
	"nod/internal/net/auth"
	"nod/internal/net/passkey"
	"nod/internal/net/push"
)

var server *pgtest.Server

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m.Run, &server)) }

type testStore interface {
	archive.Store
	archive.Inspector
}

func inSQLite(t *testing.T) testStore {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "nod.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func inPostgres(t *testing.T) testStore {
	t.Helper()
	s, err := postgres.Open(t.Context(), server.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

var key = ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))

func quiet(nod.Seq, nod.Seq) {}

// fill puts a log of n days, one event an hour, and a whole vault into a store.
func fill(t *testing.T, s testStore, days int) *storetest.Chain {
	t.Helper()
	c := &storetest.Chain{}
	for range days {
		var es []nod.Event
		for range 24 {
			es = append(es, c.Next(t, nod.Event{Kind: nod.TurnTaken, AgentID: "\x00=a", At: storetest.Dawn.Add(time.Duration(c.Seq) * time.Hour), Note: "=1+1"}))
		}
		add(t, s, es...)
	}
	now := storetest.Dawn
	must(t, s.Put(t.Context(), auth.Token{ID: "phone", Name: "telefon", Created: now, Rights: nod.RightsOf(nod.View)}))
	must(t, s.PutSubscriber(t.Context(), push.Subscriber{Token: "phone", Subscription: push.Subscription{Endpoint: "https://push.example/1", P256DH: []byte{1}, Auth: []byte{2}}}))
	must(t, s.NoteTold(t.Context(), "phone", "", []string{"r1"}))
	must(t, s.PutPasskey(t.Context(), passkey.Key{ID: "k", Created: now, Credential: []byte{1}, Public: []byte{2}, Count: 7, Used: &now}))
	_, err := s.PushKey(t.Context(), []byte("push"))
	must(t, err)
	state := nod.NewState()
	state.Seq, state.Hash = c.Seq, c.Hash
	must(t, s.Save(t.Context(), state))
	return c
}

func add(t *testing.T, s testStore, es ...nod.Event) {
	t.Helper()
	must(t, s.Append(t.Context(), es[0].Seq-1, es))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestCopyIsIdentical(t *testing.T) {
	for name, way := range map[string][2]func(*testing.T) testStore{
		"to PostgreSQL": {inSQLite, inPostgres}, "and back": {inPostgres, inSQLite},
	} {
		for _, pruned := range []bool{false, true} {
			t.Run(fmt.Sprint(name, ", pruned: ", pruned), func(t *testing.T) {
				from, to := way[0](t), way[1](t)
				c := fill(t, from, 30)
				if pruned {
					_, err := archive.Prune(t.Context(), from, archive.Pruning{Before: storetest.Dawn.AddDate(0, 0, 10), Now: storetest.Dawn, Key: key})
					must(t, err)
				}
				for range 2 { // the second finds nothing to do
					done, err := archive.Copy(t.Context(), from, to, quiet)
					if err != nil || done.Seq != c.Seq || done.Hash != c.Hash || done.Tokens != 1 || done.Passkeys != 1 {
						t.Fatalf("%+v, %v", done, err)
					}
				}
				wantSame(t, from, to)
			})
		}
	}
}

// wantSame compares everything that two stores hold.
func wantSame(t *testing.T, from, to testStore) {
	t.Helper()
	content := func(s testStore) string {
		var all bytes.Buffer
		enc := json.NewEncoder(&all)
		base, err := s.Base(t.Context())
		must(t, err)
		must(t, enc.Encode(base))
		for after := base.Seq; ; {
			es, err := s.Read(t.Context(), after, 1000)
			must(t, err)
			if len(es) == 0 {
				break
			}
			for _, e := range es {
				fmt.Fprintf(&all, "%s %s\n", e.Hash, e.Body())
				after = e.Seq
			}
		}
		for _, read := range []func(context.Context) (any, error){
			func(ctx context.Context) (any, error) { return s.List(ctx) },
			func(ctx context.Context) (any, error) { return s.Subscribers(ctx) },
			func(ctx context.Context) (any, error) { return s.Passkeys(ctx) },
			func(ctx context.Context) (any, error) { return s.PeekPushKey(ctx) },
			func(ctx context.Context) (any, error) { return s.Load(ctx) },
		} {
			v, err := read(t.Context())
			must(t, err)
			must(t, enc.Encode(v))
		}
		return all.String()
	}
	if a, b := content(from), content(to); a != b {
		t.Errorf("they differ:\n%.2000s\n%.2000s", a, b)
	}
}

// failing lets only so many appends through.
type failing struct {
	testStore
	left int
}

func (f *failing) Append(ctx context.Context, after nod.Seq, es []nod.Event) error {
	if f.left--; f.left < 0 {
		return errors.New("the cable was pulled")
	}
	return f.testStore.Append(ctx, after, es)
}

func TestCopyContinuesWhereItStopped(t *testing.T) {
	from, to := inSQLite(t), inPostgres(t)
	c := fill(t, from, 60)
	if _, err := archive.Copy(t.Context(), from, &failing{to, 2}, quiet); err == nil {
		t.Fatal("it cannot have succeeded")
	}
	var first nod.Seq
	done, err := archive.Copy(t.Context(), from, to, func(seq, total nod.Seq) {
		if first == 0 {
			first = seq
		}
		if total != c.Seq {
			t.Errorf("%d of %d", seq, total)
		}
	})
	if err != nil || done.Seq != c.Seq || done.Events != c.Seq-1000 || first <= 1000 {
		t.Errorf("%+v, %v", done, err)
	}
	wantSame(t, from, to)
}

func TestCopyOverwritesNothing(t *testing.T) {
	for name, occupied := range map[string]func(*testing.T, testStore){
		"another log": func(t *testing.T, s testStore) { fill(t, s, 1) },
		"a longer log": func(t *testing.T, s testStore) {
			var c storetest.Chain
			for range 3 {
				es := c.Notes(t, 400)
				add(t, s, es...)
			}
		},
		"only a device": func(t *testing.T, s testStore) {
			must(t, s.Put(t.Context(), auth.Token{ID: "x", Created: storetest.Dawn}))
		},
		"only a key": func(t *testing.T, s testStore) {
			_, err := s.PushKey(t.Context(), []byte("other"))
			must(t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			from, to := inSQLite(t), inSQLite(t)
			var c storetest.Chain
			add(t, from, c.Notes(t, 5)...)
			occupied(t, to)
			before, _, _ := to.Head(t.Context())
			if _, err := archive.Copy(t.Context(), from, to, quiet); nod.CodeOf(err) != nod.Conflict || err == nil {
				t.Errorf("%v; want Conflict", err)
			}
			if after, _, _ := to.Head(t.Context()); after != before {
				t.Errorf("something was written: %d, %d", before, after)
			}
		})
	}
}

func TestPruneKeepsNewerEventsAndTheChain(t *testing.T) {
	for name, open := range map[string]func(*testing.T) testStore{"sqlite": inSQLite, "postgres": inPostgres} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			c := fill(t, s, 10)
			at := storetest.Dawn.AddDate(0, 0, 3)
			for _, ext := range []string{".jsonl", ".csv"} {
				path := filepath.Join(t.TempDir(), "old"+ext)
				done, err := archive.Prune(t.Context(), s, archive.Pruning{Before: at, Now: storetest.Dawn, Key: key,
					Export: func(base nod.Checkpoint) (archive.Sink, error) { return archive.File(path, base) }})
				if err != nil || done.Removed != 72 || done.Base.Verify() != nil {
					t.Fatalf("%+v, %v", done, err)
				}
				wantExport(t, path, done)
				at = at.AddDate(0, 0, 3)
			}
			if seq, hash, err := s.Verify(t.Context()); err != nil || seq != c.Seq || hash != c.Hash {
				t.Errorf("Verify = %d, %v", seq, err)
			}
			done, err := archive.Prune(t.Context(), s, archive.Pruning{Before: storetest.Dawn, Now: storetest.Dawn, Key: key})
			if err != nil || done.Removed != 0 || done.Kept != 96 {
				t.Errorf("nothing is that old: %+v, %v", done, err)
			}
			status, err := archive.Look(t.Context(), s, time.Now)
			if err != nil || status.Events != 96 || status.Head != 240 || status.Pruned == nil || !status.Pruned.Valid || status.Pruned.Seq != 144 || status.Bytes == 0 {
				t.Errorf("%+v, %v", status, err)
			}
			if !status.Oldest.Equal(storetest.Dawn.Add(144*time.Hour)) || !status.Newest.Equal(storetest.Dawn.Add(239*time.Hour)) {
				t.Errorf("from %s to %s", status.Oldest, status.Newest)
			}
		})
	}
}

func wantExport(t *testing.T, path string, done archive.Pruned) {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("%s can be read by others: %s", path, info.Mode())
	}
	if filepath.Ext(path) == ".csv" {
		rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if err != nil || len(rows) != 73 || rows[72][0] != "144" || rows[72][6] != "'=1+1" || rows[72][7] != done.Base.Hash.String() {
			t.Errorf("%d rows, %v, %v", len(rows), rows[len(rows)-1], err)
		}
		return
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	var hash nod.Hash
	for i, line := range lines {
		var entry struct {
			Hash  nod.Hash
			Event json.RawMessage
		}
		must(t, json.Unmarshal([]byte(line), &entry))
		e, err := nod.Unseal(entry.Event, entry.Hash)
		must(t, err)
		must(t, e.Verify(nod.Seq(i), hash))
		hash = e.Hash
	}
	if len(lines) != 72 || hash != done.Base.Hash {
		t.Errorf("%d lines, %s", len(lines), hash)
	}
}

func TestPruneRefusesWhileARequestIsPending(t *testing.T) {
	s := inSQLite(t)
	var c storetest.Chain
	ask := func(id nod.RequestID) {
		e := c.Next(t, nod.Event{Kind: nod.RequestRaised, RequestID: id, Request: &nod.Request{ID: id, Kind: nod.KindApproval, Status: nod.Pending, Seq: c.Seq + 1}})
		add(t, s, e)
	}
	decide := func(id nod.RequestID) {
		add(t, s, c.Next(t, nod.Event{Kind: nod.RequestDecided, RequestID: id, Decision: &nod.Decision{}}))
	}
	ask("old")
	add(t, s, c.Notes(t, 10)...)
	ask("new")
	p := archive.Pruning{Before: storetest.Dawn.Add(5 * time.Second), Now: storetest.Dawn, Key: key,
		Export: func(nod.Checkpoint) (archive.Sink, error) { t.Error("it was exported"); return nil, errors.New("no") }}
	if _, err := archive.Prune(t.Context(), s, p); nod.CodeOf(err) != nod.Conflict || !strings.Contains(fmt.Sprint(err), "old") {
		t.Errorf("%v; want Conflict", err)
	}
	decide("old")
	p.Export = nil
	done, err := archive.Prune(t.Context(), s, p)
	if err != nil || done.Removed != 4 {
		t.Errorf("%+v, %v", done, err)
	}
	// What a hub starts with when nothing else is known.
	state, err := s.Load(t.Context())
	if err != nil || state.Seq != 4 || state.Requests["old"].Status != nod.Pending {
		t.Errorf("%+v, %v", state, err)
	}
}

// An export that fails takes nothing out of the log.
func TestFailedExportPrunesNothing(t *testing.T) {
	s := inSQLite(t)
	fill(t, s, 3)
	path := filepath.Join(t.TempDir(), "there")
	must(t, os.WriteFile(path, nil, 0o600))
	for _, p := range []string{path, filepath.Join(t.TempDir(), "missing", "x.csv")} {
		_, err := archive.Prune(t.Context(), s, archive.Pruning{Before: storetest.Dawn.AddDate(1, 0, 0), Now: storetest.Dawn, Key: key,
			Export: func(base nod.Checkpoint) (archive.Sink, error) { return archive.File(p, base) }})
		if err == nil {
			t.Errorf("%s was written", p)
		}
	}
	if base, err := s.Base(t.Context()); err != nil || !base.IsZero() {
		t.Errorf("%+v, %v", base, err)
	}
}
