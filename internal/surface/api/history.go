package api

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"nod"
	v1 "nod/internal/client/v1"
	"nod/internal/hub"
	"nod/internal/net/httpd"
)

var filterNames = []string{"q", "agent", "verdict", "by", "from", "to"}

// pastOf reads the filters, which all three forms of the history have.
func pastOf(r *http.Request, more ...string) (hub.Past, *query) {
	q := queryOf(r, append(more, filterNames...)...)
	p := hub.Past{
		Words: strings.Fields(q.text("q")), Agent: nod.AgentID(q.text("agent")), Verdict: q.text("verdict"), By: q.text("by"),
		From: q.time("from"), To: q.time("to"),
	}
	known := []string{"", string(nod.VerdictAllow), string(nod.VerdictDeny), string(nod.VerdictAnswer), string(nod.Expired), string(nod.Withdrawn)}
	if !slices.Contains(known, p.Verdict) {
		q.fail("unknown verdict %q: use allow, deny, answer, expired or withdrawn", nod.Fold(nod.OneLine(p.Verdict), 40))
	}
	return p, q
}

func (q *query) time(name string) time.Time {
	if q.text(name) == "" {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339, q.text(name))
	if err != nil {
		q.fail("%s is no time: it looks like 2026-11-15T08:30:00Z", name)
	}
	return t
}

func history(d hub.Desk, w http.ResponseWriter, r *http.Request) error {
	p, q := pastOf(r, "before", "limit")
	p.Before, p.Limit = q.seq("before"), q.limit()
	if q.err != nil {
		return q.err
	}
	list, next, err := d.Past(r.Context(), p)
	if err != nil {
		return err
	}
	return httpd.JSON(w, http.StatusOK, v1.History{Requests: orEmpty(list), Next: next})
}

// everything calls each with the whole history, page by page.
func everything(d hub.Desk, r *http.Request, p hub.Past, each func(*nod.Request) error) error {
	p.Limit = maxLimit
	for {
		list, next, err := d.Past(r.Context(), p)
		if err != nil {
			return err
		}
		for _, request := range list {
			if err := each(request); err != nil {
				return nil // the client went away
			}
		}
		if next == 0 {
			return nil
		}
		p.Before = next
	}
}

func historyJSON(d hub.Desk, w http.ResponseWriter, r *http.Request) error {
	p, q := pastOf(r)
	if q.err != nil {
		return q.err
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="nod-history.json"`)
	separator := "["
	err := everything(d, r, p, func(request *nod.Request) error {
		if _, err := io.WriteString(w, separator); err != nil {
			return err
		}
		separator = ","
		return json.NewEncoder(w).Encode(request)
	})
	if separator == "[" {
		_, _ = io.WriteString(w, separator)
	}
	_, _ = io.WriteString(w, "]\n")
	return err
}

func historyCSV(d hub.Desk, w http.ResponseWriter, r *http.Request) error {
	p, q := pastOf(r)
	if q.err != nil {
		return q.err
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="nod-history.csv"`)
	table := csv.NewWriter(w)
	_ = table.Write([]string{"asked_at", "id", "agent", "host", "cwd", "kind", "tool", "title", "text", "risk", "status", "verdict", "by", "via", "decided_at", "message", "step"})
	err := everything(d, r, p, func(request *nod.Request) error {
		_ = table.Write(row(request))
		return table.Error()
	})
	table.Flush()
	return err
}

func row(r *nod.Request) []string {
	risk, verdict, by, via, at, message := "", "", "", "", "", ""
	if r.Risk != nil {
		risk = r.Risk.Level
	}
	if d := r.Decision; d != nil {
		verdict, by, via, at, message = string(d.Verdict), d.By, d.Via, d.At.Format(time.RFC3339), d.Message
	}
	cells := []string{
		r.AskedAt.Format(time.RFC3339), string(r.ID), r.Agent.Name, r.Agent.Host, r.Agent.Cwd, string(r.Kind), r.Tool, r.Title, r.Display,
		risk, string(r.Status), verdict, by, via, at, message, string(r.Step()),
	}
	for i, c := range cells {
		cells[i] = harmlessCell(c)
	}
	return cells
}

// harmlessCell keeps a spreadsheet from reading an agent's text as a formula.
func harmlessCell(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}
