package client

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	v1 "nod/internal/client/v1"

	"nod"
)

// Past selects what was settled.
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
// next one: the hub looks only so far in one go.
func (c *Client) History(ctx context.Context, p Past) (*v1.History, error) {
	q := url.Values{}
	set := func(key, value string) {
		if value != "" && value != "0" {
			q.Set(key, value)
		}
	}
	set("q", strings.Join(p.Words, " "))
	set("agent", string(p.Agent))
	set("verdict", p.Verdict)
	set("by", p.By)
	set("from", moment(p.From))
	set("to", moment(p.To))
	set("before", seq(p.Before))
	set("limit", strconv.Itoa(p.Limit))
	var h v1.History
	return &h, c.do(ctx, "GET", "/v1/history?"+q.Encode(), nil, &h)
}

func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}
