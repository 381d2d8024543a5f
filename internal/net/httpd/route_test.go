package httpd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"nod"
)

func TestEachCodeHasItsStatus(t *testing.T) {
	for code, want := range map[nod.Code]int{
		nod.Invalid: 400, nod.Unauthorized: 401, nod.Forbidden: 403, nod.NotFound: 404, nod.Conflict: 409,
		nod.Gone: 410, nod.ProofNeeded: 403, nod.Unreachable: 409, nod.TooLarge: 413, nod.Unprocessable: 422, nod.Internal: 500, nod.Unavailable: 503,
	} {
		w := answer(t, quiet, func(http.ResponseWriter, *http.Request) error { return nod.Errorf(code, "words") })
		if got := strings.TrimSpace(w.Body.String()); w.Code != want || got != fmt.Sprintf(`{"error":{"code":%q,"message":"words"}}`, code) {
			t.Errorf("%s: %d %s", code, w.Code, got)
		}
		if (w.Header().Get("WWW-Authenticate") != "") != (want == 401) {
			t.Errorf("%s: WWW-Authenticate %q", code, w.Header().Get("WWW-Authenticate"))
		}
	}
}

func answer(t *testing.T, log *slog.Logger, h Handler) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	Handle(log, h).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	return w
}

func TestInternalErrorTextIsNotSent(t *testing.T) {
	const foreign = "pq: password authentication failed for user \"anna\""
	for name, h := range map[string]Handler{
		"foreign error": func(http.ResponseWriter, *http.Request) error { return errors.New(foreign) },
		"as a cause": func(http.ResponseWriter, *http.Request) error {
			return nod.Errorf(nod.Internal, "the store failed").Because(errors.New(foreign))
		},
		"panic":       func(http.ResponseWriter, *http.Request) error { panic(foreign) },
		"cannot tell": func(w http.ResponseWriter, _ *http.Request) error { return JSON(w, 200, func() {}) },
	} {
		var log bytes.Buffer
		w := answer(t, slog.New(slog.NewTextHandler(&log, nil)), h)
		if w.Code != 500 || strings.Contains(w.Body.String(), "anna") || !strings.Contains(w.Body.String(), `"code":"internal"`) {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
		if name != "cannot tell" && !strings.Contains(log.String(), "anna") {
			t.Errorf("%s: the log does not tell: %s", name, log.String())
		}
	}
}

func TestErrorAfterTheResponseHasStarted(t *testing.T) {
	w := answer(t, quiet, func(w http.ResponseWriter, _ *http.Request) error {
		_, _ = io.WriteString(w, "half")
		return errors.New("x")
	})
	if w.Code != 200 || w.Body.String() != "half" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	defer func() {
		if p := recover(); p != http.ErrAbortHandler {
			t.Errorf("the connection is not broken: %v", p)
		}
	}()
	answer(t, quiet, func(w http.ResponseWriter, _ *http.Request) error {
		_, _ = io.WriteString(w, "half")
		panic("x")
	})
}

func TestAConflictCarriesTheWinner(t *testing.T) {
	w := answer(t, quiet, func(http.ResponseWriter, *http.Request) error {
		e := nod.Errorf(nod.Conflict, "anna was first")
		e.Winner = &nod.Request{ID: "r1"}
		return e
	})
	if !strings.Contains(w.Body.String(), `"request":{"id":"r1"`) {
		t.Error(w.Body)
	}
}

func TestRouteCollisionsAreDetectedAtStart(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("nobody noticed")
		}
	}()
	Mux(&Gate{}, quiet, Route{Method: "GET", Path: "/x"}, Route{Method: "GET", Path: "/x"})
}
