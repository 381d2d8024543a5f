package postgres

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"nod"
	"nod/internal/hub/record"
	"nod/internal/hub/store/storetest"
)

func twoNotes(t *testing.T) (from, to *sealer) {
	t.Helper()
	key := make([]byte, 32)
	_, _ = rand.Read(key)
	return &sealer{id: rand.Text(), key: key}, &sealer{id: rand.Text(), key: key}
}

func same(a, b []nod.Event) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Seq != b[i].Seq || a[i].Hash != b[i].Hash || string(a[i].Body()) != string(b[i].Body()) {
			return false
		}
	}
	return true
}

// told opens, with one sealer, what another one sealed.
func told(t *testing.T, from, to *sealer, es []nod.Event) []nod.Event {
	t.Helper()
	text := from.sealEvents(es)
	if len(text) >= 8000 {
		t.Fatalf("PostgreSQL takes no %d bytes", len(text))
	}
	got, err := to.open(to.parse(text))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestNotificationCarriesEvents(t *testing.T) {
	t.Parallel()
	from, to := twoNotes(t)
	var c storetest.Chain
	for _, n := range []int{1, 2, 20, 1} {
		es := c.Mixed(t, n)
		if got := told(t, from, to, es); !same(got, es) {
			t.Fatalf("%d events came as %d", len(es), len(got))
		}
	}
	text := from.sealEvents([]nod.Event{c.Next(t, nod.Event{Kind: nod.TurnTaken, Note: "a secret"})})
	if n := from.parse(text); n.by != from.id {
		t.Errorf("by %q", n.by)
	}
	if decoded, _ := base64.RawStdEncoding.DecodeString(text[strings.LastIndex(text, " ")+1:]); bytes.Contains(decoded, []byte("secret")) || len(decoded) == 0 {
		t.Error("everybody can read it")
	}
	most := []nod.Event{c.Next(t, nod.Event{Kind: nod.TurnTaken})}
	for len(from.sealEvents(most)) > len(from.id) {
		most = append(most, c.Next(t, nod.Event{Kind: nod.TurnTaken, Note: "one more"}))
	}
	if got := told(t, from, to, most[:len(most)-1]); len(got) < 20 {
		t.Errorf("it carries only %d small events", len(got))
	}
}

// A notification carries all events of an append, or none.
func TestNotificationWithoutEvents(t *testing.T) {
	t.Parallel()
	from, to := twoNotes(t)
	var c storetest.Chain
	large := []nod.Event{c.Next(t, nod.Event{Kind: nod.TurnTaken, Note: "small"}), c.Next(t, nod.Event{Kind: nod.TurnTaken, Note: strings.Repeat("x", maxCarried)})}
	for name, text := range map[string]string{
		"large": from.sealEvents(large), "many": from.sealEvents(c.Notes(t, 500)), "without a key": (&sealer{id: from.id}).sealEvents(c.Notes(t, 1)),
	} {
		if text != from.id {
			t.Errorf("%s: %d bytes", name, len(text))
		}
	}
	if n := to.parse(from.id); n != (notification{by: from.id}) {
		t.Errorf("%+v", n)
	}
}

func TestForgedNotification(t *testing.T) {
	t.Parallel()
	from, to := twoNotes(t)
	stranger, _ := twoNotes(t)
	var c storetest.Chain
	c.Notes(t, 4)
	es := c.Notes(t, 1)
	good := from.sealEvents(es)
	parts := strings.Split(good, " ")
	flipped := []byte(good)
	if i := len(flipped) - 20; flipped[i] == 'A' {
		flipped[i] = 'B'
	} else {
		flipped[i] = 'A'
	}
	for name, text := range map[string]string{
		"by somebody without the key": stranger.sealEvents(es),
		"changed":                     string(flipped),
		"in the name of another":      "another " + parts[1] + " " + parts[2],
		"with another number":         parts[0] + " 4 " + parts[2],
		"cut":                         good[:len(good)-8],
		"short":                       parts[0] + " 5 AAAA",
		"empty":                       parts[0] + " 5 ",
		"no letters":                  parts[0] + " 5 ???",
	} {
		if es, err := to.open(to.parse(text)); err == nil || len(es) > 0 {
			t.Errorf("%s: %v, %v", name, es, err)
		}
	}
	for _, text := range []string{"", " ", "x  ", "x 0 AA", "x -1 AA", "x y AA", "x 99999999999999999999 AA", "x 5"} {
		if n := to.parse(text); n.first != 0 {
			t.Errorf("%q carries %+v", text, n)
		}
	}
}

// ears opens a store that listens, and waits until it does.
func ears(t *testing.T, address string) (*Store, <-chan struct{}) {
	t.Helper()
	s := opened(t, address)
	wake := s.Watch(t.Context(), 0)
	listeningAll(t, s, 1)
	return s, wake
}

// await asks until the answer is yes.
func await(t *testing.T, s *Store, question string) {
	t.Helper()
	for range 1000 {
		yes, err := list(t.Context(), s.database, func(row record.Row) (yes bool, err error) { return yes, row.Scan(&yes) }, question)
		if err != nil {
			t.Fatal(err)
		}
		if yes[0] {
			return
		}
		<-time.After(10 * time.Millisecond)
	}
	t.Fatal("waited in vain for: " + question)
}

// Events that came with a notification can be read while the table is locked.
func TestCarriedEventsAreReadWithoutTheTable(t *testing.T) {
	t.Parallel()
	address := server.Database(t)
	us := opened(t, address)
	others, wake := ears(t, address)
	var c storetest.Chain
	es := c.Mixed(t, 3)
	if err := us.Append(t.Context(), 0, es); err != nil {
		t.Fatal(err)
	}
	hear(t, wake, "of the events")
	lock, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close(context.Background())
	if _, err := lock.Exec(t.Context(), `BEGIN; LOCK TABLE `+pgx.Identifier{others.place.schema, "events"}.Sanitize()+` IN ACCESS EXCLUSIVE MODE`); err != nil {
		t.Fatal(err)
	}
	quick, stop := context.WithTimeout(t.Context(), time.Second)
	defer stop()
	for after := range nod.Seq(3) {
		got, err := others.Read(quick, after, 2)
		if err != nil || !same(got, es[after:min(after+2, 3)]) {
			t.Errorf("after %d: %d events, %v", after, len(got), err)
		}
	}
}

// A notification without events must not be hidden by an earlier one with events.
func TestInboxWithAGapIsNotRead(t *testing.T) {
	t.Parallel()
	address := server.Database(t)
	us := opened(t, address)
	others, wake := ears(t, address)
	var c storetest.Chain
	es := append(c.Notes(t, 1), c.Next(t, nod.Event{Kind: nod.TurnTaken, Note: strings.Repeat("x", maxCarried)}))
	for _, e := range es {
		if err := us.Append(t.Context(), e.Seq-1, []nod.Event{e}); err != nil {
			t.Fatal(err)
		}
	}
	var got []nod.Event
	for len(got) < len(es) { // as a hub does, which is woken once for both or twice
		hear(t, wake, "of more")
		more, err := others.Read(t.Context(), nod.Seq(len(got)), 16)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, more...)
	}
	if !same(got, es) {
		t.Error("they differ")
	}
	// Both come before the first read.
	others.inbox.add(others.sealer.parse(us.sealer.sealEvents(es[:1])))
	others.inbox.add(others.sealer.parse(us.sealer.sealEvents(es[1:])))
	if got := others.inbox.after(0, 16); len(got) > 0 {
		t.Errorf("%d events are taken for all", len(got))
	}
}

