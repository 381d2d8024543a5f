package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"nod"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
)

// takes is the right that each route needs. A route without an entry fails the test, so
// that every new one is thought about.
var takes = map[string]nod.Right{
	"GET /v1/state":                   nod.View,
	"GET /v1/events":                  nod.View,
	"GET /v1/log":                     nod.View,
	"GET /v1/requests":                nod.View,
	"GET /v1/requests/{id}":           nod.View,
	"POST /v1/requests/{id}/decision": nod.Answering,
	"POST /v1/requests/{id}/shown":    nod.View,
	"GET /v1/requests/{id}/card":      nod.View,
	"GET /v1/agents":                  nod.View,
	"GET /v1/agents/{id}":             nod.View,
	"GET /v1/agents/{id}/turns":       nod.View,
	"GET /v1/agents/{id}/suggestions": nod.View,
	"GET /v1/assistants":              nod.View,
	"POST /v1/agents":                 nod.Answering,
	"GET /v1/agents/{id}/draft":       nod.View,
	"DELETE /v1/agents/{id}":          nod.Answering,
	"POST /v1/agents/{id}/turns":      nod.Answering,
	"POST /v1/agents/{id}/keys":       nod.Answering,
	"POST /v1/agents/{id}/interrupt":  nod.Answering,
	"POST /v1/stop":                   nod.Answering,
	"POST /v1/attachments":            nod.Answering,
	"GET /v1/leases":                  nod.View,
	"POST /v1/leases":                 nod.Answering,
	"DELETE /v1/leases/{id}":          nod.Answering,
	"GET /v1/history":                 nod.View,
	"GET /v1/history.csv":             nod.View,
	"GET /v1/history.json":            nod.View,
	"GET /v1/me":                      0, // any token will do
	"DELETE /v1/me":                   0,
	"GET /v1/tokens":                  nod.Admin,
	"POST /v1/tokens":                 nod.Admin,
	"DELETE /v1/tokens/{id}":          nod.Admin,
	"POST /v1/pairings":               nod.Admin,
}

// open are the routes that need no token.
var open = map[string]bool{"GET /health": true, "GET /health/live": true, "GET /health/ready": true, "GET /v1/openapi.json": true, "POST /v1/pair": true}

func TestEveryRouteTakesExactlyOneRight(t *testing.T) {
	g := newRig(t)
	rights := []nod.Right{nod.Raise, nod.View, nod.Answering, nod.Admin}
	tokens := map[nod.Right]string{}
	for _, r := range rights {
		tokens[r] = g.token(nod.RightsOf(r))
	}
	seen := 0
	for _, rt := range g.routes {
		name := rt.Method + " " + rt.Path
		path := strings.Replace(rt.Path, "{id}", "nothing", 1)
		if rt.Path == "/v1/events" {
			path += "?after=x" // a mistake that is found after the rights, so that the stream ends
		}
		if open[name] {
			seen++
			for _, token := range append([]string{"", "nod_wrong"}, tokens[nod.Raise]) {
				if w := g.send(rt.Method, path, token, ""); w.Code == http.StatusUnauthorized || w.Code == http.StatusForbidden {
					t.Errorf("%s with token %q: %d", name, token, w.Code)
				}
			}
			continue
		}
		needs, ok := takes[name]
		if !ok {
			t.Errorf("%s has no entry: who may use it?", name)
			continue
		}
		seen++
		for _, has := range rights {
			token := tokens[has]
			if needs == 0 {
				token = g.token(nod.RightsOf(has)) // it may sign out
			}
			w := g.send(rt.Method, path, token, "")
			if refused := w.Code == http.StatusForbidden; refused != (needs != 0 && has != needs) {
				t.Errorf("%s with %q alone: %d", name, has, w.Code)
			}
		}
		for _, token := range []string{"", "nod_wrong", strings.ToUpper(tokens[needs])} {
			w := g.send(rt.Method, path, token, "")
			if w.Code != http.StatusUnauthorized || w.Header().Get("WWW-Authenticate") == "" {
				t.Errorf("%s with token %q: %d", name, token, w.Code)
			}
		}
	}
	if want := len(takes) + len(open); seen != want {
		t.Errorf("%d routes, %d entries", seen, want)
	}
}

