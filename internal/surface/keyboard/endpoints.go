package keyboard

import (
	"encoding/json"
	"net/http"
	"net/netip"
	"path"
	"strconv"
	"strings"

	"nod"
	"nod/internal/net/httpd"
)

const mostBody = 64 << 10

// call is one request of a hook, a daemon or a device.
type call struct {
	*Surface
	w    http.ResponseWriter
	r    *http.Request
	who  nod.Actor
	body []byte
}

// endpoint is one of the original's HTTP endpoints.
type endpoint struct {
	method, path string
	right        nod.Right // 0: open to every caller; only pictures are
	do           func(*call)
}

func endpoints() []endpoint {
	return []endpoint{
		{"GET", "/images/", 0, (*call).picture},
		{"GET", "/inputs", nod.View, (*call).drain},
		{"GET", "/hook/get-inputs", nod.View, (*call).legacyDrain},
		{"GET", "/status", nod.View, (*call).status},
		{"GET", "/session/verify", nod.View, (*call).verify},
		{"POST", "/update", nod.Raise, (*call).update},
		{"POST", "/state/update", nod.Raise, (*call).stateUpdate},
		{"POST", "/hook/update", nod.Raise, (*call).stateUpdate},
		{"POST", "/generate-image", nod.Raise, (*call).generate},
		{"POST", "/test/button", nod.Answering, (*call).testButton},
		{"POST", "/mcp/tool", nod.Raise, (*call).tool},
	}
}

// Handler serves the original's wire on listeners of its own (8080 and 8081): the
// WebSocket of keyboards, their pictures, and what hooks and daemons call.
func (s *Surface) Handler() http.Handler {
	all := endpoints()
	return httpd.Handle(s.Log, func(w http.ResponseWriter, r *http.Request) error {
		c := &call{Surface: s, w: w, r: r}
		switch {
		case isKeyboard(r):
			return s.serveDevice(w, r)
		case fromWebPage(r):
			c.fail(http.StatusForbidden, "a web page may not use this")
		case r.Method == http.MethodOptions:
			w.WriteHeader(http.StatusOK) // without CORS headers, so a web page gets no further
		default:
			c.serve(all)
		}
		return nil
	})
}

// fromWebPage reports whether a browser sends a request on behalf of a page.
func fromWebPage(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return r.Header.Get("Origin") != "" || site != "" && site != "none"
}

func (c *call) serve(all []endpoint) {
	var d *endpoint
	for i := range all {
		if all[i].method == c.r.Method && (all[i].path == c.r.URL.Path || strings.HasSuffix(all[i].path, "/") && strings.HasPrefix(c.r.URL.Path, all[i].path)) {
			d = &all[i]
		}
	}
	if d == nil {
		c.notFound()
		return
	}
	if d.right != 0 {
		leave, ok := c.admit(d.right)
		if !ok {
			return
		}
		defer leave()
	}
	if d.method == http.MethodPost {
		c.r.Body = http.MaxBytesReader(c.w, c.r.Body, mostBody)
		body, err := httpd.ReadBody(c.w, c.r)
		if err != nil {
			c.fail(httpd.StatusOf(err), nod.MessageOf(err))
			return
		}
		c.body = body
	}
	d.do(c)
}

func bearer(r *http.Request) (string, bool) {
	scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.TrimSpace(token), ok && strings.EqualFold(scheme, "Bearer")
}

// admit finds out who is calling, by a token. Without one, a program on this machine
// may raise and read, as every hook may; any other caller is refused. On this machine a
// token adds rights and takes none away, whatever it is for.
func (c *call) admit(right nod.Right) (leave func(), ok bool) {
	leave = func() {}
	local := c.local()
	if local {
		c.who = nod.Actor{Kind: nod.ActorAgent, Name: "a program on this machine", Via: via, Rights: nod.RightsOf(nod.Raise, nod.View)}
	}
	if token, shown := bearer(c.r); shown {
		in, who, left, err := c.Credentials.Admit(c.r.Context(), token, via)
		if err == nil && who.Room != "" {
			left()
			err = nod.Errorf(nod.Forbidden, "this token was made for a room and opens nothing else")
		}
		switch {
		case err != nil && !local:
			c.fail(httpd.StatusOf(err), nod.MessageOf(err))
			return nil, false
		case err != nil:
			c.Log.Warn("a program on this machine shows a token that does not count here; it is treated as if it had none", "path", c.r.URL.Path, "err", err)
		default:
			if local {
				who.Rights |= c.who.Rights
			}
			c.r, c.who, leave = c.r.WithContext(in), who, left
		}
	}
	if c.who.Kind == "" {
		c.fail(http.StatusUnauthorized, "who are you? Send a token, with the header Authorization: Bearer nod_…; `nod token create` makes one")
		return nil, false
	}
	if !c.who.Can(right) {
		err := c.Hub.Desk(c.who).Allowed(c.r.Context(), right, "press keys of a keyboard")
		c.fail(http.StatusForbidden, nod.MessageOf(err))
		leave()
		return nil, false
	}
	return leave, true
}

func (c *call) local() bool {
	from, err := netip.ParseAddrPort(c.r.RemoteAddr)
	return err == nil && from.Addr().Unmap().IsLoopback() && !proxied(c.r)
}

// json answers as the original does: the object without a newline.
func (c *call) json(code int, v any) { _ = c.write(code, v) }

func (c *call) write(code int, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	c.w.Header().Set("Content-Type", "application/json")
	c.w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	c.w.WriteHeader(code)
	_, err = c.w.Write(text)
	return err
}

func (c *call) fail(code int, why string) {
	c.json(code, struct {
		Error string `json:"error"`
	}{why})
}

func (c *call) notFound() {
	c.w.Header().Set("Content-Type", "text/plain")
	c.w.Header().Set("Content-Length", "9")
	c.w.WriteHeader(http.StatusNotFound)
	_, _ = c.w.Write([]byte("Not found"))
}

// picture sends a Content-Length: the device takes nothing without one.
func (c *call) picture() {
	data, ok := c.pictures.bytes(path.Base(c.r.URL.Path))
	if !ok {
		c.notFound()
		return
	}
	h := c.w.Header()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Cache-Control", "public, max-age=86400")
	h.Set("Content-Length", strconv.Itoa(len(data)))
	_, _ = c.w.Write(data)
}
