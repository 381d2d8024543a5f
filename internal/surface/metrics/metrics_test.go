package metrics

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/hubtest"
	"nod/internal/net/httpd"
	"nod/internal/net/mqttd"
	"nod/internal/surface/uplink"
)

var anna = nod.Actor{Kind: nod.ActorPerson, Name: "anna", Via: "web", Rights: nod.RightsOf(nod.View, nod.Answering)}

// rig is a hub with its numbers.
type rig struct {
	*testing.T
	*Surface
	logs bytes.Buffer
}

func inBubble(t *testing.T, f func(g *rig)) {
	synctest.Test(t, func(t *testing.T) {
		g := &rig{T: t}
		m := NewMeter()
		h := hubtest.New(t, hubtest.Options{Options: hub.Options{Count: m.Commit}, Settle: synctest.Wait})
		log := slog.New(slog.NewJSONHandler(&g.logs, &slog.HandlerOptions{Level: slog.LevelDebug}))
		g.Surface = New(adapter.Deps{Deps: hub.Deps{Hub: h.Hub, Now: time.Now, Log: log}, Version: "1.2"}, Needs{Meter: m, Started: time.Now()})
		h.Run(g.Surface.Run)
		f(g)
	})
}

func (g *rig) ask(id nod.RequestID) {
	g.Helper()
	r := nod.Request{ID: id, Kind: nod.KindApproval, Tool: "Bash", Title: "top secret", Agent: nod.AgentRef{ID: "a1", Host: "desk"}}
	if _, err := g.Hub.Link("test").Ask(g.Context(), r); err != nil {
		g.Fatal(err)
	}
}

func (g *rig) report(facts ...nod.Event) {
	g.Helper()
	for _, e := range facts {
		if err := g.Hub.Link("test").Report(g.Context(), func(*nod.State, time.Time) []nod.Event { return []nod.Event{e} }); err != nil {
			g.Fatal(err)
		}
	}
}

// scrape is what Prometheus would read, by series.
func (g *rig) scrape() map[string]float64 {
	g.Helper()
	synctest.Wait()
	return parse(g.T, g.page())
}

// page is the text that Prometheus would read.
func (g *rig) page() string {
	g.Helper()
	w := httptest.NewRecorder()
	if err := g.serve(w, httptest.NewRequest("GET", "/metrics", nil)); err != nil || w.Code != 200 {
		g.Fatal(w.Code, err)
	}
	return w.Body.String()
}

// fill makes something happen for every family of metrics: one without a series
// is not on the page.
func (g *rig) fill() {
	g.Helper()
	g.ask("r1")
	g.report(
		nod.Event{Kind: nod.RequestWithdrawn, RequestID: "r1", Withdrawal: &nod.Withdrawal{Reason: nod.WithdrawnTerminal, Outcome: nod.WasDenied}},
		nod.Event{Kind: nod.AgentChanged, AgentID: "a1", Agent: &nod.Agent{ID: "a1", Host: "desk", State: nod.AgentIdle}},
		nod.Event{Kind: nod.HostChanged, Host: &nod.Host{Name: "laptop", Up: true}})
	synctest.Wait()
}

// exposed are the samples of one gatherer.
func exposed(t *testing.T, g prometheus.Gatherer) map[string]float64 {
	t.Helper()
	w := httptest.NewRecorder()
	promhttp.HandlerFor(g, promhttp.HandlerOpts{}).ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	if w.Code != 200 {
		t.Fatal(w.Body.String())
	}
	return parse(t, w.Body.String())
}

var sample = regexp.MustCompile(`^([a-zA-Z_:][a-zA-Z0-9_:]*(?:\{(?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",? ?)*\})?) (\S+)$`)

// parse holds every line against the format.
func parse(t *testing.T, text string) map[string]float64 {
	t.Helper()
	got := map[string]float64{}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "# HELP ") || strings.HasPrefix(line, "# TYPE ") {
			continue
		}
		m := sample.FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("no line of Prometheus: %q", line)
		}
		v, err := strconv.ParseFloat(m[2], 64)
		if _, twice := got[m[1]]; err != nil || twice {
			t.Fatalf("%q: %v, twice %v", line, err, twice)
		}
		got[m[1]] = v
	}
	return got
}

func (g *rig) wants(got map[string]float64, want map[string]float64) {
	g.Helper()
	for name, v := range want {
		if is, ok := got[name]; !ok || is != v {
			g.Errorf("%s is %v (there: %v), want %v", name, is, ok, v)
		}
	}
}

func receipt(id nod.RequestID, step nod.Step) nod.Event {
	return nod.Event{Kind: nod.RequestReceipt, RequestID: id, Receipt: &nod.Receipt{Step: step, At: time.Now()}}
}

