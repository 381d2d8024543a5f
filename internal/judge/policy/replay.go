package policy

import (
	"slices"
	"time"
)

// Past is one past request and its outcome.
type Past struct {
	ID       string
	Title    string
	At       time.Time
	Subject  Subject
	Verdict  Verdict // the actual decision; "" when there was none, or by a lease
	ByPerson bool    // a person decided, perhaps by a lease; otherwise a rule
}

// before is what the policy did at that time: where a person decided, or no decision was made, it had asked.
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

// Report compares a policy with the past. In each list, changes that contradict a person's decision come first, then
// the newest.
type Report struct {
	Allowed []Change // newly allowed; one that a person had denied is alarming
	Denied  []Change // newly denied
	Asked   []Change // newly asked
	Same    int      // unchanged: the same rule, or a person is asked again
	Alarms  int      // how many of Allowed a person had denied
}

// Replay judges past requests by a policy and reports the differences.
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
