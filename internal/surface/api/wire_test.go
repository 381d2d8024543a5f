package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"nod"
	v1 "nod/internal/client/v1"
	"nod/internal/net/httpd"
)

// Every wrong request gets a Failure with a helpful message.
func TestWrongRequests(t *testing.T) {
	g := newRig(t)
	token := g.token(all)
	g.agent("agent-1")
	g.ask("0123456789abcdef")
	g.ask("0123ffffffffffff")
	g.ask("eeeeeeeeeeeeeeee")
	const decision = "POST /v1/requests/0123456789abcdef/decision"
	for _, tt := range []struct {
		name, route, body string
		status            int
		says              string
	}{
		{"unknown path", "GET /v2/state", "", 404, "there is nothing at /v2/state"},
		{"unknown root", "GET /", "", 404, "there is nothing at /"},
		{"wrong verb", "POST /v1/state", "", 405, "use GET"},
		{"wrong verb on a decision", "GET /v1/requests/0123456789abcdef/decision", "", 405, "use POST"},
		{"two verbs", "PUT /v1/tokens", "", 405, "use GET, POST"},
		{"unknown parameter", "GET /v1/requests?states=pending", "", 400, `unknown parameter "states"`},
		{"unknown status", "GET /v1/requests?status=open", "", 400, `unknown status "open"`},
		{"limit 0", "GET /v1/requests?limit=0", "", 400, "1 to 1000"},
		{"limit 1001", "GET /v1/log?limit=1001", "", 400, "1 to 1000"},
		{"limit -1", "GET /v1/agents/agent-1/turns?limit=-1", "", 400, "1 to 1000"},
		{"limit x", "GET /v1/log?limit=x", "", 400, "1 to 1000"},
		{"no number", "GET /v1/requests?before=x", "", 400, "no place in the log"},
		{"broken query", "GET /v1/requests?status=%zz", "", 400, "cannot be read"},
		{"not UTF-8 in the query", "GET /v1/requests?agent=%ff", "", 400, "UTF-8"},
		{"a place above the log", "GET /v1/log?after=999", "", 410, "999"},
		{"unknown request", "GET /v1/requests/ffff", "", 404, `no request "ffff"`},
		{"ambiguous prefix", "GET /v1/requests/0123", "", 400, "more than one request"},
		{"too short a prefix", "GET /v1/requests/eee", "", 404, "type at least 4 characters"},
		{"too short a prefix of an agent", "GET /v1/agents/age", "", 404, "type at least 4 characters"},
		{"an id that is none", "GET /v1/requests/%1b%5B31m", "", 404, "no id"},
		{"a long id", "GET /v1/requests/" + strings.Repeat("a", 300), "", 404, "no id"},
		{"unknown agent", "GET /v1/agents/nobody", "", 404, `no agent "nobody"`},
		{"turns of nobody", "GET /v1/agents/nobody/turns", "", 404, `no agent "nobody"`},
		{"shown, unknown", "POST /v1/requests/ffff/shown", "", 404, `no request "ffff"`},
		{"no body", decision, "", 400, "Content-Type"},
		{"empty object", decision, "{}", 400, "needs a verdict"},
		{"no JSON", decision, "allow", 400, "no valid JSON"},
		{"half JSON", decision, `{"verdict":"allow"`, 400, "no valid JSON"},
		{"a list", decision, `[{"verdict":"allow"}]`, 400, "object is expected"},
		{"null", decision, `null`, 400, "object is expected"},
		{"two values", decision, `{"verdict":"allow"} {"verdict":"deny"}`, 400, "more after"},
		{"rubbish after", decision, `{"verdict":"allow"} x`, 400, "more after"},
		{"unknown field", decision, `{"verdict":"allow","force":true}`, 400, `unknown field "force"`},
		{"wrong case", decision, `{"Verdict":"allow"}`, 400, `unknown field "Verdict"`},
		{"twice", decision, `{"verdict":"deny","verdict":"allow"}`, 400, `"verdict" is there twice`},
		{"twice, inside", decision, `{"verdict":"allow","input":{"a":1,"a":2}}`, 400, `"a" is there twice`},
		{"unknown field, inside", decision, `{"verdict":"answer","answers":{"q":{"pick":["a"]}}}`, 400, `unknown field "pick"`},
		{"wrong type", decision, `{"verdict":7}`, 400, `"verdict" cannot be a number`},
		{"unknown verdict", decision, `{"verdict":"maybe"}`, 400, `unknown verdict "maybe"`},
		{"not UTF-8", decision, "{\"verdict\":\"deny\",\"message\":\"\xff\"}", 400, "UTF-8"},
		{"deep", decision, `{"verdict":"allow","input":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`, 400, "nested deeper"},
		{"too large", decision, `{"verdict":"deny","message":"` + strings.Repeat("x", 4<<20) + `"}`, 413, "larger than"},
		{"too long a message", decision, `{"verdict":"deny","message":"` + strings.Repeat("x", 1<<20) + `"}`, 413, "say it shorter"},
		{"does not fit", decision, `{"verdict":"answer","answers":{"q":"a"}}`, 422, "no question"},
		{"a rule that is not offered", decision, `{"verdict":"allow","remember":true}`, 422, "cannot be made a rule"},
		{"unknown request", "POST /v1/requests/ffffffffffffffff/decision", `{"verdict":"allow"}`, 404, "no request"},
		{"a prefix of a waiting one", "POST /v1/requests/eeee/decision", `{"verdict":"allow"}`, 404, "needs the whole id"},
		{"unknown token", "DELETE /v1/tokens/ffffffff", "", 404, `no token "ffffffff"`},
		{"no name", "POST /v1/tokens", `{"rights":"view"}`, 400, "needs a name"},
		{"no rights", "POST /v1/tokens", `{"name":"x"}`, 400, "at least one right"},
		{"unknown right", "POST /v1/tokens", `{"name":"x","rights":"root"}`, 400, `unknown right "root"`},
		{"rights as a list", "POST /v1/tokens", `{"name":"x","rights":["view"]}`, 400, "cannot be"},
		{"wrong code", "POST /v1/pair", `{"code":"0000-0000-0000","name":"x"}`, 401, "wrong, used or older"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			method, path, _ := strings.Cut(tt.route, " ")
			w := g.send(method, path, token, tt.body)
			checkFailure(t, w.Code, w.Header(), w.Body.Bytes(), tt.status, tt.says)
			if tt.status == 405 && w.Header().Get("Allow") == "" {
				t.Error("405 without Allow")
			}
		})
	}
	if r, err := g.Link.Request(t.Context(), "0123456789abcdef"); err != nil || r.Settled() {
		t.Errorf("after all that the request is %v, %v", r.Status, err)
	}
}

