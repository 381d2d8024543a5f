package client

import (
	"context"
	"strconv"
	"strings"
	"time"

	v1 "nod/internal/client/v1"

	"nod"
)

// Past selects settled requests.
type Past struct {
	Words   []string // all of them somewhere in the request, in any case
	Agent   nod.AgentID
	Verdict string // allow, deny, answer, expired or withdrawn
	By      string // who decided: a name, "automatic" or "person"
	From    time.Time
	To      time.Time
	Before  nod.Seq // the Next of the page before; 0: from the end
	Limit   int     // 0: the hub's own
}

// History reads one page. A page may be short, even empty, and still have a
// next one: the hub searches only so far at once.
func (c requests) History(ctx context.Context, p Past) (*v1.History, error) {
	q := query(map[string]string{
		"q": strings.Join(p.Words, " "), "agent": string(p.Agent), "verdict": p.Verdict, "by": p.By,
		"from": moment(p.From), "to": moment(p.To), "before": seq(p.Before), "limit": strconv.Itoa(p.Limit),
	})
	var h v1.History
	return &h, c.do(ctx, "GET", "/v1/history?"+q.Encode(), nil, &h)
}

func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}
