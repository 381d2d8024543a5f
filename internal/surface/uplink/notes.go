package uplink

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"sync"

	"nod"
	"nod/internal/sys/replace"
)

// notes are what must survive a restart.
type notes struct {
	Log     string   `json:"log,omitempty"`     // the name of this machine's log
	Orders  nod.Seq  `json:"orders"`            // the last order that was carried out
	Errands []errand `json:"errands,omitempty"` // oldest first
}

// errand is a message from elsewhere that is not in the log here: its files are being
// fetched, or it has failed and the hub elsewhere does not know yet.
type errand struct {
	By      *nod.Actor  `json:"by,omitempty"`
	Message nod.Message `json:"message"`
}

func (e *errand) failed() bool { return e.Message.Status == nod.Failed }

// notesFile keeps the notes on disk. get returns only what is saved.
type notesFile struct {
	file string

	mu   sync.Mutex
	read bool
	now  notes
}

// get is a copy of the notes.
func (n *notesFile) get() (notes, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	err := n.load()
	known := n.now
	known.Errands = slices.Clone(known.Errands)
	return known, err
}

// load reads the file once. The lock is held.
func (n *notesFile) load() error {
	if n.read {
		return nil
	}
	body, err := os.ReadFile(n.file)
	if err == nil {
		err = json.Unmarshal(body, &n.now)
	} else if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	n.read = err == nil
	return err
}

// change saves changed notes. If that fails, they stay as they were.
func (n *notesFile) change(f func(*notes)) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.load(); err != nil {
		return err
	}
	next := n.now
	next.Errands = slices.Clone(next.Errands)
	f(&next)
	body, err := json.Marshal(next)
	if err != nil {
		return err
	}
	// A message whose order is done is nowhere else, and a link cannot continue with
	// empty notes: this has to survive a power cut.
	if err := replace.File(n.file, body, 0o600); err != nil {
		return err
	}
	n.now = next
	return nil
}

// errand finds one by its message.
func (n *notes) errand(id nod.MessageID) *errand {
	if i := slices.IndexFunc(n.Errands, func(e errand) bool { return e.Message.ID == id }); i >= 0 {
		return &n.Errands[i]
	}
	return nil
}

// drop removes the errands that match.
func (n *notes) drop(fits func(*errand) bool) {
	n.Errands = slices.DeleteFunc(n.Errands, func(e errand) bool { return fits(&e) })
}

// busy reports whether an agent has an errand that has not failed.
func (n *notes) busy(id nod.AgentID) bool {
	return slices.ContainsFunc(n.Errands, func(e errand) bool { return !e.failed() && e.Message.Agent == id })
}
