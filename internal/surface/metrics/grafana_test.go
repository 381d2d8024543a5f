package metrics

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

type dashboard struct {
	Panels []struct {
		ID         int
		Type       string
		Title      string
		GridPos    struct{ H, W, X, Y int }
		Datasource struct{ UID string }
		Targets    []struct {
			RefID      string `json:"refId"`
			Expr       string
			Datasource struct{ UID string }
		}
	}
	Annotations struct{ List []struct{ Expr string } }
	Templating  struct {
		List []struct{ Name, Definition string }
	}
}

func (d *dashboard) queries() (all []string) {
	for _, p := range d.Panels {
		for _, t := range p.Targets {
			all = append(all, t.Expr)
		}
	}
	for _, a := range d.Annotations.List {
		all = append(all, a.Expr)
	}
	for _, v := range d.Templating.List {
		if v.Definition != "" {
			all = append(all, v.Definition)
		}
	}
	return all
}

// The dashboard uses only metrics that a hub has, and all that matter.
func TestTheDashboardFitsTheMetrics(t *testing.T) {
	text, err := os.ReadFile("../../../examples/grafana/nod.json")
	if err != nil {
		t.Fatal(err)
	}
	var d dashboard
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	var page string
	inBubble(t, func(g *rig) {
		g.fill()
		page = g.page()
	})
	names := regexp.MustCompile(`\b(?:nod|go|process)_[a-z_]+\b`)
	part := regexp.MustCompile(`_(?:bucket|sum|count)$`)
	used := map[string]bool{}
	for _, query := range d.queries() {
		found := names.FindAllString(query, -1)
		if len(found) == 0 || strings.Count(query, "(") != strings.Count(query, ")") || strings.Count(query, "{") != strings.Count(query, "}") {
			t.Errorf("no query: %s", query)
		}
		for _, name := range found {
			if base := part.ReplaceAllString(name, ""); strings.Contains(page, "# TYPE "+base+" histogram\n") {
				name = base
			}
			used[name] = true
			if !strings.Contains(page, "# TYPE "+name+" ") && !strings.Contains(page, "\n"+name+" ") {
				t.Errorf("no hub tells %s: %s", name, query)
			}
		}
	}
	for _, name := range []string{"nod_pending_requests", "nod_ready", "nod_request_decided_seconds", "nod_request_delivered_seconds", "nod_request_applied_seconds", "nod_commit_seconds", "nod_store_errors_total", "nod_host_up"} {
		if !used[name] {
			t.Errorf("%s is not shown", name)
		}
	}
	d.drawn(t)
}

// drawn checks that panels lie beside each other, and work with any data source.
func (d *dashboard) drawn(t *testing.T) {
	t.Helper()
	ids, taken := map[int]bool{}, map[[2]int]string{}
	for _, p := range d.Panels {
		if ids[p.ID] || p.Title == "" {
			t.Errorf("panel %d %q", p.ID, p.Title)
		}
		ids[p.ID] = true
		for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
			for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
				if other := taken[[2]int{x, y}]; other != "" || x >= 24 {
					t.Fatalf("%q lies on %q", p.Title, other)
				}
				taken[[2]int{x, y}] = p.Title
			}
		}
		for _, target := range p.Targets {
			if p.Datasource.UID != "${datasource}" || target.Datasource.UID != "${datasource}" || target.RefID == "" {
				t.Errorf("%q is tied to a data source of its own", p.Title)
			}
		}
	}
}
