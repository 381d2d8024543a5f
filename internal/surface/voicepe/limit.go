package voicepe

import (
	"strings"
	"sync"
	"time"
)

// limiter allows a number of things in each span of time.
type limiter struct {
	most int
	each time.Duration

	mu    sync.Mutex
	began time.Time
	count int
}

func (p *limiter) allow(now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now.Sub(p.began) >= p.each || now.Before(p.began) {
		p.began, p.count = now, 0
	}
	p.count++
	return p.count <= p.most
}

// duplicateTime is how long the same words count as the same message: brokers
// deliver again, and two automations may listen to one puck.
const duplicateTime = 5 * time.Second

// recentRequests remembers requests for a while.
type recentRequests struct {
	mu sync.Mutex
	at map[string]time.Time
}

// seen reports whether a request came before, and remembers it for a while.
func (s *recentRequests) seen(key string, within time.Duration, now time.Time) bool {
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

// duplicate reports whether a request came before. Without an id the same words
// shortly after are the same request.
func (s *recentRequests) duplicate(r request, now time.Time) bool {
	if r.ID != "" {
		return s.seen("id "+r.ID, time.Hour, now)
	}
	return s.seen(strings.Join([]string{"text", r.Conversation, r.Source, r.Room, r.Text}, "\x00"), duplicateTime, now)
}