func TestMetricsOfARequest(t *testing.T) {
	inBubble(t, func(g *rig) {
		g.wants(g.scrape(), map[string]float64{
			`nod_requests_raised_total{kind="approval"}`: 0, `nod_request_decided_seconds_count{by="person"}`: 0, `nod_pending_requests{kind="approval"}`: 0,
		})
		g.ask("r1")
		g.ask("r2")
		time.Sleep(3 * time.Second)
		g.report(receipt("r1", nod.StepShown), receipt("r1", nod.StepShown))
		time.Sleep(5 * time.Second)
		g.wants(g.scrape(), map[string]float64{
			`nod_pending_requests{kind="approval"}`: 2, "nod_pending_oldest_seconds": 8, "nod_request_shown_seconds_count": 1, "nod_request_shown_seconds_sum": 3,
		})
		if _, err := g.Hub.Desk(anna).Decide(g.Context(), "r1", nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
			g.Fatal(err)
		}
		time.Sleep(time.Second)
		g.report(receipt("r1", nod.StepDelivered))
		time.Sleep(2 * time.Second)
		g.report(receipt("r1", nod.StepApplied),
			nod.Event{Kind: nod.RequestWithdrawn, RequestID: "r2", Withdrawal: &nod.Withdrawal{Reason: nod.WithdrawnTerminal, Outcome: nod.WasDenied}})
		g.wants(g.scrape(), map[string]float64{
			`nod_requests_raised_total{kind="approval"}`:                                                      2,
			`nod_requests_settled_total{door="web",kind="approval",status="decided",verdict="allow"}`:         1,
			`nod_requests_settled_total{door="terminal",kind="approval",status="withdrawn",verdict="denied"}`: 1,
			`nod_requests_withdrawn_total{reason="terminal"}`:                                                 1,
			`nod_request_decided_seconds_sum{by="person"}`:                                                    8,
			`nod_request_decided_seconds_bucket{by="person",le="5"}`:                                          0,
			`nod_request_decided_seconds_bucket{by="person",le="10"}`:                                         1,
			"nod_request_delivered_seconds_sum":                                                               1,
			"nod_request_applied_seconds_sum":                                                                 2,
			`nod_receipts_total{step="applied"}`:                                                              1,
			`nod_receipts_total{step="overruled"}`:                                                            0,
			`nod_pending_requests{kind="approval"}`:                                                           0,
			"nod_pending_oldest_seconds":                                                                      0,
			`nod_log_events_total{kind="request.raised"}`:                                                     2,
			"nod_commit_conflicts_total":                                                                      0,
			"nod_ready":                                                                                       1,
			`nod_hub_info{hub="",version="1.2"}`:                                                              1,
			"nod_followers":                                                                                   1,
			"nod_viewers":                                                                                     0,
		})
		if !strings.Contains(g.logs.String(), `"request":"r1","step":"request.decided"`) || strings.Contains(g.logs.String(), "top secret") {
			g.Errorf("the log says %s", g.logs.String())
		}
	})
}

func TestRequestsFromBeforeTheStartAreMeasured(t *testing.T) {
	inBubble(t, func(g *rig) {
		g.ask("r1")
		synctest.Wait()
		later := New(g.Deps, g.Needs)
		later.Meter = NewMeter()
		ctx, end := context.WithCancel(g.Context())
		done := make(chan struct{})
		go func() { defer close(done); later.Run(ctx) }()
		time.Sleep(4 * time.Second)
		if _, err := g.Hub.Desk(anna).Decide(g.Context(), "r1", nod.Answer{Verdict: nod.VerdictDeny}); err != nil {
			g.Fatal(err)
		}
		synctest.Wait()
		end()
		<-done
		g.wants(exposed(t, later.Meter.registry), map[string]float64{
			`nod_request_decided_seconds_sum{by="person"}`:                                           4,
			`nod_requests_settled_total{door="web",kind="approval",status="decided",verdict="deny"}`: 1,
		})
	})
}

func TestAgentsAndHosts(t *testing.T) {
	inBubble(t, func(g *rig) {
		for i, state := range []nod.AgentState{nod.AgentIdle, nod.AgentWorking, nod.AgentWorking, nod.AgentEnded} {
			id := nod.AgentID(fmt.Sprint("a", i))
			g.report(nod.Event{Kind: nod.AgentChanged, AgentID: id, Agent: &nod.Agent{ID: id, Host: "desk", State: state}})
		}
		g.report(
			nod.Event{Kind: nod.HostChanged, Host: &nod.Host{Name: "laptop", Up: true}}, nod.Event{Kind: nod.HostChanged, Host: &nod.Host{Name: "attic"}})
		got := g.scrape()
		g.wants(got, map[string]float64{
			`nod_agents{host="desk",state="working"}`: 2, `nod_agents{host="desk",state="idle"}`: 1,
			`nod_host_up{host="laptop"}`: 1, `nod_host_up{host="attic"}`: 0,
		})
		if _, ended := got[`nod_agents{host="desk",state="ended"}`]; ended || got["go_goroutines"] == 0 || got["go_memstats_heap_alloc_bytes"] == 0 {
			g.Errorf("ended %v, %v goroutines", ended, got["go_goroutines"])
		}
	})
}

