//go:build full

package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
	"nod/internal/client"
)

// A real Prometheus reads a hub to which a machine is linked, as docs/metrics.md
// says, and whatever Grafana's dashboard would ask it has an answer.
func TestPrometheusAndTheDashboard(t *testing.T) {
	t.Parallel()
	home := worldWithoutHub(t, rig.Options{})
	home.writeConfig(t, "[claude]\nproof = \"1s\"\n")
	home.startHub(t)
	token := write(t, t.TempDir(), "link.token", []byte(home.ok(t, "hosts", "add", "laptop")))
	away := worldWithoutHub(t, rig.Options{})
	away.startAs(t, "link", "--hub", home.url, "--token-file", token)
	p := startPrometheus(t, home)
	p.until(t, `nod_requests_raised_total{kind="approval"} == 0`) // Prometheus does not see a rise before its first scrape

	yes, no := fakeapi.Bash(`python3 -c "print('counted')"`), fakeapi.Bash(`python3 -c "print('not')"`)
	away.API.On("go", fakeapi.Use(yes), fakeapi.Use(no), fakeapi.Say("over"))
	s := away.StartTUI(t)
	s.Prompt(t, "go")
	r := home.one(t)
	home.answersItself(t, r)
	if err := home.client.Shown(t.Context(), r.ID); err != nil {
		t.Fatal(err)
	}
	home.answer(t, r, nod.Answer{Verdict: nod.VerdictAllow})
	home.reached(t, r.ID, nod.StepApplied)
	home.answer(t, home.one(t), nod.Answer{Verdict: nod.VerdictDeny, Message: "not that"})
	s.WaitScreen(t, "over")
	home.doubted(t)
	p.until(t, `nod_requests_settled_total{verdict="deny",status="decided"} >= 1 and on() nod_host_up{host="laptop"} == 1 and on() nod_receipts_total{step="doubted"} == 1`)

	for _, ask := range dashboard(t) {
		p.until(t, ask)
	}
	if jobs := p.get(t, "/api/v1/label/job/values?match[]=nod_hub_info"); !strings.Contains(jobs, `"data":["nod"]`) {
		t.Errorf("Grafana would offer the jobs %s", jobs)
	}
	// The first time counts too: nothing was overruled here, but something was doubted once.
	p.until(t, strings.ReplaceAll(alarm(t, "NodNotAsDecided"), "overruled", "doubted"))
	if rules := p.get(t, "/api/v1/rules"); strings.Count(rules, `"health":"ok"`) != strings.Count(rules, `"type":"alerting"`) || !strings.Contains(rules, "NodAgentAnswersItself") {
		t.Errorf("the alarms: %s", rules)
	}
	home.lint(t)
}

// answersItself tries what an agent must not do.
func (w *world) answersItself(t *testing.T, r *nod.Request) {
	t.Helper()
	token := strings.TrimSpace(w.ok(t, "token", "create", "--name", "agent", "--rights", "raise"))
	c, err := client.Remote(w.url, token, "test")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Decide(t.Context(), r.ID, nod.Answer{Verdict: nod.VerdictAllow}); nod.CodeOf(err) != nod.Forbidden {
		t.Errorf("an agent answers itself: %v", err)
	}
}

// doubted is a run that never shows that it did what was allowed.
func (w *world) doubted(t *testing.T) {
	t.Helper()
	const id = nod.RequestID("00000000000000d0")
	got := make(chan []string, 1)
	go func() { got <- hook(t.Context(), filepath.Join(w.data, "nod.sock"), "s1", id) }()
	w.until(t, id, "waits", func(r *nod.Request) bool { return !r.Settled() })
	if _, err := w.client.Decide(t.Context(), id, nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
		t.Fatal(err)
	}
	if lines := <-got; len(lines) != 1 {
		t.Errorf("the hook got %q", lines)
	}
	w.reached(t, id, nod.StepDoubted)
}

// lint holds /metrics against what Prometheus' own tool asks of it.
func (w *world) lint(t *testing.T) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", w.url+"/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(w.ok(t, "token", "create", "--name", "lint", "--rights", "view")))
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	cmd := exec.CommandContext(t.Context(), need(t, "promtool"), "check", "metrics")
	cmd.Stdin = res.Body
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("promtool check metrics: %v\n%s", err, out)
	}
}

