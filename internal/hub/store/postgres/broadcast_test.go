package postgres

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"nod/internal/hub"
	"nod/internal/hub/store/storetest"
)

func TestBroadcastCannotPassForEvents(t *testing.T) {
	t.Parallel()
	from, to := twoNotes(t)
	stranger, _ := twoNotes(t)
	var c storetest.Chain
	events := from.sealEvents(c.Notes(t, 1))
	cry := func(n *sealer, word string) (by, sealed string) {
		t.Helper()
		text, err := n.sealBroadcast([]byte(word))
		if err != nil || len(text) >= 8000 {
			t.Fatalf("%d bytes, %v", len(text), err)
		}
		parts := strings.Split(text, " ")
		return parts[0], parts[2]
	}
	by, sealed := cry(from, "a secret "+strings.Repeat("x", hub.LongestBroadcast-9))
	if closed, _ := base64.RawStdEncoding.DecodeString(sealed); len(closed) < hub.LongestBroadcast || bytes.Contains(closed, []byte("secret")) {
		t.Error("everybody can read it")
	}
	_, theirs := cry(stranger, "no")
	for name, c := range map[string][2]string{
		"events": {by, events[strings.LastIndex(events, " ")+1:]}, "of a stranger": {by, theirs}, "by another": {to.id, sealed},
		"cut": {by, sealed[:100]}, "short": {by, "AAAA"}, "no letters": {by, "???"}, "empty": {by, ""},
	} {
		if word, err := to.openBroadcast(c[0], c[1]); err == nil {
			t.Errorf("%s: %q", name, word)
		}
	}
	if es, err := to.open(notification{by, 1, sealed}); err == nil {
		t.Errorf("a cry is %d events", len(es))
	}
	_, next := cry(from, "next")
	for i, c := range []struct {
		sealed string
		ok     bool
	}{{sealed, true}, {sealed, false}, {next, true}, {sealed, false}, {next, false}} {
		if _, err := to.openBroadcast(by, c.sealed); (err == nil) != c.ok {
			t.Errorf("%d: %v", i, err)
		}
	}
	if _, err := from.sealBroadcast(make([]byte, hub.LongestBroadcast+1)); err == nil {
		t.Error("it takes any length")
	}
	if _, err := (&sealer{id: "x"}).sealBroadcast([]byte("x")); err == nil {
		t.Error("without a key everybody could read it")
	}
	if _, err := (&sealer{id: "x"}).openBroadcast(by, sealed); err == nil {
		t.Error("opened without a key")
	}
	// A hub of the release before takes it for news without events.
	if n := to.parse(from.id + " cry " + sealed); n != (notification{by: from.id}) {
		t.Errorf("%+v", n)
	}
}

// listeningAll waits until so many stores listen.
func listeningAll(t *testing.T, s *Store, n int) {
	t.Helper()
	await(t, s, fmt.Sprintf(`SELECT count(*) = %d FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE '%s %%' AND query LIKE '%%FROM head' AND state = 'idle'`, n, listening))
}

func next(t *testing.T, cries <-chan []byte, want string) {
	t.Helper()
	select {
	case word := <-cries:
		if string(word) != want {
			t.Fatalf("it heard %q, want %q", word, want)
		}
	case <-time.After(20 * time.Second):
		t.Fatalf("it does not hear %q", want)
	}
}

