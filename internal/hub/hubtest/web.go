package hubtest

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"nod"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
)

// Web is routes behind a gate as nod serve has it, without a network.
type Web struct {
	http.Handler
	Gate        *httpd.Gate
	Credentials *auth.Credentials

	rig    *Rig
	tokens map[string]string // by name and rights
}

// Web is a gate for the rig's hub; Serve puts routes behind it. The rig's store must
// keep tokens.
func (g *Rig) Web() *Web {
	w := &Web{Credentials: auth.NewCredentials(g.Options.Store.(auth.TokenStore), nil, g.Log()), rig: g, tokens: map[string]string{}}
	w.Gate = &httpd.Gate{Credentials: w.Credentials, Allow: func(ctx context.Context, by nod.Actor, right nod.Right, what string) error {
		return g.Hub.Desk(by).Allowed(ctx, right, what)
	}}
	return w
}

// Serve is a Web with routes.
func (g *Rig) Serve(routes ...httpd.Route) *Web {
	w := g.Web()
	w.Serve(routes...)
	return w
}

// Serve puts routes behind the gate.
func (w *Web) Serve(routes ...httpd.Route) { w.Handler = httpd.Mux(w.Gate, w.rig.Log(), routes...) }

// Token is the secret of a device with a name and rights: the same for the same.
func (w *Web) Token(name string, rights nod.Rights) string {
	w.rig.Helper()
	key := name + " " + rights.String()
	if _, known := w.tokens[key]; !known {
		secret, _, err := w.Credentials.Create(w.rig.Context(), nod.Actor{Name: "test", Rights: All}, name, rights, "")
		if err != nil {
			w.rig.Fatal(err)
		}
		w.tokens[key] = secret.Reveal()
	}
	return w.tokens[key]
}

// Send plays one request against the routes. A body is JSON; without a token it is
// anonymous.
func (w *Web) Send(method, path, token, body string, change ...func(*http.Request)) *httptest.ResponseRecorder {
	var in io.Reader
	if body != "" {
		in = strings.NewReader(body)
	}
	r := httptest.NewRequestWithContext(w.rig.Context(), method, path, in)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for _, f := range change {
		f(r)
	}
	recorder := httptest.NewRecorder()
	w.ServeHTTP(recorder, r)
	w.rig.settle()
	return recorder
}