// dashboard is every question of examples/grafana/nod.json, with its variables
// replaced as Grafana does when all jobs are chosen and scrapes are 15 s apart.
func dashboard(t *testing.T) []string {
	t.Helper()
	var board struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
		Templating struct {
			List []struct{ Name, AllValue string }
		}
	}
	text, err := os.ReadFile("../examples/grafana/nod.json")
	if err == nil {
		err = json.Unmarshal(text, &board)
	}
	if err != nil {
		t.Fatal(err)
	}
	known := []string{"$__rate_interval", "1m"}
	for _, v := range board.Templating.List {
		if v.AllValue != "" {
			known = append(known, "$"+v.Name, v.AllValue)
		}
	}
	var asks []string
	for _, p := range board.Panels {
		for _, target := range p.Targets {
			ask := strings.NewReplacer(known...).Replace(target.Expr)
			if strings.Contains(ask, "$") {
				t.Errorf("%s: Grafana knows no such variable: %s", p.Title, ask)
			}
			asks = append(asks, ask)
		}
	}
	if len(asks) < 20 {
		t.Fatalf("only %d questions: the test proves nothing", len(asks))
	}
	return asks
}

// alarm is the expression of a documented alert.
func alarm(t *testing.T, name string) string {
	t.Helper()
	_, rest, _ := strings.Cut(fromPage(t, "metrics.md", "yaml\ngroups:", nil), name)
	_, rest, _ = strings.Cut(rest, "expr: '")
	ask, _, found := strings.Cut(rest, "'")
	if !found {
		t.Fatalf("docs/metrics.md has no alarm %s", name)
	}
	return ask
}

// prometheus is a real Prometheus.
type prometheus struct{ url string }

// startPrometheus runs it as docs/metrics.md says; only addresses, the way to them
// and the time between two looks are the test's.
func startPrometheus(t *testing.T, hub *world) *prometheus {
	t.Helper()
	program, dir, listen := need(t, "prometheus"), t.TempDir(), freeAddress(t)
	token := write(t, dir, "nod.token", []byte(hub.ok(t, "token", "create", "--name", "prometheus", "--rights", "view")))
	conf := fromPage(t, "metrics.md", "yaml\n# prometheus.yml", map[string]string{
		"/etc/prometheus/nod.token": token, "scheme: https": "scheme: http", `["hub1.example:8742", "hub2.example:8742"]`: `["` + strings.TrimPrefix(hub.url, "http://") + `"]`,
	})
	rules := write(t, dir, "rules.yml", []byte(fromPage(t, "metrics.md", "yaml\ngroups:", nil)))
	file := write(t, dir, "prometheus.yml", []byte("global: { scrape_interval: 1s, evaluation_interval: 1s }\nrule_files: [\""+rules+"\"]\n"+conf))
	said := runBeside(t, dir, program, "--config.file="+file, "--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address="+listen, "--log.level=warn")
	p := &prometheus{"http://" + listen}
	rig.Until(t, "Prometheus answers", func() bool {
		res, err := http.Get(p.url + "/-/ready")
		if err != nil {
			return false
		}
		_ = res.Body.Close()
		return res.StatusCode == http.StatusOK
	}, said.String)
	return p
}

func (p *prometheus) get(t *testing.T, path string) string {
	t.Helper()
	return fetch(t, p.url+path)
}

// until waits for an answer with numbers in it. A question that cannot be
// understood is an error at once.
func (p *prometheus) until(t *testing.T, ask string) {
	t.Helper()
	said := ""
	rig.Until(t, "an answer to "+ask, func() bool {
		said = p.get(t, "/api/v1/query?query="+url.QueryEscape(ask))
		var a struct {
			Status, Error string
			Data          struct {
				Result []struct{ Value [2]any }
			}
		}
		if err := json.Unmarshal([]byte(said), &a); err != nil || a.Status != "success" {
			t.Fatalf("%s: %s", ask, said)
		}
		return len(a.Data.Result) > 0 && !slices.ContainsFunc(a.Data.Result, func(r struct{ Value [2]any }) bool { return fmt.Sprint(r.Value[1]) == "NaN" })
	}, func() string { return said })
}