func TestOtherCredentialFormsAreRefused(t *testing.T) {
	g := newRig(t)
	token := g.token(all)
	for name, headers := range map[string][]string{
		"basic":          {"Authorization", "Basic " + token},
		"bare":           {"Authorization", token},
		"cookie":         {"Cookie", "token=" + token},
		"api key header": {"X-Api-Key", token},
	} {
		if w := g.send("GET", "/v1/state", "", "", headers...); w.Code != http.StatusUnauthorized {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
	for _, query := range []string{"?token=" + token, "?access_token=" + token} {
		if w := g.send("GET", "/v1/state"+query, "", ""); w.Code != http.StatusUnauthorized {
			t.Errorf("in the address: %d", w.Code)
		}
	}
	if w := g.send("GET", "/v1/state", "", "", "Authorization", "bearer "+token); w.Code != http.StatusOK {
		t.Errorf("the scheme in small letters: %d", w.Code)
	}
}

// The right to answer does not show requests: neither a lost race nor an edit tells what
// was asked.
func TestAnsweringShowsNothing(t *testing.T) {
	g := newRig(t)
	blind := g.token(nod.RightsOf(nod.Answering))
	g.ask("0123456789abcdef")
	w := g.send("POST", "/v1/requests/0123456789abcdef/decision", blind, `{"verdict":"allow","input":"ls -l"}`)
	if w.Code != http.StatusOK || strings.Contains(w.Body.String(), "command") {
		t.Errorf("200 tells the input: %d %s", w.Code, w.Body)
	}
	w = g.send("POST", "/v1/requests/0123456789abcdef/decision", blind, `{"verdict":"allow"}`)
	if w.Code != http.StatusConflict || strings.Contains(w.Body.String(), "command") || strings.Contains(w.Body.String(), "Bash") {
		t.Errorf("409 tells the input: %d %s", w.Code, w.Body)
	}
	if !strings.Contains(w.Body.String(), `"verdict":"allow"`) {
		t.Errorf("409 does not tell the outcome: %s", w.Body)
	}
	w = g.send("POST", "/v1/requests/0123456789abcdef/decision", g.token(auth.Paired), `{"verdict":"allow"}`)
	if w.Code != http.StatusConflict || !strings.Contains(w.Body.String(), "ls -l") {
		t.Errorf("who may view sees what won: %d %s", w.Code, w.Body)
	}
}

// A browser sends a cookie to every port of its host, and so to a server that an agent
// runs there: neither the cookie nor the page's half is enough alone.
func TestABrowserNeedsBothHalvesOfItsToken(t *testing.T) {
	g := newRig(t)
	pairing, err := g.web.Credentials.Pair(t.Context(), nod.Actor{Rights: all}, auth.Paired)
	if err != nil {
		t.Fatal(err)
	}
	w := g.send("POST", "/v1/pair", "", `{"code":"`+pairing.Code+`","name":"phone","cookie":true}`)
	var got struct{ Token, Key string }
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || got.Token != "" || got.Key == "" {
		t.Fatalf("%v: %s", err, w.Body)
	}
	c := w.Result().Cookies()[0]
	if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || strings.Contains(c.Value, got.Key) {
		t.Errorf("the cookie is %s", c)
	}
	cookie := c.Name + "=" + c.Value
	for name, try := range map[string]struct {
		headers []string
		status  int
	}{
		"both":             {[]string{"Cookie", cookie, httpd.KeyHeader, got.Key}, 200},
		"the cookie":       {[]string{"Cookie", cookie}, 401},
		"the page's half":  {[]string{httpd.KeyHeader, got.Key}, 401},
		"another half":     {[]string{"Cookie", cookie, httpd.KeyHeader, strings.Repeat("A", len(got.Key))}, 401},
		"as a token":       {[]string{"Authorization", "Bearer " + c.Value}, 401},
		"from another tab": {[]string{"Cookie", cookie, httpd.KeyHeader, got.Key, "Origin", "http://127.0.0.1:3000"}, 403},
	} {
		if w := g.send("GET", "/v1/state", "", "", try.headers...); w.Code != try.status {
			t.Errorf("%s: %d, want %d", name, w.Code, try.status)
		}
	}
	w = g.send("DELETE", "/v1/me", "", "", "Cookie", cookie, httpd.KeyHeader, got.Key)
	if w.Code != 204 || w.Result().Cookies()[0].MaxAge >= 0 {
		t.Errorf("signing out: %d %s", w.Code, w.Header())
	}
	if w := g.send("GET", "/v1/state", "", "", "Cookie", cookie, httpd.KeyHeader, got.Key); w.Code != 401 {
		t.Errorf("after signing out: %d", w.Code)
	}
}
