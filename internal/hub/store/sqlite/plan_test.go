package sqlite

import (
	"strings"
	"testing"

	"nod"
	"nod/internal/hub"
)

// A search must not walk through the bodies of the whole log.
func TestFindUsesAnIndex(t *testing.T) {
	s := quick(t, file(t))
	some := []nod.EventKind{nod.TurnTaken}
	for want, q := range map[string]hub.Query{
		"COVERING INDEX events_kind (kind=? AND rowid<?)":              {Kinds: some},
		"COVERING INDEX events_agent (agent=? AND kind=? AND rowid<?)": {Kinds: some, Agent: "a"},
		"COVERING INDEX events_agent (agent=?)":                        {Agent: "a"},
		"COVERING INDEX events_request (request=? AND rowid<?)":        {Request: "r"},
		"COVERING INDEX events_request (request>? AND request<?)":      {Request: "r", Prefix: true},
		"INDEX events_request (request=? AND rowid<?)":                 {Request: "r", Agent: "a", Kinds: some},
	} {
		text, args := search(q, 0, 10)
		rows, err := s.db.Query("EXPLAIN QUERY PLAN "+text, args...)
		if err != nil {
			t.Fatal(err)
		}
		var plan strings.Builder
		for rows.Next() {
			var id, parent, unused int
			var detail string
			if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
				t.Fatal(err)
			}
			plan.WriteString(detail + "\n")
		}
		if !strings.Contains(plan.String(), want) {
			t.Errorf("%+v: %q is not in\n%s", q, want, plan.String())
		}
	}
}
