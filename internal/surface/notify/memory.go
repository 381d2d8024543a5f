package notify

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"

	"nod/internal/net/notify"
	"nod/internal/sys/replace"
)

// Memory keeps by name what hubs on one log know in common. Kept is nil if nothing
// was kept.
type Memory interface {
	Keep(ctx context.Context, name string, body []byte) error
	Kept(ctx context.Context, name string) ([]byte, error)
}

// memoryName is the name of what this surface keeps.
const memoryName = "notify"

// file is the memory of a hub that has its log for itself.
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

// sent is which notifications are shown. Without it, they could not be taken back,
// links in them would be dead, and everything would be sent twice. It holds no text
// of a notification and no code of a link.
type sent struct {
	Channels map[string]map[string]shown `json:"channels"`
	Tickets  []notify.Ticket             `json:"tickets,omitempty"`
}

func (s *Surface) kept(ctx context.Context) (m sent, found bool, err error) {
	if s.memory == nil {
		return m, false, nil
	}
	body, err := s.memory.Kept(ctx, memoryName)
	if err == nil && body != nil {
		err = json.Unmarshal(body, &m)
	}
	return m, err == nil && body != nil, err
}

// recall continues where this hub, or another, stopped.
func (s *Surface) recall(ctx context.Context) {
	m, found, err := s.kept(ctx)
	if err != nil {
		s.Log.Warn("which notes are out there is forgotten: they may be sent twice", "err", err)
	}
	if !found {
		return
	}
	s.tickets.Restore(m.Tickets)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.targets {
		clear(t.shown) // another hub may have taken back what this one showed earlier
		for key, sh := range m.Channels[t.Name] {
			t.shown[key] = sh
		}
	}
}

// ticket finds a ticket, also one that another hub has issued: a link may be opened at
// any of them.
func (s *Surface) ticket(ctx context.Context, code string) (notify.Ticket, bool) {
	ticket, ok := s.tickets.Find(code)
	if ok || s.Shared == nil {
		return ticket, ok
	}
	m, _, err := s.kept(ctx)
	if err != nil {
		s.Log.Warn("links of other hubs cannot be looked up", "err", err)
	}
	s.tickets.Learn(code, m.Tickets)
	return s.tickets.Find(code)
}

// keep saves which notifications are shown.
func (s *Surface) keep() {
	if s.memory == nil {
		return
	}
	s.saving.Lock()
	defer s.saving.Unlock()
	m := sent{Channels: map[string]map[string]shown{}, Tickets: s.tickets.All()}
	s.mu.Lock()
	for _, t := range s.targets {
		if len(t.shown) > 0 {
			m.Channels[t.Name] = t.shown
		}
	}
	text, err := json.Marshal(m)
	s.mu.Unlock()
	if err == nil {
		err = s.memory.Keep(context.Background(), memoryName, text)
	}
	if err != nil {
		s.Log.Warn("which notes are out there is not kept", "err", err)
	}
}
