// Package webapp serves the files of the web app. The app itself uses the public API, as
// every other client does.
package webapp

import (
	"net/http"
	"strconv"
	"strings"
	"sync"

	"nod"
	"nod/internal/net/httpd"
	"nod/web"
)

// policy lets the page load only its own files, and allows markup from strings in one
// place of the app only.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"manifest-src 'self'; worker-src 'self'; font-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types nod"

// pages are the addresses of the app; its router chooses the screen.
var pages = [...]string{"/{$}", "/agents", "/agents/{id}", "/history", "/settings", "/device", "/keyboard", "/puck", "/pair"}

// Surface serves the app.
type Surface struct {
	assets func() (*assets, error)
}

// New serves the embedded app. It is read when a browser first asks for it.
func New() *Surface {
	return &Surface{assets: sync.OnceValues(func() (*assets, error) { return load(web.Files) })}
}

// Routes are all endpoints. They are open: the app holds no secret, and the API, from
// which it gets what it shows, asks for a credential.
func (s *Surface) Routes() []httpd.Route {
	var routes []httpd.Route
	for _, path := range pages {
		// Other sites may link to a page; a GET of it changes nothing.
		routes = append(routes, httpd.Route{Method: "GET", Path: path, Open: true, CrossSite: true, Handle: s.page})
	}
	return append(routes,
		httpd.Route{Method: "GET", Path: "/sw.js", Open: true, Handle: s.fixed},
		httpd.Route{Method: "GET", Path: "/manifest.webmanifest", Open: true, Handle: s.fixed},
		httpd.Route{Method: "GET", Path: "/app/words/{name}", Open: true, Handle: s.fixed},
		httpd.Route{Method: "GET", Path: "/app/{version}/{name...}", Open: true, Handle: s.versioned},
	)
}

func (s *Surface) page(w http.ResponseWriter, r *http.Request) error { return s.send(w, r, "/", false) }

func (s *Surface) fixed(w http.ResponseWriter, r *http.Request) error {
	return s.send(w, r, r.URL.Path, false)
}

// versioned is a file at an address with the version. A page from before an update may
// still ask for the old version: it gets the new file, and must not cache it.
func (s *Surface) versioned(w http.ResponseWriter, r *http.Request) error {
	a, err := s.assets()
	if err != nil {
		return err
	}
	return s.send(w, r, "/app/"+a.version+"/"+r.PathValue("name"), r.PathValue("version") == a.version)
}

func (s *Surface) send(w http.ResponseWriter, r *http.Request, address string, forever bool) error {
	a, err := s.assets()
	if err != nil {
		return err
	}
	f, ok := a.files[address]
	if !ok {
		return nod.Errorf(nod.NotFound, "the web app has no file %s", nod.Fold(nod.OneLine(r.URL.Path), 200))
	}
	h := w.Header()
	secure(h, standsAlone(address))
	h.Set("Content-Type", f.kind)
	h.Set("ETag", f.etag)
	h.Set("Vary", "Accept-Encoding")
	h.Set("Cache-Control", "no-cache") // cached, but revalidated each time
	if forever {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if known(r.Header.Get("If-None-Match"), f.etag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	body := f.body
	if f.zipped != nil && accepts(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		body = f.zipped
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method == http.MethodHead {
		return nil
	}
	_, err = w.Write(body)
	return err
}

// standsAlone reports whether a browser makes a page or a worker of a file, which needs
// a policy of its own. The other files are parts of a page, and half a kilobyte of
// headers on each of them would be a third of the first visit.
func standsAlone(address string) bool {
	return !strings.HasPrefix(address, "/app/") || strings.HasSuffix(address, ".svg")
}

func secure(h http.Header, alone bool) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	if !alone { // nor the headers that every other response of the hub has
		h.Del("Content-Security-Policy")
		h.Del("X-Frame-Options")
		return
	}
	h.Set("Content-Security-Policy", policy)
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), payment=(), usb=(), microphone=(self), publickey-credentials-get=(self), publickey-credentials-create=(self)")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Frame-Options", "DENY")
}

// known reports whether the browser has the file already.
func known(header, etag string) bool {
	for tag := range strings.SplitSeq(header, ",") {
		if tag = strings.TrimSpace(tag); tag == "*" || strings.TrimPrefix(tag, "W/") == etag {
			return true
		}
	}
	return false
}

// accepts reports whether a client takes an encoding; with "gzip;q=0" it does not.
func accepts(header, encoding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, quality, _ := strings.Cut(strings.TrimSpace(part), ";")
		if !strings.EqualFold(strings.TrimSpace(name), encoding) {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(quality), "q="), 64)
		return err != nil || q > 0
	}
	return false
}
