package nod

import (
	"slices"
	"strings"
	"time"
)

// LeaseID identifies a lease.
type LeaseID string

// Lease is bounded consent: what its rules allow needs no person until the time is over or the count is used up, for
// the agents within its reach.
type Lease struct {
	ID      LeaseID   `json:"id"`
	Rules   []string  `json:"rules"`            // in Claude Code's syntax: "Bash(go test:*)"
	Agent   AgentID   `json:"agent,omitempty"`  // only this session
	Folder  string    `json:"folder,omitempty"` // only agents that work in or below it
	Host    string    `json:"host,omitempty"`   // only agents on this machine
	Until   time.Time `json:"until"`
	Limit   int       `json:"limit"` // total number of uses
	Used    int       `json:"used"`
	By      string    `json:"by"`
	Via     string    `json:"via"`
	Granted time.Time `json:"granted_at"`
	Request RequestID `json:"request,omitempty"` // the request it was granted with
	End     *LeaseEnd `json:"end,omitempty"`
}

// LeaseEnd records how a lease ended.
type LeaseEnd struct {
	Reason LeaseReason `json:"reason"`
	By     string      `json:"by,omitempty"`
	Via    string      `json:"via,omitempty"`
	At     time.Time   `json:"at"`
}

// LeaseReason is why a lease ended.
type LeaseReason string

const (
	LeaseEndExpired LeaseReason = "expired" // its time is over
	LeaseEndUsedUp  LeaseReason = "used_up" // its count is used up
	LeaseEndRevoked LeaseReason = "revoked" // a person revoked it
	LeaseEndStopped LeaseReason = "stopped" // the stop button
	LeaseEndEnded   LeaseReason = "ended"   // its session has ended
)

// Live reports whether the lease can still be used.
func (l *Lease) Live(now time.Time) bool {
	return l.End == nil && l.Until.After(now) && l.Used < l.Limit
}

// Reaches reports whether the lease covers an agent.
func (l *Lease) Reaches(a *AgentRef) bool {
	return (l.Agent == "" || l.Agent == a.ID) &&
		(l.Host == "" || l.Host == a.Host) &&
		(l.Folder == "" || Below(a.Cwd, l.Folder))
}

// Below reports whether a path is a folder or lies in it, comparing text only. A path with .. in it could lie
// anywhere.
func Below(path, folder string) bool {
	if path == "" || folder == "" || slices.Contains(strings.FieldsFunc(path, isSeparator), "..") {
		return false
	}
	rest, ok := strings.CutPrefix(path, strings.TrimRight(folder, `/\`))
	return ok && (rest == "" || isSeparator(rune(rest[0])))
}

func isSeparator(r rune) bool { return r == '/' || r == '\\' }

// Terms limit an allow that becomes a lease: this kind of thing, for a while.
type Terms struct {
	Option  string `json:"option,omitempty"` // the offered lease; empty: the first
	Minutes int    `json:"minutes"`
	Times   int    `json:"times,omitempty"` // 0: DefaultTimes
	Where   Reach  `json:"where,omitempty"` // empty: this session
}

// Reach is how far a lease goes.
type Reach string

// The reaches, from narrow to wide.
const (
	ReachSession Reach = "session"
	ReachFolder  Reach = "folder"
	ReachHost    Reach = "host"
)

// The bounds of a lease. Consent without bounds would be a rule, and rules are written down where
// people look for them.
const (
	DefaultTimes = 30
	MostTimes    = 1000
	MostMinutes  = 24 * 60
)

// Fit rejects a lease that is unbounded or already over.
func (l *Lease) Fit(now time.Time) error { return boxed(l.Until.Sub(now), l.Limit) }

// boxed checks a lease against its bounds.
func boxed(lasts time.Duration, times int) error {
	switch {
	case lasts <= 0 || lasts > MostMinutes*time.Minute:
		return Errorf(Invalid, "a lease lasts from one minute to a day; for longer, write a rule into nod.toml")
	case times < 1 || times > MostTimes:
		return Errorf(Invalid, "a lease is good for 1 to %d times; for more, write a rule into nod.toml", MostTimes)
	}
	return nil
}

// Minutes converts to a Duration; on overflow the result stays above the limit.
func Minutes(n int) time.Duration {
	return time.Duration(max(0, min(n, MostMinutes+1))) * time.Minute
}

// fit fills in defaults and rejects terms that are out of bounds.
func (t Terms) fit() (Terms, error) {
	if t.Times == 0 {
		t.Times = DefaultTimes
	}
	if t.Where == "" {
		t.Where = ReachSession
	}
	if err := boxed(Minutes(t.Minutes), t.Times); err != nil {
		return t, err
	}
	if t.Where != ReachSession && t.Where != ReachFolder && t.Where != ReachHost {
		return t, Errorf(Invalid, "unknown reach %q of a lease: session, folder or host", t.Where)
	}
	return t, nil
}

// Lease makes the lease for the agent of a request. The terms must fit.
func (t Terms) Lease(id LeaseID, r *Request, rules []string, by Actor, now time.Time) *Lease {
	l := &Lease{
		ID: id, Rules: rules, Host: r.Agent.Host,
		Until: now.Add(Minutes(t.Minutes)), Limit: t.Times,
		By: by.Name, Via: by.Via, Granted: now, Request: r.ID,
	}
	switch t.Where {
	case ReachSession:
		l.Agent = r.Agent.ID
		l.Folder = r.Agent.Cwd // the session may move; the consent does not
	case ReachFolder:
		l.Folder = r.Agent.Cwd
	}
	return l
}
