package voicepe

import (
	"sync"
	"time"

	"nod/internal/present/ear"
)

// pace lets a few things happen, and then a few more after a while.
type pace struct {
	most int
	each time.Duration

	mu    sync.Mutex
	began time.Time
	count int
}

func (p *pace) may(now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now.Sub(p.began) >= p.each || now.Before(p.began) {
		p.began, p.count = now, 0
	}
	p.count++
	return p.count <= p.most
}

// twice is how long the same words count as the same message: brokers deliver
// again, and two automations may listen to one puck.
const twice = 5 * time.Second

// seen remembers what was asked lately.
type seen struct {
	mu sync.Mutex
	at map[string]time.Time
}

// before reports whether a thing was seen within a time, and remembers it.
func (s *seen) before(key string, within time.Duration, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.at == nil || len(s.at) > 1000 {
		kept := map[string]time.Time{}
		for k, until := range s.at {
			if now.Before(until) {
				kept[k] = until
			}
		}
		s.at = kept
	}
	known := now.Before(s.at[key])
	if !known {
		s.at[key] = now.Add(within)
	}
	return known
}

func firstOf(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}

func guess(text string) string {
	if text == "" {
		return ""
	}
	return ear.Language(text)
}
