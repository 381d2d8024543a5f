package notify

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"sync"

	"nod/internal/net/notify"
	"nod/internal/sys/replace"
)

// Memory stores by name what hubs on one log share. Kept is nil if nothing was stored.
type Memory interface {
	Keep(ctx context.Context, name string, body []byte) error
	Kept(ctx context.Context, name string) ([]byte, error)
}

// memoryName is the name under which this surface stores.
const memoryName = "notify"

// file is the memory of a hub that does not share its log.
type file string

// Keep replaces the file, whole or not at all.
func (f file) Keep(_ context.Context, _ string, body []byte) error {
	return replace.File(string(f), body, 0o600)
}

// Kept implements Memory.
func (f file) Kept(context.Context, string) ([]byte, error) {
	body, err := os.ReadFile(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return body, err
}

// sent remembers which notifications people can see, across restarts. Without it they
// could not be taken back, their links would be dead, and everything would be sent twice.
type sent struct {
	memory   Memory // nil: nothing is kept
	shared   bool   // with other hubs
	log      *slog.Logger
	channels *channels
	tickets  notify.Tickets
	saving   sync.Mutex
}

// sentFile is what is kept. It holds no text of a notification and no code of a link.
type sentFile struct {
	Channels map[string]map[string]shown `json:"channels"`
	Tickets  []notify.Ticket             `json:"tickets,omitempty"`
}

func (s *sent) read(ctx context.Context) (f sentFile, found bool, err error) {
	if s.memory == nil {
		return f, false, nil
	}
	body, err := s.memory.Kept(ctx, memoryName)
	if err == nil && body != nil {
		err = json.Unmarshal(body, &f)
	}
	return f, err == nil && body != nil, err
}

// restore continues where this hub, or another, stopped.
func (s *sent) restore(ctx context.Context) {
	f, found, err := s.read(ctx)
	if err != nil {
		s.log.Warn("which notes are out there is forgotten: they may be sent twice", "err", err)
	}
	if !found {
		return
	}
	s.tickets.Restore(f.Tickets)
	s.channels.restore(f.Channels)
}

// ticket finds a ticket, also one that another hub has issued: a link may be opened at
// any of them.
func (s *sent) ticket(ctx context.Context, code string) (notify.Ticket, bool) {
	ticket, ok := s.tickets.Find(code)
	if ok || !s.shared {
		return ticket, ok
	}
	f, _, err := s.read(ctx)
	if err != nil {
		s.log.Warn("links of other hubs cannot be looked up", "err", err)
	}
	s.tickets.Learn(code, f.Tickets)
	return s.tickets.Find(code)
}

// save stores which notifications are shown.
func (s *sent) save() {
	if s.memory == nil {
		return
	}
	s.saving.Lock()
	defer s.saving.Unlock()
	text, err := json.Marshal(sentFile{Channels: s.channels.shown(), Tickets: s.tickets.All()})
	if err == nil {
		err = s.memory.Keep(context.Background(), memoryName, text)
	}
	if err != nil {
		s.log.Warn("which notes are out there is not kept", "err", err)
	}
}
