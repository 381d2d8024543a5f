package httpd

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"nod"
	"nod/internal/hub/store/mem"
	"nod/internal/net/auth"
)

func TestATicketMarksWhoAnswers(t *testing.T) {
	keeper := auth.NewCredentials(mem.New(), nil, nil)
	admin := nod.Actor{Name: "test", Rights: nod.RightsOf(nod.View, nod.Answering, nod.Admin)}
	secret, token, err := keeper.Create(t.Context(), admin, "phone", nod.RightsOf(nod.View, nod.Answering), "")
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	gate := &Gate{
		Credentials: keeper,
		Allow: func(_ context.Context, by nod.Actor, right nod.Right, _ string) error {
			if by.Can(right) {
				return nil
			}
			return nod.Errorf(nod.Forbidden, "no")
		},
		Proof: func(_ context.Context, by nod.Actor, ticket string, id nod.RequestID) (bool, error) {
			asked++
			if ticket == "nobody knows" {
				return true, nod.Errorf(nod.Unavailable, "the database is away")
			}
			return by.ID == token.ID && ticket == "good" && id == "r1", nil
		},
	}
	var proven nod.RequestID
	look := func(_ http.ResponseWriter, r *http.Request) error {
		proven = ActorOf(r.Context()).Proven
		return nil
	}
	mux := Mux(gate, quiet,
		Route{Method: "POST", Path: "/v1/requests/{id}/decision", Right: nod.Answering, Handle: look},
		Route{Method: "POST", Path: "/v1/stop", Right: nod.Answering, Handle: look},
		Route{Method: "GET", Path: "/v1/requests/{id}", Right: nod.View, Handle: look},
		Route{Method: "DELETE", Path: "/v1/tokens/{id}", Right: nod.Admin, Handle: look},
	)
	for _, c := range []struct {
		method, path, ticket string
		proven               nod.RequestID
		asked                int
	}{
		{"POST", "/v1/requests/r1/decision", "good", "r1", 1},
		{"POST", "/v1/requests/r2/decision", "good", "", 1},
		{"POST", "/v1/requests/r1/decision", "bad", "", 1}, // no error: perhaps it is a deny
		{"POST", "/v1/requests/r1/decision", "", "", 0},
		{"POST", "/v1/stop", "good", "", 0},
		{"GET", "/v1/requests/r1", "good", "", 0},  // only an answer uses up a ticket
		{"DELETE", "/v1/tokens/r1", "good", "", 0}, // and only on routes of answers
	} {
		proven, asked = "", 0
		r := httptest.NewRequest(c.method, c.path, nil)
		r.Header.Set("Authorization", "Bearer "+secret.Reveal())
		if c.ticket != "" {
			r.Header.Set(ProofHeader, c.ticket)
		}
		mux.ServeHTTP(httptest.NewRecorder(), r)
		if proven != c.proven || asked != c.asked {
			t.Errorf("%s %s with %q: proven %q, asked %d times", c.method, c.path, c.ticket, proven, asked)
		}
	}
	proven = ""
	r := httptest.NewRequest("POST", "/v1/requests/r1/decision", nil)
	r.Header.Set("Authorization", "Bearer "+secret.Reveal())
	r.Header.Set(ProofHeader, "nobody knows")
	w := httptest.NewRecorder()
	if mux.ServeHTTP(w, r); w.Code != 503 || proven != "" {
		t.Errorf("a ticket of which nobody can tell: %d %s, proven %q", w.Code, w.Body, proven)
	}
	gate.Proof = nil // a hub without passkeys
	r.Header.Set(ProofHeader, "good")
	if mux.ServeHTTP(httptest.NewRecorder(), r); proven != "" {
		t.Error("proven by nobody")
	}
}
