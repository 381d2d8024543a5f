package notify

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"nod/internal/notify"
)

// memory is what is out there, kept over a restart: without it, notes could not
// be taken back, links in them would be dead, and everything would be told
// twice. It holds no text of any note and no code of any link.
type memory struct {
	Channels map[string]map[string]shown `json:"channels"`
	Tickets  []notify.Ticket             `json:"tickets,omitempty"`
}

// recall takes up the file where it was left.
func (s *Surface) recall() {
	if s.Memory == "" {
		return
	}
	var m memory
	text, err := os.ReadFile(s.Memory)
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			s.Log.Warn("which notes are out there is forgotten: they may be sent twice", "file", s.Memory, "err", err)
		}
		return
	}
	s.tickets.Restore(m.Tickets)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.targets {
		for key, sh := range m.Channels[t.Name] {
			t.shown[key] = sh
		}
	}
}

// keep writes the file anew, whole or not at all.
func (s *Surface) keep() {
	if s.Memory == "" {
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
		err = replace(s.Memory, text)
	}
	if err != nil {
		s.Log.Warn("which notes are out there is not kept", "file", s.Memory, "err", err)
	}
}

func replace(file string, text []byte) error {
	part, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*") // for its owner alone
	if err != nil {
		return err
	}
	_, err = part.Write(text)
	if err = errors.Join(err, part.Close()); err == nil {
		err = os.Rename(part.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(part.Name()))
	}
	return nil
}
