package nod

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"
)

// Checkpoint stands for the pruned beginning of a log: every event up to Seq is gone, the chain continues from Hash,
// and State is the result of those events. The pruning party signs it, so that a log cut off by anyone else has no
// valid checkpoint.
type Checkpoint struct {
	Seq       Seq               `json:"seq"`
	Hash      Hash              `json:"hash"`
	At        time.Time         `json:"at"`    // when it was pruned
	State     json.RawMessage   `json:"state"` // a State at Seq
	Key       ed25519.PublicKey `json:"key"`
	Signature []byte            `json:"signature"`
}

// NewCheckpoint makes and signs the checkpoint of a log that was pruned up to s.
func NewCheckpoint(s State, at time.Time, key ed25519.PrivateKey) (Checkpoint, error) {
	state, err := json.Marshal(s)
	if err != nil {
		return Checkpoint{}, err
	}
	c := Checkpoint{Seq: s.Seq, Hash: s.Hash, At: at.UTC(), State: state, Key: key.Public().(ed25519.PublicKey)}
	c.Signature = ed25519.Sign(key, c.signed())
	return c, nil
}

// IsZero reports whether there is no checkpoint: the log is complete.
func (c *Checkpoint) IsZero() bool { return c.Seq == 0 }

// signed is what the signature covers. The state is hashed in compact form, because a checkpoint's JSON may be
// reformatted on its way.
func (c *Checkpoint) signed() []byte {
	var compact bytes.Buffer
	if json.Compact(&compact, c.State) != nil {
		compact.Reset()
	}
	return fmt.Appendf(nil, "nod checkpoint 1\n%d\n%s\n%s\n%x\n", c.Seq, c.Hash, c.At.UTC().Format(time.RFC3339Nano), sha256.Sum256(compact.Bytes()))
}

// Verify checks the signature against the checkpoint's own key; Signer identifies that key.
func (c *Checkpoint) Verify() error {
	if len(c.Key) != ed25519.PublicKeySize || !ed25519.Verify(c.Key, c.signed(), c.Signature) {
		return Errorf(Conflict, "the checkpoint at event %d was changed: its signature does not fit", c.Seq)
	}
	return nil
}

// Signer names the signing key, short enough to compare by eye.
func (c *Checkpoint) Signer() string {
	sum := sha256.Sum256(c.Key)
	return fmt.Sprintf("%x", sum[:8])
}

// Base is the state that a pruned log begins with. A state of another version cannot be read: then only the position
// is known, and the events since.
func (c *Checkpoint) Base() State {
	s := NewState()
	if c.IsZero() {
		return s
	}
	var kept State
	if json.Unmarshal(c.State, &kept) == nil && kept.upgraded() && kept.Seq == c.Seq && kept.Hash == c.Hash {
		return kept
	}
	s.Seq, s.Hash, s.At = c.Seq, c.Hash, c.At
	return s
}
