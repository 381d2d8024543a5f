package relay

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"nod/internal/net/httpd"
)

// call is one request of a hook or a client.
type call struct {
	*Surface
	w    http.ResponseWriter
	r    *http.Request
	who  *caller
	body fields
	id   string // of the path
}

// endpoint is one endpoint of the wire.
type endpoint struct {
	method, path string // {id} matches any name
	open         bool   // no key is needed
	do           func(*call)
}

// endpoints are all of them.
func endpoints() []endpoint {
	const one = "/permission-request/{id}/"
	return []endpoint{
		{"GET", "/", true, (*call).app},
		{"GET", "/index.html", true, (*call).app},
		{"GET", "/health", true, (*call).health},
		{"GET", "/promptrelay-ca.pem", true, (*call).ca},
		{"GET", "/vapid-public-key", true, (*call).vapid},
		{"POST", "/permission-request", false, (*call).create},
		{"GET", one + "response", false, (*call).response},
		{"POST", one + "respond", false, (*call).respond},
		{"POST", one + "cancel", false, (*call).cancel},
		{"GET", "/permission-requests", false, (*call).list},
		{"POST", "/notify", false, (*call).notify},
		{"POST", "/register", false, (*call).register},
		{"POST", "/unregister", false, (*call).unregister},
		{"POST", "/register-web", false, (*call).registerWeb},
		{"POST", "/unregister-web", false, (*call).unregisterWeb},
	}
}

// elsewhere are paths that other adapters have on the hub's own port.
func elsewhere(path string) bool {
	return path == "/" || path == "/index.html" || path == "/health" || path == "/promptrelay-ca.pem"
}

// Routes are the endpoints on the hub's own port, beside those of other adapters. They
// are open as far as the gate is concerned, because this wire has its own order of
// checks.
func (s *Surface) Routes() []httpd.Route {
	routes := []httpd.Route{{Method: "GET", Path: "/ws", Open: true, Handle: func(w http.ResponseWriter, r *http.Request) error {
		s.Socket(w, r)
		return nil
	}}}
	for _, d := range endpoints() {
		if elsewhere(d.path) {
			continue
		}
		for _, path := range []string{d.path, d.path + "/{$}"} {
			routes = append(routes, httpd.Route{Method: d.method, Path: path, Open: true, Body: mostBody, Handle: s.behind(d)})
		}
	}
	return routes
}

func (s *Surface) behind(d endpoint) httpd.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		s.serve(&call{Surface: s, w: w, r: r, id: r.PathValue("id")}, &d)
		return nil
	}
}

// Handler is the wire alone, for a listener where every path belongs to it.
func (s *Surface) Handler() http.Handler {
	all := endpoints()
	return httpd.Handle(s.Log, func(w http.ResponseWriter, r *http.Request) error {
		c := &call{Surface: s, w: w, r: r}
		switch {
		case upgrades(r) && r.URL.Path == "/ws":
			s.Socket(w, r)
		case upgrades(r):
			http.Error(w, "Bad Request", http.StatusBadRequest)
		default:
			s.serve(c, c.match(all))
		}
		return nil
	})
}

// match finds an endpoint as the original does: ignoring case and one slash at the end,
// and with GET for HEAD.
func (c *call) match(all []endpoint) *endpoint {
	method := c.r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	path := c.r.URL.Path
	if len(path) > 1 {
		path = strings.TrimSuffix(path, "/")
	}
	for i := range all {
		if id, ok := fits(all[i].path, path); ok && all[i].method == method {
			c.id = id
			return &all[i]
		}
	}
	return nil
}

// fits compares a path with a pattern that may have one {id}.
func fits(pattern, path string) (id string, ok bool) {
	want, got := strings.Split(pattern, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return "", false
	}
	for i := range want {
		if want[i] == "{id}" && got[i] != "" {
			id = got[i]
		} else if !strings.EqualFold(want[i], got[i]) {
			return "", false
		}
	}
	return id, true
}

// serve checks in the original's order: the body, then the key, then the path.
func (s *Surface) serve(c *call, d *endpoint) {
	body, problem := readBody(c.w, c.r)
	if problem != 0 {
		c.page(problem, http.StatusText(problem))
		return
	}
	c.body = body
	if d != nil && d.open {
		d.do(c)
		return
	}
	who, refused := s.admission.admit(c.r)
	if refused != "" {
		c.fail(http.StatusUnauthorized, string(refused))
		return
	}
	defer who.leave()
	c.who = who
	if d == nil {
		c.nowhere()
		return
	}
	d.do(c)
}

// app leads a browser to nod's web app, which is on the hub's own port.
func (c *call) app() {
	address := ""
	if c.Address != nil {
		address = c.Address()
	}
	if address == "" {
		c.nowhere()
		return
	}
	if local(address) && !local("//"+c.r.Host) {
		c.page(http.StatusNotFound, "nod's web app is at "+address+", on the hub's own machine only. To open it from here, start nod with --tls --listen :8742.")
		return
	}
	http.Redirect(c.w, c.r, strings.TrimSuffix(address, "/")+"/", http.StatusFound)
}

// local reports whether an address leads to the machine of whoever calls it.
func local(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}

func (c *call) health() {
	c.json(http.StatusOK, struct {
		Status  string `json:"status"`
		Timeout int64  `json:"request_timeout_ms"`
	}{"ok", c.Timeout.Milliseconds()})
}

func (c *call) ca() {
	if len(c.CA) == 0 {
		c.fail(http.StatusNotFound, "CA certificate not found")
		return
	}
	h := c.w.Header()
	h.Set("Content-Type", "application/x-pem-file")
	h.Set("Content-Disposition", `attachment; filename="PromptRelay-CA.pem"`)
	_, _ = c.w.Write(c.CA)
}

func (c *call) vapid() {
	if c.VAPIDKey == nil {
		c.fail(http.StatusNotFound, "VAPID not configured")
		return
	}
	key, err := c.VAPIDKey(c.r.Context())
	if err != nil {
		c.refuse(err)
		return
	}
	c.json(http.StatusOK, struct {
		Key string `json:"key"`
	}{key})
}