// After a Conflict a store reads the table: its inbox may be older.
func TestReadAfterAConflictUsesTheTable(t *testing.T) {
	t.Parallel()
	address := server.Database(t)
	us, others := opened(t, address), opened(t, address)
	var c storetest.Chain
	es := c.Notes(t, 3)
	if err := us.Append(t.Context(), 0, es); err != nil {
		t.Fatal(err)
	}
	others.inbox.add(others.sealer.parse(us.sealer.sealEvents(es[:1]))) // the rest is on its way
	var mine storetest.Chain
	err := others.Append(t.Context(), 0, mine.Notes(t, 1))
	wantConflict(t, err)
	if got, err := others.Read(t.Context(), 0, 16); err != nil || !same(got, es) {
		t.Errorf("%d events, %v", len(got), err)
	}
}

func wantConflict(t *testing.T, err error) {
	t.Helper()
	if err == nil || nod.CodeOf(err) != nod.Conflict {
		t.Fatalf("want a conflict, got %v", err)
	}
}

// Of several appends to the same head only the one that succeeds sends a notification.
func TestConflictSendsNoNotification(t *testing.T) {
	t.Parallel()
	const hubs, rounds = 3, 30
	address := server.Database(t)
	ear, _ := ears(t, address)
	stores := make([]*Store, hubs)
	for i := range stores {
		stores[i] = opened(t, address)
	}
	for round := range rounds {
		seq, hash, err := ear.Head(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var all errgroup.Group
		for i, s := range stores {
			mine := storetest.Chain{Seq: seq, Hash: hash}
			e := mine.Next(t, nod.Event{Kind: nod.TurnTaken, Note: fmt.Sprint(round, i)})
			all.Go(func() error {
				if err := s.Append(t.Context(), seq, []nod.Event{e}); err != nil && nod.CodeOf(err) != nod.Conflict {
					return err
				}
				return nil
			})
		}
		if err := all.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	var told, log []nod.Event
	for log = nil; len(log) < rounds; {
		more, err := stores[0].Read(t.Context(), nod.Seq(len(log)), 100)
		if err != nil {
			t.Fatal(err)
		}
		log = append(log, more...)
	}
	for deadline := time.Now().Add(10 * time.Second); len(told) < rounds && time.Now().Before(deadline); {
		told = append(told, ear.inbox.after(nod.Seq(len(told)), 100)...)
	}
	if !same(told, log) {
		t.Errorf("%d events were told of, %d are in the log, or they differ", len(told), len(log))
	}
}

// Notifications of a new connection may not follow directly on those of the old one.
func TestLostConnectionEmptiesTheInbox(t *testing.T) {
	t.Parallel()
	address := server.Database(t)
	us := opened(t, address)
	others, wake := ears(t, address)
	var c storetest.Chain
	grow(t, us, &c, 1)
	hear(t, wake, "of an event")
	server.Exec(t, us.config.Database, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE '`+listening+` %'`)
	hear(t, wake, "that it had lost its connection")
	if es := others.inbox.after(0, 10); len(es) > 0 {
		t.Errorf("it still has %d events", len(es))
	}
}

// A hub of the previous release neither sends nor reads carried events; it is woken,
// and wakes others.
func TestNotificationsBetweenReleases(t *testing.T) {
	t.Parallel()
	address := server.Database(t)
	older := openedOlder(t, address)
	if older.sealer.key != nil {
		t.Fatal("tables of the release before have a key")
	}
	newer := opened(t, address)
	oldWake, newWake := older.Watch(t.Context(), 0), newer.Watch(t.Context(), 0)
	var c storetest.Chain
	for range 3 {
		grow(t, older, &c, 1)
		hear(t, newWake, "of what the older one wrote")
		grow(t, newer, &c, 1)
		hear(t, oldWake, "of what the newer one wrote")
	}
	if es, err := older.Read(t.Context(), 0, 10); err != nil || len(es) != 6 {
		t.Error(len(es), err)
	}
}

func TestInbox(t *testing.T) {
	t.Parallel()
	from, to := twoNotes(t)
	var c storetest.Chain
	es := c.Notes(t, 10)
	h := inbox{open: to.open}
	hear := func(es []nod.Event) { h.add(to.parse(from.sealEvents(es))) }
	want := func(after nod.Seq, limit int, want []nod.Event) {
		t.Helper()
		if got := h.after(after, limit); !same(got, want) {
			t.Errorf("%d events after %d, want %d", len(got), after, len(want))
		}
	}
	hear(es[2:4])
	want(0, 10, nil) // a gap
	want(2, 1, es[2:3])
	hear(es[4:6])
	want(2, 10, es[2:6])
	want(3, 10, es[3:6])
	want(3, 1, es[3:4])
	hear(es[7:]) // one between is our own
	want(4, 10, es[4:6])
	want(6, 10, nil)
	want(7, 10, es[7:])
	want(10, 10, nil)
	if len(h.list) > 0 {
		t.Errorf("%d notes that are read wait", len(h.list))
	}
	hear(es[7:8])
	h.add(notification{"somebody", 9, "AAAA"})
	want(7, 10, nil) // better asked for than half of it believed
	if len(h.list) > 0 {
		t.Error("what cannot be opened stays")
	}
	for range 2 * maxInbox {
		hear(c.Notes(t, 1))
	}
	if len(h.list) > maxInbox {
		t.Errorf("%d notes wait", len(h.list))
	}
}