// A broadcast reaches the other hubs and wakes none. Events that came before it stay
// in the inbox, where they can be read while the table is locked.
func TestBroadcastReachesOtherHubs(t *testing.T) {
	t.Parallel()
	address := server.Database(t)
	us, one, two := opened(t, address), opened(t, address), opened(t, address)
	ctx, stop := context.WithCancel(t.Context())
	var wakes []<-chan struct{}
	var cries []<-chan []byte
	for _, s := range []*Store{us, one, two} {
		wakes, cries = append(wakes, s.Watch(t.Context(), 0)), append(cries, s.Broadcasts(ctx))
	}
	listeningAll(t, us, 3)
	var c storetest.Chain
	es := c.Notes(t, 2)
	if err := us.Append(t.Context(), 0, es[:1]); err != nil {
		t.Fatal(err)
	}
	hear(t, wakes[1], "of an event")
	hear(t, wakes[2], "of an event")
	for i := range 20 {
		if err := us.Broadcast(t.Context(), fmt.Append(nil, "word ", i)); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 20 {
		next(t, cries[1], fmt.Sprint("word ", i))
		next(t, cries[2], fmt.Sprint("word ", i))
	}
	for i, wake := range wakes {
		select {
		case <-wake:
			t.Errorf("store %d was woken by a cry", i)
		default:
		}
	}
	if got := one.inbox.after(0, 10); !same(got, es[:1]) {
		t.Errorf("of what was heard before %d events are left", len(got))
	}
	if err := us.Append(t.Context(), 1, es[1:]); err != nil { // and what comes after follows
		t.Fatal(err)
	}
	hear(t, wakes[1], "of the next event")
	if got := one.inbox.after(0, 10); !same(got, es) {
		t.Errorf("%d events", len(got))
	}
	if err := two.Broadcast(t.Context(), []byte("back")); err != nil {
		t.Fatal(err)
	}
	next(t, cries[0], "back") // and nothing of its own before
	next(t, cries[1], "back")
	stop()
	for range cries[2] { // it ends, and the store goes on
	}
	if err := us.Broadcast(t.Context(), []byte("to nobody")); err != nil {
		t.Fatal(err)
	}
}

// A subscriber that does not read loses broadcasts, and delays no other one.
func TestSlowSubscriberLosesBroadcasts(t *testing.T) {
	t.Parallel()
	address := server.Database(t)
	us := opened(t, address)
	others, wake := ears(t, address)
	cries := others.Broadcasts(t.Context())
	for i := range hub.BroadcastsKept + 50 {
		if err := us.Broadcast(t.Context(), fmt.Append(nil, i)); err != nil {
			t.Fatal(err)
		}
	}
	var c storetest.Chain
	grow(t, us, &c, 1)
	hear(t, wake, "of an event after all of them")
	for i := range hub.BroadcastsKept {
		next(t, cries, fmt.Sprint(i))
	}
	if n := len(cries); n > 0 {
		t.Errorf("%d more are kept", n)
	}
}

// Every role that may connect can send notifications and repeat others': none of them
// passes for a broadcast, and a broadcast does not pass for events.
func TestForgedBroadcasts(t *testing.T) {
	t.Parallel()
	address := server.Database(t)
	us := opened(t, address)
	others, wake := ears(t, address)
	cries := others.Broadcasts(t.Context())
	stranger, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer stranger.Close(context.Background())
	send := func(text string) {
		t.Helper()
		if _, err := stranger.Exec(t.Context(), `SELECT pg_notify($1, $2)`, us.channel, text); err != nil {
			t.Fatal(err)
		}
	}
	var c storetest.Chain
	events := strings.Split(us.sealer.sealEvents(c.Notes(t, 1)), " ")
	real, err := us.sealer.sealBroadcast([]byte("one"))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"x cry ", "x cry AAAA", " cry ", us.id + " cry " + events[2], real, real} {
		send(text)
	}
	if err := us.Broadcast(t.Context(), []byte("two")); err != nil {
		t.Fatal(err)
	}
	next(t, cries, "one")
	next(t, cries, "two")
	select {
	case <-wake:
		t.Error("it was woken")
	default:
	}
	// As events it is news of something that cannot be opened: the table is asked.
	send(us.id + " 1 " + strings.Split(real, " ")[2])
	hear(t, wake, "of what may be news")
	if es := others.inbox.after(0, 10); len(es) > 0 {
		t.Errorf("a cry was taken for %d events", len(es))
	}
}

// Tables of the previous release have no key: their hub neither sends nor receives
// broadcasts, and works otherwise.
func TestBroadcastsBetweenReleases(t *testing.T) {
	t.Parallel()
	address := server.Database(t)
	older := openedOlder(t, address)
	newer := opened(t, address)
	wake, cries := older.Watch(t.Context(), 0), older.Broadcasts(t.Context())
	listeningAll(t, newer, 1)
	if err := newer.Broadcast(t.Context(), []byte("word")); err != nil {
		t.Fatal(err)
	}
	var c storetest.Chain
	grow(t, newer, &c, 1)
	hear(t, wake, "of an event")
	if len(cries) > 0 {
		t.Error("it heard a cry")
	}
	if err := older.Broadcast(t.Context(), []byte("word")); err == nil {
		t.Error("it cried without a key")
	}
}
