package sqlite

import (
	"context"
	"math"
	"strings"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/record"
)

// Find implements hub.Historian.
func (r *Reader) Find(ctx context.Context, q hub.Query, before nod.Seq, limit int) ([]nod.Event, error) {
	if limit < 1 {
		return nil, nod.Errorf(nod.Invalid, "a limit of %d finds nothing: ask for at least 1", limit)
	}
	text, args := search(q, before, limit)
	rows, err := r.db.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, explain(r.path, err)
	}
	es, err := collect(rows, math.MaxInt)
	return es, explain(r.path, err)
}

// search puts the choice of events into a query of its own: it needs nothing
// but an index, so no body is read that is not returned. The index is named,
// because without statistics SQLite may prefer to walk the whole log.
func search(q hub.Query, before nod.Seq, limit int) (text string, args []any) {
	index := "NOT INDEXED"
	var where strings.Builder
	add := func(clause string, values ...any) {
		where.WriteString(" AND " + clause)
		args = append(args, values...)
	}
	if before == 0 || before > math.MaxInt64 {
		before = math.MaxInt64
	}
	args = append(args, int64(before))
	if len(q.Kinds) > 0 {
		index = "INDEXED BY events_kind"
		add("kind IN (?"+strings.Repeat(", ?", len(q.Kinds)-1)+")", kinds(q.Kinds)...)
	}
	if q.Agent != "" {
		index = "INDEXED BY events_agent"
		add("agent = ?", string(q.Agent))
	}
	if q.Request != "" {
		index = "INDEXED BY events_request"
		if !q.Prefix {
			add("request = ?", string(q.Request))
		} else if end, ok := record.PrefixEnd(string(q.Request)); ok {
			add("request >= ? AND request < ?", string(q.Request), end)
		} else {
			add("request >= ?", string(q.Request))
		}
	}
	text = `SELECT seq, body, hash FROM events WHERE seq IN (SELECT seq FROM events ` + index +
		` WHERE seq < ?` + where.String() + ` ORDER BY seq DESC LIMIT ?) ORDER BY seq DESC`
	return text, append(args, limit)
}

func kinds(ks []nod.EventKind) []any {
	values := make([]any, len(ks))
	for i, k := range ks {
		values[i] = string(k)
	}
	return values
}
