package policy

import (
	"slices"
	"time"
)

// Past is one request of the past and what became of it.
type Past struct {
	ID       string
	Title    string
	At       time.Time
	Subject  Subject
	Verdict  Verdict // what was really decided; "" when nobody did, or a lease
	ByPerson bool    // a person decided, perhaps by a lease; otherwise a rule
}

// before is what the policy of that time did: where a person decided, or nobody
// came to, it had asked.
func (p *Past) before() Verdict {
	if p.ByPerson || p.Verdict != Allow && p.Verdict != Deny {
		return Ask
	}
	return p.Verdict
}

// Change is a request that a policy would decide differently.
type Change struct {
	Past      Past
	Judgement Judgement
	Against   bool // a person had decided the opposite
}

// Report is what a policy makes of the past. In each list come first the changes
// that go against what a person decided, then the newest.
type Report struct {
	Allowed []Change // newly allowed; one that a person had denied is alarming
	Denied  []Change // newly denied
	Asked   []Change // newly asked
	Same    int      // as before: the same rule, or a person is asked again
	Alarms  int      // how many of Allowed a person had denied
}

// Replay judges the past by a policy, and reports what would be different.
func Replay(past []Past, p *Policy) Report {
	var r Report
	for i := range past {
		j := p.Judge(past[i].Subject)
		if j.Verdict == past[i].before() {
			r.Same++
			continue
		}
		c := Change{Past: past[i], Judgement: j}
		switch j.Verdict {
		case Allow:
			if c.Against = past[i].ByPerson && past[i].Verdict == Deny; c.Against {
				r.Alarms++
			}
			r.Allowed = append(r.Allowed, c)
		case Deny:
			c.Against = past[i].ByPerson && past[i].Verdict == Allow
			r.Denied = append(r.Denied, c)
		default:
			r.Asked = append(r.Asked, c)
		}
	}
	for _, list := range [...][]Change{r.Allowed, r.Denied, r.Asked} {
		slices.SortStableFunc(list, func(a, b Change) int {
			if a.Against != b.Against {
				if a.Against {
					return -1
				}
				return 1
			}
			return b.Past.At.Compare(a.Past.At)
		})
	}
	return r
}
