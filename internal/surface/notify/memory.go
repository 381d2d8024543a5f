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

// Memory keeps what is out there over a restart, and for the hub that takes over
// where several share one log.
type Memory interface {
	Keep(ctx context.Context, body []byte) error
	// Kept is what was kept last, and nil if nothing was.
	Kept(ctx context.Context) ([]byte, error)
	// Shared tells that another hub may have kept it.
	Shared() bool
}

// File is the memory of a hub that is alone.
type File string

// Keep writes the file anew, whole or not at all.
func (f File) Keep(_ context.Context, body []byte) error { return replace.File(string(f), body, 0o600) }

// Kept implements Memory.
func (f File) Kept(context.Context) ([]byte, error) {
	body, err := os.ReadFile(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return body, err
}

// Shared implements Memory.
func (File) Shared() bool { return false }

// Drawer is where hubs that share a log keep things for each other, by name.
type Drawer interface {
	Keep(ctx context.Context, name string, body []byte) error
	Kept(ctx context.Context, name string) ([]byte, error)
}

// In is the memory of several hubs.
func In(d Drawer) Memory { return shared{d} }

type shared struct{ drawer Drawer }

func (s shared) Keep(ctx context.Context, body []byte) error {
	return s.drawer.Keep(ctx, "notify", body)
}
func (s shared) Kept(ctx context.Context) ([]byte, error) { return s.drawer.Kept(ctx, "notify") }
func (shared) Shared() bool                               { return true }

// memory is what is out there: without it, notes could not be taken back, links in
// them would be dead, and everything would be told twice. It holds no text of any
// note and no code of any link.
type memory struct {
	Channels map[string]map[string]shown `json:"channels"`
	Tickets  []notify.Ticket             `json:"tickets,omitempty"`
}

func (s *Surface) kept(ctx context.Context) (m memory, found bool, err error) {
	if s.Memory == nil {
		return m, false, nil
	}
	body, err := s.Memory.Kept(ctx)
	if err == nil && body != nil {
		err = json.Unmarshal(body, &m)
	}
	return m, err == nil && body != nil, err
}

// recall goes on where this hub, or another, left off.
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
		clear(t.shown) // what this hub knew from an earlier time, another may have taken back
		for key, sh := range m.Channels[t.Name] {
			t.shown[key] = sh
		}
	}
}

// find makes a ticket known that another hub has issued: whoever follows a link may
// come to any of them.
func (s *Surface) find(ctx context.Context, code string) (notify.Ticket, bool) {
	ticket, ok := s.tickets.Find(code)
	if ok || s.Memory == nil || !s.Memory.Shared() {
		return ticket, ok
	}
	m, _, err := s.kept(ctx)
	if err != nil {
		s.Log.Warn("links of other hubs cannot be looked up", "err", err)
	}
	s.tickets.Learn(code, m.Tickets)
	return s.tickets.Find(code)
}

// keep writes down what is out there.
func (s *Surface) keep() {
	if s.Memory == nil {
		return
	}
	s.saving.Lock()
	defer s.saving.Unlock()
	m := memory{Channels: map[string]map[string]shown{}, Tickets: s.tickets.All()}
	s.mu.Lock()
	for _, t := range s.targets {
		if len(t.shown) > 0 {
			m.Channels[t.Name] = t.shown
		}
	}
	text, err := json.Marshal(m)
	s.mu.Unlock()
	if err == nil {
		err = s.Memory.Keep(context.Background(), text)
	}
	if err != nil {
		s.Log.Warn("which notes are out there is not kept", "err", err)
	}
}
