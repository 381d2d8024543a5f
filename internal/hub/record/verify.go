package record

import (
	"bytes"

	"nod"
)

// Mark is the number of an event and the hash that belongs to it.
type Mark struct {
	Seq  nod.Seq
	Hash nod.Hash
}

// ScanMark reads the columns seq and hash.
func ScanMark(row Row) (m Mark, err error) {
	var seq int64
	var hash []byte
	if err = row.Scan(&seq, &hash); err != nil {
		return Mark{}, err
	}
	m.Seq = nod.Seq(seq)
	m.Hash, err = toHash(hash)
	return m, err
}

// Verifier checks a log row by row. It fails with Conflict at the first event that
// was changed, removed, moved or filed under something else, and when the log ends
// too early; its Mark is then the last event that is still good.
type Verifier struct {
	Mark
	Head  Mark                 // where the log is said to end
	saved map[nod.Seq]nod.Hash // the events that states were saved at
}

// Begin starts behind the checkpoint of a pruned log.
func (v *Verifier) Begin(base nod.Checkpoint) error {
	if base.IsZero() {
		return nil
	}
	v.Mark = Mark{base.Seq, base.Hash}
	return base.Verify()
}

// Saved adds an event at which a state was saved.
func (v *Verifier) Saved(m Mark) {
	if v.saved == nil {
		v.saved = map[nod.Seq]nod.Hash{}
	}
	v.saved[m.Seq] = m.Hash
}

// Next checks a row of seq, kind, agent, request, body and hash.
func (v *Verifier) Next(row Row) error {
	var n int64
	var kind, agent, request, body, hash []byte
	if err := row.Scan(&n, &kind, &agent, &request, &body, &hash); err != nil {
		return err
	}
	seq := nod.Seq(n)
	if seq != v.Seq+1 {
		return nod.Errorf(nod.Conflict, "event %d is missing: event %d follows %d", v.Seq+1, seq, v.Seq)
	}
	e, err := unseal(body, hash)
	if err != nil {
		return nod.Errorf(nod.Conflict, "event %d was changed: it can no longer be read", seq).Because(err)
	}
	if err := e.Verify(v.Seq, v.Hash); err != nil {
		return err
	}
	if string(kind) != string(e.Kind) || !same(agent, ID(string(e.AgentID))) || !same(request, ID(string(e.RequestID))) {
		return nod.Errorf(nod.Conflict, "event %d (%s) was filed under something else", seq, e.Kind)
	}
	v.Mark = Mark{e.Seq, e.Hash}
	if saved, ok := v.saved[v.Seq]; ok && v.Hash != saved {
		return nod.Errorf(nod.Conflict, "event %d is not the one that the saved state was made of: it or one before it was replaced", seq)
	}
	return nil
}

// same tells NULL from an empty text.
func same(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

// End compares where the log ends with where it should.
func (v *Verifier) End() error {
	switch {
	case v.Seq < v.Head.Seq:
		return nod.Errorf(nod.Conflict, "event %d is missing: the log was cut off, it went up to %d", v.Seq+1, v.Head.Seq)
	case v.Mark != v.Head:
		return nod.Errorf(nod.Conflict, "event %d was not the end of the log: the note of its end says %d", v.Seq, v.Head.Seq)
	}
	for seq := range v.saved {
		if v.Seq < seq {
			return nod.Errorf(nod.Conflict, "event %d is missing: a state was saved at event %d", v.Seq+1, seq)
		}
	}
	return nil
}

// NoHead is the error of a log whose row that says where it ends is missing.
func NoHead() error {
	return nod.Errorf(nod.Conflict, "the note of where the log ends was taken out")
}
