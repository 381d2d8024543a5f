package talk

import "time"

// Rate is how often one client may ask within a minute.
type Rate struct {
	Most int // 0: any number

	calls calls
}

// Count counts a question, or refuses it with a TooOften.
func (r *Rate) Count(client string, now time.Time) error { return r.calls.count(client, r.Most, now) }