func checkFailure(t *testing.T, got int, h http.Header, body []byte, status int, says string) {
	t.Helper()
	var f v1.Failure
	if err := httpd.Strict(body, &f); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	if got != status || !strings.Contains(f.Error.Message, says) || f.Error.Code == "" {
		t.Errorf("%d %s, want %d with %q", got, body, status, says)
	}
	if h.Get("Content-Type") != "application/json; charset=utf-8" {
		t.Errorf("Content-Type %q", h.Get("Content-Type"))
	}
}

func TestWrongContentTypes(t *testing.T) {
	g := newRig(t)
	token := g.token(all)
	g.ask("0123456789abcdef")
	for kind, want := range map[string]int{
		"text/plain": 400, "": 400, "application/x-www-form-urlencoded": 400, "multipart/form-data; boundary=x": 400,
		"application/json; charset=latin1": 400, "application/jsonp": 400,
		"application/json": 422, "application/json; charset=UTF-8": 422, "Application/JSON": 422,
	} {
		w := g.send("POST", "/v1/requests/0123456789abcdef/decision", token, `{"verdict":"answer"}`, "Content-Type", kind)
		if w.Code != want {
			t.Errorf("%q: %d, want %d", kind, w.Code, want)
		}
	}
}

func TestLateAnswers(t *testing.T) {
	g := newRig(t)
	token := g.token(all)
	g.ask("0123456789abcdef")
	for i, want := range []int{200, 409, 409} {
		w := g.send("POST", "/v1/requests/0123456789abcdef/decision", token, `{"verdict":"deny","message":"no"}`)
		if w.Code != want {
			t.Errorf("answer %d: %d %s", i+1, w.Code, w.Body)
		}
		if want != 409 {
			continue
		}
		var f v1.Failure
		if err := json.Unmarshal(w.Body.Bytes(), &f); err != nil || f.Request == nil || f.Request.Decision.Message != "no" {
			t.Errorf("the winner is missing: %s", w.Body)
		}
	}
	w := g.send("POST", "/v1/requests/0123/decision", token, `{"verdict":"deny"}`)
	if w.Code != 404 || !strings.Contains(w.Body.String(), "whole id") {
		t.Errorf("a prefix of a settled one: %d %s", w.Code, w.Body)
	}
}

func TestEmptyListsAreLists(t *testing.T) {
	g := newRig(t)
	token := g.token(nod.RightsOf(nod.View, nod.Admin))
	for path, want := range map[string]string{
		"/v1/state":              `{"seq":1,"agents":[],"requests":[],"leases":[],"messages":[]}`,
		"/v1/requests":           `{"requests":[]}`,
		"/v1/agents":             `{"agents":[]}`,
		"/v1/log?after=1":        `{"entries":[]}`,
		"/v1/requests?limit=1":   `{"requests":[]}`,
		"/v1/requests?agent=x":   `{"requests":[]}`,
		"/v1/requests?before=99": `{"requests":[]}`,
	} {
		if got := strings.TrimSpace(g.send("GET", path, token, "").Body.String()); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

func TestHealthDependsOnRights(t *testing.T) {
	g := newRig(t)
	keys := func(token string) string {
		var fields map[string]any
		w := g.send("GET", "/health", token, "")
		if err := json.Unmarshal(w.Body.Bytes(), &fields); err != nil || w.Code != 200 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		var names []string
		for _, n := range []string{"ok", "status", "version", "you", "rights", "pid", "started_at", "now", "seq", "hash", "pending", "agents", "viewers", "sse_connections", "active_sessions", "claude_path", "data", "listen"} {
			if _, there := fields[n]; there {
				names = append(names, n)
			}
			delete(fields, n)
		}
		if len(fields) > 0 {
			t.Errorf("and also %v", fields)
		}
		return strings.Join(names, " ")
	}
	for name, tt := range map[string]struct{ token, want string }{
		"a stranger":  {"", "ok status version"},
		"a bad token": {"nod_x", "ok status version"},
		"a hook":      {g.token(nod.RightsOf(nod.Raise)), "ok status version you rights"},
		"a viewer":    {g.token(nod.RightsOf(nod.View)), "ok status version you rights pid started_at now seq hash pending agents viewers sse_connections active_sessions claude_path"},
	} {
		if got := keys(tt.token); got != tt.want {
			t.Errorf("%s is told %s, want %s", name, got, tt.want)
		}
	}
}