func TestCommits(t *testing.T) {
	m := NewMeter()
	m.Commit(hub.Commit{Commands: 3, Events: 5, Beaten: 2, Took: 20 * time.Millisecond})
	m.Commit(hub.Commit{Commands: 1, Unknown: 3, Took: time.Second, Err: errors.New("away")})
	m.Commit(hub.Commit{Err: errors.New("away")})
	(&rig{T: t}).wants(exposed(t, m.registry), map[string]float64{
		"nod_commit_seconds_count": 2, "nod_commit_events_sum": 5, "nod_commit_events_count": 1,
		"nod_commit_conflicts_total": 2, "nod_commit_unknown_total": 3, "nod_store_errors_total": 2,
	})
}

// Others choose the names of surfaces and hosts. Whatever they are, Prometheus can read the
// page, and it does not grow forever.
func TestHostileLabels(t *testing.T) {
	inBubble(t, func(g *rig) {
		for i, via := range []string{"a\"} 1\nnod_ready 0\n{\"", `\`, `\"`, `x",y="z`, "{}", "\x00\xff\u202e", strings.Repeat("long", 1000), ""} {
			g.Meter.settled.inc("approval", "decided", "allow", via)
			id := nod.AgentID(fmt.Sprint("a", i))
			g.report(nod.Event{Kind: nod.AgentChanged, AgentID: id, Agent: &nod.Agent{ID: id, Host: via, State: nod.AgentIdle}})
		}
		for i := range 10 * maxLabelValues {
			g.Meter.settled.inc("approval", "decided", "allow", fmt.Sprint("door ", i))
		}
		got := g.scrape()
		doors, all := 0, 0.0
		for name, v := range got {
			if strings.HasPrefix(name, "nod_requests_settled_total{") {
				doors++
				all += v
				if len(name) > 500 {
					g.Errorf("%d letters: %.100s", len(name), name)
				}
			}
		}
		if doors != maxLabelValues+1 || all != 10*maxLabelValues+8 || got["nod_ready"] != 1 {
			g.Errorf("%d doors, %v in all, ready %v", doors, all, got["nod_ready"])
		}
	})
}

func FuzzLabel(f *testing.F) {
	f.Add(`a"b\`, "c\n}")
	f.Fuzz(func(t *testing.T, a, b string) {
		r := prometheus.NewRegistry()
		newCounter(r, "nod_test_total", "A test.", "a", "b").inc(a, b)
		if got := exposed(t, r); len(got) != 1 {
			t.Errorf("%v", got)
		}
	})
}

func TestScrapersReachOnlyTheMetrics(t *testing.T) {
	trust := Trusted([]netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")})
	own := func() []netip.Addr { return []netip.Addr{netip.MustParseAddr("10.0.0.1")} }
	for path, from := range map[string]string{"/metrics": "10.0.0.2:1", "/metrics/": "10.0.0.2:2", "/v1/state": "10.0.0.2:3", "/metrics?": "10.1.1.1:4"} {
		r := httptest.NewRequest("GET", path, nil)
		r.RemoteAddr = from
		if _, ok := httpd.TrustNetworks(own, trust)(r); ok != (r.URL.Path == "/metrics") {
			t.Errorf("%s from %s: %v", path, from, ok)
		}
	}
	stranger := httptest.NewRequest("GET", "/metrics", nil)
	stranger.RemoteAddr = "10.0.0.2:1"
	if _, ok := httpd.TrustNetworks(own, Trusted(nil))(stranger); ok {
		t.Error("it is open by itself")
	}
}

// Every number is described where people look for it.
func TestEveryMetricIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	inBubble(t, func(g *rig) {
		broker, err := mqttd.NewClient(mqttd.Options{URL: &url.URL{Scheme: "mqtt", Host: "localhost"}})
		if err != nil {
			t.Fatal(err)
		}
		for _, adapter := range []adapter.Measured{broker, uplink.New(uplink.Config{}, g.Deps, uplink.Needs{})} {
			g.Meter.Add(adapter.Metrics()...)
		}
		g.fill()
		shown := g.page()
		names := regexp.MustCompile(`(?m)^# TYPE (nod_\w+)`).FindAllStringSubmatch(shown, -1)
		if len(names) < 25 {
			g.Errorf("only %d families", len(names))
		}
		for _, name := range names {
			if !bytes.Contains(page, []byte("`"+name[1]+"`")) {
				g.Errorf("docs/metrics.md says nothing about %s", name[1])
			}
		}
		for _, m := range regexp.MustCompile("`(nod_[a-z_]+)`").FindAllStringSubmatch(string(page), -1) {
			if !strings.Contains(shown, "# TYPE "+m[1]+" ") {
				g.Errorf("docs/metrics.md tells of %s, which is not there", m[1])
			}
		}
	})
}
