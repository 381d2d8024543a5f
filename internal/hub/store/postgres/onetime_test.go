package postgres

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"nod"
	"nod/e2e/fakekey"
	"nod/internal/hub/store/pgtest"
	"nod/internal/net/passkey"
	"nod/internal/net/passkey/onetimetest"
)

func TestOneTimeTokens(t *testing.T) {
	t.Parallel()
	onetimetest.Run(t, func(t *testing.T) (one, two passkey.OneTimeTokenStore) {
		address := server.Database(t)
		return opened(t, address), opened(t, address)
	})
}

// All takers have seen the token before one of them gets it.
func TestConcurrentTakersOfOneToken(t *testing.T) {
	t.Parallel()
	address := server.Database(t)
	one, two := opened(t, address), opened(t, address)
	s := passkey.OneTimeToken{Hash: [32]byte{1}, Kind: "ticket", Created: time.Now(), Expires: time.Now().Add(time.Minute)}
	if err := one.PutOneTimeToken(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	c, err := pgx.Connect(t.Context(), address+"&search_path=nod")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background())
	if _, err := c.Exec(t.Context(), `BEGIN; SELECT FROM slips FOR UPDATE`); err != nil {
		t.Fatal(err)
	}
	const takers = 6
	var won atomic.Int32
	var all errgroup.Group
	for i := range takers {
		all.Go(func() error {
			_, err := []*Store{one, two}[i%2].TakeOneTimeToken(t.Context(), s.Hash)
			if err == nil {
				won.Add(1)
			} else if nod.CodeOf(err) == nod.NotFound {
				err = nil
			}
			return err
		})
	}
	for waiting := 0; waiting < takers; {
		err := c.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&waiting)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Exec(t.Context(), `SELECT pg_stat_clear_snapshot()`); err != nil { // or it tells the same for ever
			t.Fatal(err)
		}
	}
	if _, err := c.Exec(t.Context(), `ROLLBACK`); err != nil {
		t.Fatal(err)
	}
	if err := all.Wait(); err != nil || won.Load() != 1 {
		t.Errorf("%d of %d took one token, %v", won.Load(), takers, err)
	}
}

var (
	page  = passkey.Site{Name: "nod.example.org", Origin: "https://nod.example.org"}
	phone = nod.Actor{Kind: nod.ActorDevice, Name: "phone", ID: "t1"}
	late  = nod.Actor{Kind: nod.ActorDevice, Name: "tablet", ID: "t2"}
)

// ceremonies are those of n hubs on one database, with one clock.
func ceremonies(t *testing.T, address string, n int, now *time.Time) []*passkey.Ceremonies {
	t.Helper()
	var all []*passkey.Ceremonies
	for range n {
		all = append(all, passkey.New(opened(t, address), func() time.Time { return *now }))
	}
	return all
}

// register begins a passkey at one hub, and ends it at another.
func register(t *testing.T, from, to *passkey.Ceremonies, k *fakekey.Key, leave passkey.Permission) error {
	t.Helper()
	o, err := from.BeginRegistration(t.Context(), phone, page, "key", leave)
	if err != nil {
		return err
	}
	client, attestation := k.Register(fakekey.Ceremony{Origin: page.Origin, Site: page.Name, Challenge: o.Challenge.String()})
	_, err = to.FinishRegistration(t.Context(), phone, page, passkey.Registration{Credential: k.ID, ClientData: client, Attestation: attestation})
	return err
}

// prove begins a confirmation at one hub, and ends it at another.
func prove(t *testing.T, from, to *passkey.Ceremonies, k *fakekey.Key, subject passkey.Subject) (string, error) {
	t.Helper()
	o, err := from.BeginProof(t.Context(), phone, page, subject)
	if err != nil {
		return "", err
	}
	client, data, signature := k.Sign(fakekey.Ceremony{Origin: page.Origin, Site: page.Name, Challenge: o.Challenge.String()})
	ticket, err := to.FinishProof(t.Context(), phone, page, subject, passkey.Assertion{Credential: k.ID, ClientData: client, AuthenticatorData: data, Signature: signature})
	return ticket.Proof, err
}

func redeem(t *testing.T, c *passkey.Ceremonies, by nod.Actor, ticket string, subject passkey.Subject) bool {
	counts, err := c.Redeem(t.Context(), by, ticket, subject)
	return counts && err == nil
}

