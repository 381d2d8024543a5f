package api_test

import (
	"bufio"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"nod"
	"nod/internal/net/auth"
)

// follow opens a raw stream and returns a reader of its events.
func (g *rig) follow(query, token string, headers ...string) (*http.Response, func() string) {
	g.Helper()
	return g.stream("/v1/events"+query, token, headers...)
}

func (g *rig) stream(path, token string, headers ...string) (*http.Response, func() string) {
	g.Helper()
	req, err := http.NewRequestWithContext(g.Context(), "GET", g.server.URL()+path, nil)
	if err != nil {
		g.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		g.Fatal(err)
	}
	g.Cleanup(func() { _ = res.Body.Close() })
	in := bufio.NewReader(res.Body)
	return res, func() string {
		var block strings.Builder
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				return block.String() + "⟨" + err.Error() + "⟩"
			}
			if line == "\n" {
				return block.String()
			}
			block.WriteString(line)
		}
	}
}

func TestTheStreamOnTheWire(t *testing.T) {
	g := newRig(t)
	res, next := g.follow("?after=0", g.token(nod.RightsOf(nod.View)))
	if got := res.Header.Get("Content-Type"); got != "text/event-stream; charset=utf-8" {
		t.Errorf("Content-Type %q", got)
	}
	if got := next() + "|" + next(); got != "retry: 2000\n|id: 0\n" {
		t.Errorf("it begins with %q", got)
	}
	g.ask("0123456789abcdef")
	events, err := g.Options.Store.Read(t.Context(), 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if got, want := next(), fmt.Sprintf("id: %d\ndata: %s\n", e.Seq, e.Body()); got != want {
			t.Errorf("event %d:\n%s\nwant\n%s", e.Seq, got, want)
		}
	}
}

func TestStreamStartPosition(t *testing.T) {
	g := newRig(t)
	for range 5 {
		g.agent("agent-1")
	}
	head, _ := g.Hub.Head()
	now := fmt.Sprintf("id: %d\n", head)
	token := g.token(nod.RightsOf(nod.View))
	for _, tt := range []struct {
		name, query, last, want string
	}{
		{"from now", "", "", now},
		{"after a place", "?after=3", "", "id: 3\n"},
		{"from the start", "?after=0", "", "id: 0\n"},
		{"where it was", "", "4", "id: 4\n"},
		{"a browser repeats the old address", "?after=2", "4", "id: 4\n"},
	} {
		headers := []string{}
		if tt.last != "" {
			headers = []string{"Last-Event-ID", tt.last}
		}
		_, next := g.follow(tt.query, token, headers...)
		next()
		if got := next(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	for _, bad := range []string{"?after=x", "?after=-1", "?after=", "?after=18446744073709551615", "?after=1&after=2", "?from=3"} {
		if w := g.send("GET", "/v1/events"+bad, token, ""); w.Code != http.StatusBadRequest {
			t.Errorf("%s: %d", bad, w.Code)
		}
	}
	if w := g.send("GET", "/v1/events", token, "", "Last-Event-ID", "x"); w.Code != http.StatusBadRequest {
		t.Errorf("a bad Last-Event-ID: %d", w.Code)
	}
	if w := g.send("HEAD", "/v1/events", token, ""); w.Code != http.StatusOK {
		t.Errorf("HEAD: %d", w.Code)
	}
}

func TestUnknownSequenceNumberIsAGap(t *testing.T) {
	g := newRig(t)
	_, next := g.follow("?after=999", g.token(nod.RightsOf(nod.View)))
	next()
	next()
	if got := next(); !strings.HasPrefix(got, "event: gap\ndata: {\"error\":{\"code\":\"gone\"") {
		t.Errorf("got %q", got)
	}
	if got := next(); got != "⟨EOF⟩" {
		t.Errorf("and then %q", got)
	}
	for _, err := range g.device(nod.RightsOf(nod.View)).Follow(t.Context(), 999) {
		if nod.CodeOf(err) != nod.Gone {
			t.Errorf("the client says %v", err)
		}
	}
}

func TestRevokingEndsAStream(t *testing.T) {
	g := newRig(t)
	token := g.token(auth.Paired)
	_, next := g.follow("", token)
	next()
	next()
	if w := g.send("DELETE", "/v1/tokens/"+token[4:12], g.token(all), ""); w.Code != http.StatusNoContent {
		t.Fatalf("revoking: %d %s", w.Code, w.Body)
	}
	g.agent("agent-1") // what happens afterwards is not for them
	if got := next(); !strings.HasPrefix(got, "event: end\ndata: {\"error\":{\"code\":\"unauthorized\"") {
		t.Errorf("got %q", got)
	}
	if got := next(); got != "⟨EOF⟩" {
		t.Errorf("and then %q", got)
	}
}

func TestClientReportsARevokedToken(t *testing.T) {
	g := newRig(t)
	c := g.device(nod.RightsOf(nod.View))
	for e, err := range c.Follow(t.Context(), 0) {
		if err != nil {
			if nod.CodeOf(err) != nod.Unauthorized {
				t.Errorf("the stream ended with %v", err)
			}
			return
		}
		if e.Kind == nod.HubStarted { // it runs: take its token away
			tokens, _ := g.web.Credentials.List(t.Context())
			if err := g.web.Credentials.Revoke(t.Context(), tokens[0].ID); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestShutdownEndsStreams(t *testing.T) {
	g := newRig(t)
	_, next := g.follow("", g.token(auth.Paired))
	next()
	next()
	g.stop()
	if got := next(); !strings.HasPrefix(got, "event: end\ndata: {\"error\":{\"code\":\"unavailable\"") {
		t.Errorf("got %q", got)
	}
	err := <-g.ended
	if g.ended <- err; err != nil {
		t.Errorf("Serve: %v", err)
	}
}
