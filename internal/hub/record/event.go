// Package record is what the stores with tables share: how nod's things are
// written into columns and read back, and how a log of rows is verified. It knows
// no database; a row is whatever can be scanned.
package record

import (
	"encoding/json"
	"fmt"
	"io/fs"

	"nod"
)

// Row is a row of database/sql or pgx.
type Row interface{ Scan(dest ...any) error }

// Appendable refuses events that would leave a gap or have no bytes; both can only
// be mistakes of the caller.
func Appendable(after nod.Seq, es []nod.Event) error {
	for i := range es {
		before := after + nod.Seq(i)
		switch {
		case es[i].Seq != before+1:
			return nod.Errorf(nod.Internal, "event %d cannot follow event %d in the log", es[i].Seq, before)
		case len(es[i].Body()) == 0:
			return nod.Errorf(nod.Internal, "event %d was not sealed", es[i].Seq)
		}
	}
	return nil
}

// ID is an id as an index keeps it: none as NULL, which is not indexed, and odd
// bytes as they come out in the JSON of the body.
func ID(id string) []byte {
	if id == "" {
		return nil
	}
	if !nod.Clean(id) {
		id = string([]rune(id))
	}
	return []byte(id)
}

// Event reads the columns seq, body and hash.
func Event(row Row) (nod.Event, error) {
	var seq int64
	var body, hash []byte
	if err := row.Scan(&seq, &body, &hash); err != nil {
		return nod.Event{}, err
	}
	e, err := unseal(body, hash)
	if err == nil && e.Seq != nod.Seq(seq) {
		err = fmt.Errorf("its body says %d", e.Seq)
	}
	if err != nil {
		return nod.Event{}, nod.Errorf(nod.Internal, "event %d is damaged: nod log verify tells more", seq).Because(err)
	}
	return e, nil
}

// unseal reads an event that may have been tampered with.
func unseal(body, hash []byte) (nod.Event, error) {
	h, err := toHash(hash)
	if err != nil {
		return nod.Event{}, err
	}
	return nod.Unseal(body, h)
}

func toHash(b []byte) (h nod.Hash, err error) {
	if len(b) != len(h) {
		return h, fmt.Errorf("a hash has %d bytes, not %d", len(h), len(b))
	}
	copy(h[:], b)
	return h, nil
}

// Missing explains an event that is not in the log: those before the oldest that is
// kept are gone, any other was taken out.
func Missing(seq nod.Seq, older bool) error {
	if !older {
		return nod.Errorf(nod.Gone, "event %d is no longer kept in this log", seq)
	}
	return nod.Errorf(nod.Internal, "event %d is missing in the log: nod log verify tells more", seq)
}

// PrefixEnd returns the first text that sorts behind all that begin with prefix, if
// there is one.
func PrefixEnd(prefix string) (end string, ok bool) {
	b := []byte(prefix)
	for len(b) > 0 && b[len(b)-1] == 0xff {
		b = b[:len(b)-1]
	}
	if len(b) == 0 {
		return "", false
	}
	b[len(b)-1]++
	return string(b), true
}

// Schema lists the files schema/1_*.sql, schema/2_*.sql, … in order: the steps from
// an empty database to the present.
func Schema(files fs.FS) (steps []string) {
	for {
		names, _ := fs.Glob(files, fmt.Sprintf("schema/%d_*.sql", len(steps)+1))
		if len(names) == 0 {
			return steps
		}
		text, err := fs.ReadFile(files, names[0])
		if err != nil {
			panic(err) // it is embedded in the program
		}
		steps = append(steps, string(text))
	}
}

// EncodeState is what is saved of a state.
func EncodeState(s nod.State) ([]byte, error) {
	body, err := json.Marshal(s)
	if err != nil {
		return nil, nod.Errorf(nod.Internal, "the state at event %d cannot be written down", s.Seq).Because(err)
	}
	return body, nil
}

// State reads a saved state. One that cannot be used is not an error, because
// reading the log again is better than not starting: what a pruned log no longer
// has, its checkpoint has. fits tells whether the event that the state was saved at
// is still in the log.
func State(body []byte, fits bool, base nod.Checkpoint) nod.State {
	state := nod.NewState()
	if json.Unmarshal(body, &state) != nil || !base.IsZero() && (!fits || !state.Current()) {
		return base.Base()
	}
	return state
}

// Checkpoint reads the column that holds one.
func Checkpoint(row Row) (c nod.Checkpoint, err error) {
	var body []byte
	if err := row.Scan(&body); err != nil {
		return c, err
	}
	if json.Unmarshal(body, &c) != nil {
		return c, nod.Errorf(nod.Internal, "the checkpoint that the log begins with is damaged: put a backup in its place")
	}
	return c, nil
}
