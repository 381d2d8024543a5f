package postgres

import (
	"context"
	"fmt"
	"math"
	"strings"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/record"
)

// Find implements hub.Historian.
func (s *Store) Find(ctx context.Context, q hub.Query, before nod.Seq, limit int) ([]nod.Event, error) {
	if limit < 1 {
		return nil, nod.Errorf(nod.Invalid, "a limit of %d finds nothing: ask for at least 1", limit)
	}
	text, args := search(q, before, limit)
	es, err := s.query(ctx, text, args...)
	return es, s.explain(err)
}

// search puts the choice of events into a query of its own: it needs nothing
// but an index, so no body is read that is not returned. What belongs to one
// request is little, and is taken whole before it is ordered: a planner that
// hopes to meet it soon would otherwise walk the log backwards.
func search(q hub.Query, before nod.Seq, limit int) (text string, args []any) {
	if before == 0 || before > math.MaxInt64 {
		before = math.MaxInt64
	}
	var where []string
	add := func(clause string, values ...any) {
		places := make([]any, len(values))
		for i := range values {
			places[i] = fmt.Sprintf("$%d", len(args)+i+1)
		}
		args = append(args, values...)
		where = append(where, fmt.Sprintf(clause, places...))
	}
	add("seq < %s", int64(before))
	switch len(q.Kinds) {
	case 0:
	case 1:
		add("kind = %s", string(q.Kinds[0])) // in order of the index, unlike any()
	default:
		add("kind = any(%s)", kinds(q.Kinds))
	}
	if q.Agent != "" {
		add("agent = %s", []byte(q.Agent))
	}
	from := "events"
	if q.Request != "" {
		only := addRequest(q, add, &where)
		from = "(SELECT seq, kind, agent FROM events WHERE " + only + " OFFSET 0) e"
	}
	args = append(args, limit)
	text = fmt.Sprintf(`SELECT seq, body, hash FROM events WHERE seq IN (SELECT seq FROM %s WHERE %s ORDER BY seq DESC LIMIT $%d) ORDER BY seq DESC`,
		from, strings.Join(where, " AND "), len(args))
	return text, args
}

// addRequest moves the clause about the request out of where.
func addRequest(q hub.Query, add func(string, ...any), where *[]string) (only string) {
	id := []byte(q.Request)
	if !q.Prefix {
		add("request = %s", id)
	} else if end, ok := record.PrefixEnd(string(id)); ok {
		add("request >= %s AND request < %s", id, []byte(end))
	} else {
		add("request >= %s", id)
	}
	last := len(*where) - 1
	only, *where = (*where)[last], (*where)[:last]
	return only
}

func kinds(ks []nod.EventKind) []string {
	texts := make([]string, len(ks))
	for i, k := range ks {
		texts[i] = string(k)
	}
	return texts
}
