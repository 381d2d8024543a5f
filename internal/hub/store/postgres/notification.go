package postgres

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"nod"
	"nod/internal/hub/record"
)

// A notification carries what was written, so that the other hubs need not query it.
// Every role that may connect to the database can listen and notify, even without
// rights to the tables: so notifications are sealed, with a key kept in a table.
//
// The text is the id of the hub. If it carries events, these follow: a space, the
// number of the first one, a space, and the sealed bytes. A broadcast has its kind in
// place of the number. A hub of the release before treats any text as a wake-up.

// PostgreSQL limits a notification to less than 8,000 bytes.
const (
	maxNotification = 7990
	maxCarried      = (maxNotification-64)/4*3 - 64 // room for events, after id, number, base64 and the cipher's overhead
)

// notification carries events from a number on. It is opened only when it is read,
// because many are out of date by then.
type notification struct {
	by     string
	first  nod.Seq
	sealed string
}

// sealer encrypts what this hub sends, and decrypts what it receives. Each hub has a
// key of its own, derived from the log's key and the hub's id, and never uses a
// nonce twice.
type sealer struct {
	id   string
	key  []byte // of the log; nil: notifications carry nothing
	used atomic.Uint64

	mu            sync.Mutex
	ciphers       map[string]cipher.AEAD // by id of the hub
	lastBroadcast map[string]uint64      // by id of the hub: the number of its newest broadcast
}

// maxCiphers is how many hubs are remembered: every start of a hub is a new id.
const maxCiphers = 64

func (n *sealer) cipherOf(id string) (cipher.AEAD, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if a := n.ciphers[id]; a != nil {
		return a, nil
	}
	key, err := hkdf.Key(sha256.New, n.key, nil, "nod wake-up by "+id, 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	a, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	if len(n.ciphers) >= maxCiphers || n.ciphers == nil {
		n.ciphers = map[string]cipher.AEAD{}
	}
	n.ciphers[id] = a
	return a, nil
}

// sealEvents is the notification of an append. It carries all events or none.
func (n *sealer) sealEvents(es []nod.Event) string {
	size := 0
	for i := range es {
		size += len(es[i].Hash) + binary.MaxVarintLen32 + len(es[i].Body())
	}
	if n.key == nil || size > maxCarried {
		return n.id
	}
	open := make([]byte, 0, size)
	for i := range es {
		open = append(open, es[i].Hash[:]...)
		open = binary.AppendUvarint(open, uint64(len(es[i].Body())))
		open = append(open, es[i].Body()...)
	}
	sealed, err := n.seal(open, kindEvents)
	if err != nil {
		return n.id
	}
	return fmt.Sprintf("%s %d %s", n.id, es[0].Seq, sealed)
}

// What is sealed as one kind cannot be opened as another.
const (
	kindEvents    = ""
	kindBroadcast = "cry"
)

func (n *sealer) seal(open []byte, kind string) (sealed string, err error) {
	a, err := n.cipherOf(n.id)
	if err != nil {
		return "", err
	}
	nonce := make([]byte, a.NonceSize(), a.NonceSize()+len(open)+a.Overhead())
	binary.BigEndian.PutUint64(nonce, n.used.Add(1))
	return base64.RawStdEncoding.EncodeToString(a.Seal(nonce, nonce, open, []byte(kind))), nil
}

// unseal decrypts what a hub sealed as a kind, and returns the number it used.
func (n *sealer) unseal(by, letters, kind string) (open []byte, number uint64, err error) {
	sealed, err := base64.RawStdEncoding.DecodeString(letters)
	if err != nil {
		return nil, 0, errForged
	}
	a, err := n.cipherOf(by)
	if err != nil {
		return nil, 0, err
	}
	if len(sealed) < a.NonceSize() {
		return nil, 0, errForged
	}
	nonce := sealed[:a.NonceSize()]
	open, err = a.Open(nil, nonce, sealed[len(nonce):], []byte(kind))
	if err != nil {
		return nil, 0, errForged
	}
	return open, binary.BigEndian.Uint64(nonce), nil
}

var errForged = errors.New("no hub of this log made that wake-up")

// parse reads who sent a notification and what it carries, still sealed; first is 0
// if it carries nothing.
func (n *sealer) parse(text string) notification {
	by, rest, _ := strings.Cut(text, " ")
	number, sealed, ok := strings.Cut(rest, " ")
	first, err := strconv.ParseInt(number, 10, 64)
	if !ok || err != nil || first < 1 || n.key == nil {
		return notification{by: by}
	}
	return notification{by, nod.Seq(first), sealed}
}

// open decrypts the events of a notification.
func (n *sealer) open(t notification) ([]nod.Event, error) {
	open, _, err := n.unseal(t.by, t.sealed, kindEvents)
	if err != nil {
		return nil, err
	}
	es, err := unpack(open)
	if err != nil || len(es) == 0 || es[0].Seq != t.first {
		return nil, errForged
	}
	return es, nil
}

func unpack(open []byte) (es []nod.Event, err error) {
	for len(open) > 0 {
		var hash nod.Hash
		if len(open) < len(hash) {
			return nil, errForged
		}
		open = open[copy(hash[:], open):]
		size, used := binary.Uvarint(open)
		if used <= 0 || size > uint64(len(open)-used) {
			return nil, errForged
		}
		end := used + int(size)
		e, err := nod.Unseal(open[used:end:end], hash)
		if err != nil {
			return nil, err
		}
		es, open = append(es, e), open[end:]
	}
	return es, nil
}

// sealKey is the key of this log, made by the first hub that asks. Tables of the
// release before have none; notifications then carry nothing.
func (d *database) sealKey(ctx context.Context) ([]byte, error) {
	for {
		keys, err := list(ctx, d, func(row record.Row) (key []byte, err error) { return key, row.Scan(&key) }, `SELECT key FROM note_key`)
		switch {
		case err != nil && missing(err):
			return nil, nil
		case err != nil:
			return nil, err
		case len(keys) > 0:
			return keys[0], nil
		}
		fresh := make([]byte, 32)
		_, _ = rand.Read(fresh) // never fails
		if _, err := d.exec(ctx, `INSERT INTO note_key VALUES (1, $1) ON CONFLICT DO NOTHING`, fresh); err != nil {
			return nil, err
		}
	}
}
