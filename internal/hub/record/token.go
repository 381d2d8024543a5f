package record

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"nod"
	"nod/internal/net/auth"
	"nod/internal/net/passkey"
	"nod/internal/net/push"
)

// TokenColumns are in the order of TokenValues and Token.
const TokenColumns = `id, name, rights, room, hash, created, expires, used`

// TokenValues are the columns of a token.
func TokenValues(t auth.Token) []any {
	return []any{t.ID, t.Name, t.Rights.String(), t.Room, t.Hash[:], Time(t.Created), optionalTime(t.Expires), optionalTime(t.Used)}
}

// Token reads TokenColumns.
func Token(row Row) (t auth.Token, err error) {
	var rights, created string
	var expires, used *string
	var hash []byte
	if err = row.Scan(&t.ID, &t.Name, &rights, &t.Room, &hash, &created, &expires, &used); err != nil {
		return auth.Token{}, err
	}
	if copy(t.Hash[:], hash) != len(t.Hash) {
		return auth.Token{}, nod.Errorf(nod.Internal, "token %q is damaged: delete it and pair again", t.ID)
	}
	if rights != "" {
		t.Rights, err = nod.ParseRights(rights)
	}
	return t, errors.Join(err, ParseTime(&t.Created, created), parseOptional(&t.Expires, expires), parseOptional(&t.Used, used))
}

// NoToken is the error for an unknown token.
func NoToken(id string) error { return nod.Errorf(nod.NotFound, "there is no token %q", id) }

// PasskeyColumns are in the order of PasskeyValues and Passkey.
const PasskeyColumns = `id, name, site, credential, public, count, transports, created, used`

// PasskeyValues are the columns of a passkey.
func PasskeyValues(k passkey.Key) []any {
	return []any{k.ID, k.Name, k.Site, k.Credential, k.Public, int64(k.Count), strings.Join(k.Transports, ","), Time(k.Created), optionalTime(k.Used)}
}

// Passkey reads PasskeyColumns.
func Passkey(row Row) (k passkey.Key, err error) {
	var transports, created string
	var used *string
	if err = row.Scan(&k.ID, &k.Name, &k.Site, &k.Credential, &k.Public, &k.Count, &transports, &created, &used); err != nil {
		return passkey.Key{}, err
	}
	if transports != "" {
		k.Transports = strings.Split(transports, ",")
	}
	return k, errors.Join(ParseTime(&k.Created, created), parseOptional(&k.Used, used))
}

// NoPasskey is the error for an unknown passkey.
func NoPasskey(id string) error { return nod.Errorf(nod.NotFound, "there is no passkey %q", id) }

// PasskeyExists is the error for one that is put twice.
func PasskeyExists(id string) error {
	return nod.Errorf(nod.Conflict, "the passkey %q is there already", id)
}

// NotFirstPasskey is the error for one that must be the first and is not.
func NotFirstPasskey() error { return nod.Errorf(nod.Conflict, "there is a passkey already") }

// PasskeyReplayed is the error for a counter that did not grow.
func PasskeyReplayed(id string, count, before uint32) error {
	return nod.Errorf(nod.Conflict, "the passkey %q counted %d, and %d before", id, count, before)
}

// EncodeSubscriber is what is kept of a subscriber, besides Told.
func EncodeSubscriber(n push.Subscriber) ([]byte, error) {
	body, err := json.Marshal(n)
	if err != nil {
		return nil, nod.Errorf(nod.Internal, "the subscription of %q cannot be written down", n.Token).Because(err)
	}
	return body, nil
}

// EncodeTold is what is kept of Told.
func EncodeTold(token string, told []string) ([]byte, error) {
	if told == nil {
		told = []string{}
	}
	body, err := json.Marshal(told)
	if err != nil {
		return nil, nod.Errorf(nod.Internal, "what %q was told cannot be written down", token).Because(err)
	}
	return body, nil
}

// Subscriber reads the columns token, body and told.
func Subscriber(row Row) (n push.Subscriber, err error) {
	var token string
	var body, told []byte
	if err := row.Scan(&token, &body, &told); err != nil {
		return n, err
	}
	if json.Unmarshal(body, &n) != nil || json.Unmarshal(told, &n.Told) != nil || n.Token != token {
		return n, nod.Errorf(nod.Internal, "the subscription of device %q is damaged: revoke the device and pair it again", token)
	}
	return n, nil
}

// NotSubscribed is the error for a device without a subscription at that endpoint.
func NotSubscribed(token string) error {
	return nod.Errorf(nod.NotFound, "the device with the token %q does not get notifications there", token)
}

// timeLayout has a fixed width, unlike time.RFC3339Nano, so that text sorts as
// time does.
const timeLayout = "2006-01-02T15:04:05.000000000Z"

// Time is a time as the tables keep it.
func Time(t time.Time) string { return t.UTC().Format(timeLayout) }

// ParseTime reads what Time wrote.
func ParseTime(t *time.Time, s string) (err error) {
	*t, err = time.Parse(timeLayout, s)
	return err
}

func optionalTime(t *time.Time) *string {
	if t == nil {
		return nil
	}
	text := Time(*t)
	return &text
}

func parseOptional(t **time.Time, s *string) error {
	if s == nil {
		return nil
	}
	*t = new(time.Time)
	return ParseTime(*t, *s)
}
