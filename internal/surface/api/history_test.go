package api_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	v1 "nod/internal/client/v1"

	"nod"
)

func TestHistorySearchAndExport(t *testing.T) {
	g := newRig(t)
	g.agent("agent-1")
	admin := g.token(all)
	for i, verdict := range []string{`{"verdict":"allow"}`, `{"verdict":"deny","message":"=HYPERLINK(\"x\")"}`, `{"verdict":"allow","input":"żółw"}`} {
		id := fmt.Sprintf("%015d%x", 0, i)
		g.ask(id)
		if w := g.send("POST", "/v1/requests/"+id+"/decision", admin, verdict); w.Code != 200 {
			t.Fatal(w.Body)
		}
	}
	g.ask("waits")
	find := func(query string) (found v1.History) {
		t.Helper()
		if err := json.Unmarshal(g.send("GET", "/v1/history?"+query, admin, "").Body.Bytes(), &found); err != nil {
			t.Fatal(err)
		}
		return found
	}
	for query, want := range map[string]int{
		"": 3, "verdict=deny": 1, "verdict=withdrawn": 0, "q=LS": 3, "q=hyperlink": 1, "q=ls+hyperlink": 1, "q=nowhere": 0,
		"by=phone": 3, "by=anna": 0, "by=automatic": 0, "by=person": 3, "agent=agent-1": 3, "agent=x": 0,
		"to=2001-01-01T00:00:00Z": 0, "from=2001-01-01T00:00:00Z": 3,
	} {
		if got := len(find(query).Requests); got != want {
			t.Errorf("%q finds %d, want %d", query, got, want)
		}
	}
	first := find("limit=2")
	if rest := find(fmt.Sprint("limit=2&before=", first.Next)); len(first.Requests) != 2 || len(rest.Requests) != 1 || rest.Next != 0 {
		t.Errorf("pages of %d and %d, then %d", len(first.Requests), len(rest.Requests), rest.Next)
	}
	table, err := csv.NewReader(g.send("GET", "/v1/history.csv", admin, "").Body).ReadAll()
	if err != nil || len(table) != 4 {
		t.Fatalf("%d rows, %v", len(table), err)
	}
	if cells := strings.Join(table[2], "|"); !strings.Contains(cells, `'=HYPERLINK`) {
		t.Errorf("a formula went out as it was: %s", cells)
	}
	var list []nod.Request
	if err := json.Unmarshal(g.send("GET", "/v1/history.json?verdict=allow", admin, "").Body.Bytes(), &list); err != nil || len(list) != 2 {
		t.Errorf("%d requests, %v", len(list), err)
	}
	if got := strings.TrimSpace(g.send("GET", "/v1/history.json?q=nowhere", admin, "").Body.String()); got != "[]" {
		t.Errorf("nothing is %s", got)
	}
}