// Each step of a ceremony is at another hub, and what was shown at one is spent
// at all of them, right or wrong.
func TestCeremonyAcrossHubs(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	hubs := ceremonies(t, server.Database(t), 3, &now)
	k, more := fakekey.ES256(), fakekey.EdDSA()
	if err := register(t, hubs[0], hubs[1], k, passkey.Permission{}); err != nil {
		t.Fatal(err)
	}
	// An agent may choose odd letters for the id of a request.
	subject, twin := passkey.ForRequest("r\xff"), passkey.ForRequest("r\xfe")
	ticket := func(s passkey.Subject) string {
		t.Helper()
		text, err := prove(t, hubs[1], hubs[2], k, s)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	mine := ticket(subject)
	if !redeem(t, hubs[0], phone, mine, subject) || redeem(t, hubs[1], phone, mine, subject) {
		t.Error("a ticket does not count once, at any hub")
	}
	for name, wrong := range map[string]func(string) bool{
		"another device":  func(s string) bool { return redeem(t, hubs[0], late, s, subject) },
		"another request": func(s string) bool { return redeem(t, hubs[0], phone, s, twin) },
		"too late":        func(s string) bool { now = now.Add(time.Minute); return redeem(t, hubs[0], phone, s, subject) },
	} {
		mine := ticket(subject)
		if wrong(mine) || redeem(t, hubs[2], phone, mine, subject) {
			t.Errorf("%s: it counts", name)
		}
	}
	if err := register(t, hubs[2], hubs[0], more, passkey.Permission{Ticket: ticket(passkey.ForPasskeys)}); err != nil {
		t.Errorf("a second passkey: %v", err)
	}
	invited, err := hubs[1].Invite(t.Context(), phone, ticket(passkey.ForPasskeys))
	if err != nil {
		t.Fatal(err)
	}
	if err := register(t, hubs[2], hubs[1], fakekey.ES256(), passkey.Permission{Invitation: invited.Code}); err != nil {
		t.Errorf("by invitation: %v", err)
	}
	var refused *passkey.Refusal
	if err := register(t, hubs[0], hubs[1], fakekey.ES256(), passkey.Permission{Invitation: invited.Code}); !errors.As(err, &refused) || refused.Reason != passkey.ProofRequired {
		t.Errorf("an invitation counts twice: %v", err)
	}
}

// The database contains no secret that a hub would accept.
func TestSecretsOfCeremoniesAreNotInTheDatabase(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	address := server.Database(t)
	hub := ceremonies(t, address, 1, &now)[0]
	k := fakekey.ES256()
	if err := register(t, hub, hub, k, passkey.Permission{}); err != nil {
		t.Fatal(err)
	}
	ticket, err := prove(t, hub, hub, k, passkey.ForRequest("r1"))
	if err != nil {
		t.Fatal(err)
	}
	open, err := hub.BeginProof(t.Context(), phone, page, passkey.ForRequest("r1"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := pgx.Connect(t.Context(), address+"&search_path=nod")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background())
	rows, err := c.Query(t.Context(), `SELECT hash, slips::text || convert_from(holder, 'UTF8') || convert_from(body, 'UTF8') FROM slips`)
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		Hash []byte
		Text string
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[row])
	if err != nil || len(all) != 2 {
		t.Fatalf("%d tokens, %v", len(all), err)
	}
	for _, secret := range []string{ticket, open.Challenge.String()} {
		found := false
		hash := sha256.Sum256([]byte(secret))
		for _, r := range all {
			found = found || bytes.Equal(r.Hash, hash[:])
			if strings.Contains(r.Text, secret) || strings.Contains(r.Text, fmt.Sprintf("%x", secret)) {
				t.Errorf("a secret is in %s", r.Text)
			}
		}
		if !found {
			t.Error("a token is not known by the hash of its secret")
		}
	}
}

// A hub of the previous release runs while a new one makes the table, and restarts
// beside it.
func TestOneTimeTokensAreAddedBesideAnOlderHub(t *testing.T) {
	t.Parallel()
	address := server.Database(t)
	for range 2 {
		older := openedOlder(t, address)
		newer := opened(t, address)
		key := passkey.Key{ID: fmt.Sprint("k", older.id), Created: time.Now(), Credential: []byte{1}, Public: []byte{2}}
		if err := older.PutPasskey(t.Context(), key); err != nil {
			t.Error(err)
		}
		s := passkey.OneTimeToken{Hash: sha256.Sum256([]byte(key.ID)), Kind: "ticket", Created: time.Now(), Expires: time.Now().Add(time.Minute)}
		if err := newer.PutOneTimeToken(t.Context(), s); err != nil {
			t.Error(err)
		}
		if _, err := newer.TakeOneTimeToken(t.Context(), s.Hash); err != nil {
			t.Error(err)
		}
	}
}

// Without the database no ceremony begins, ends or counts, and the error says why.
func TestCeremonyWhileTheDatabaseIsAway(t *testing.T) {
	t.Parallel()
	own := pgtest.Start(t)
	s := openedWith(t, own.Database(t), limits{wait: 100 * time.Millisecond})
	hub := passkey.New(s, nil)
	k := fakekey.ES256()
	if err := register(t, hub, hub, k, passkey.Permission{}); err != nil {
		t.Fatal(err)
	}
	subject := passkey.ForRequest("r1")
	ticket, err := prove(t, hub, hub, k, subject)
	if err != nil {
		t.Fatal(err)
	}
	begun, err := hub.BeginProof(t.Context(), phone, page, subject)
	if err != nil {
		t.Fatal(err)
	}
	client, data, signature := k.Sign(fakekey.Ceremony{Origin: page.Origin, Site: page.Name, Challenge: begun.Challenge.String()})
	finish := func() error {
		_, err := hub.FinishProof(t.Context(), phone, page, subject, passkey.Assertion{Credential: k.ID, ClientData: client, AuthenticatorData: data, Signature: signature})
		return err
	}
	own.Stop(t, syscall.SIGINT)
	token := passkey.OneTimeToken{Hash: [32]byte{1}, Kind: "ticket", Created: time.Now(), Expires: time.Now().Add(time.Minute)}
	for name, do := range map[string]func() error{
		"put":    func() error { return s.PutOneTimeToken(t.Context(), token) },
		"take":   func() error { _, err := s.TakeOneTimeToken(t.Context(), token.Hash); return err },
		"finish": finish,
		"redeem": func() error { _, err := hub.Redeem(t.Context(), phone, ticket, subject); return err },
		"invite": func() error { _, err := hub.Invite(t.Context(), phone, ticket); return err },
		"delete": func() error { return hub.Delete(t.Context(), phone, "x", ticket) },
	} {
		t.Run(name, func(t *testing.T) { wantTrouble(t, do(), "cannot be reached") })
	}
	if redeem(t, hub, phone, ticket, subject) {
		t.Error("a ticket counts that nobody can look up")
	}
	own.Start(t)
	if err := finish(); err != nil {
		t.Errorf("what was begun before does not go on: %v", err)
	}
	if !redeem(t, hub, phone, ticket, subject) {
		t.Error("a ticket of which nobody could tell is gone")
	}
}
