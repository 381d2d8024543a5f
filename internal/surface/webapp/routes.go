// Package webapp serves the web app. It has no door of its own into the hub:
// the page uses the public API, as everyone does.
package webapp

import (
	"net/http"
	"strconv"
	"strings"
	"sync"

	"nod"
	"nod/internal/net/httpd"
)

// policy lets the page load what is ours and nothing else, and makes markup
// from strings impossible outside of one place in the app.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"manifest-src 'self'; worker-src 'self'; font-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types nod"

// pages are the addresses that are the app; which screen, it finds itself.
var pages = [...]string{"/{$}", "/agents", "/agents/{id}", "/history", "/settings", "/device", "/keyboard", "/puck", "/pair"}

type surface struct {
	book func() (*assets, error)
}

// Routes are all doors of the surface. They are open: the app holds no secret,
// and what it shows it gets from the API, which asks who is there.
func Routes() []httpd.Route {
	s := &surface{book: sync.OnceValues(func() (*assets, error) { return bind(source()) })}
	var routes []httpd.Route
	for _, path := range pages {
		// A link from elsewhere may lead here; nothing happens by that.
		routes = append(routes, httpd.Route{Method: "GET", Path: path, Open: true, CrossSite: true, Handle: s.page})
	}
	return append(routes,
		httpd.Route{Method: "GET", Path: "/sw.js", Open: true, Handle: s.fixed},
		httpd.Route{Method: "GET", Path: "/manifest.webmanifest", Open: true, Handle: s.fixed},
		httpd.Route{Method: "GET", Path: "/app/words/{name}", Open: true, Handle: s.fixed},
		httpd.Route{Method: "GET", Path: "/app/{version}/{name...}", Open: true, Handle: s.asset},
	)
}

func (s *surface) page(w http.ResponseWriter, r *http.Request) error { return s.send(w, r, "/", false) }

func (s *surface) fixed(w http.ResponseWriter, r *http.Request) error {
	return s.send(w, r, r.URL.Path, false)
}

// asset is a file under its version. A page that was loaded before the hub was
// updated may still ask for an old one: it gets the new file, and must not keep
// it under the old name.
func (s *surface) asset(w http.ResponseWriter, r *http.Request) error {
	b, err := s.book()
	if err != nil {
		return err
	}
	return s.send(w, r, "/app/"+b.version+"/"+r.PathValue("name"), r.PathValue("version") == b.version)
}

func (s *surface) send(w http.ResponseWriter, r *http.Request, address string, forever bool) error {
	b, err := s.book()
	if err != nil {
		return err
	}
	f, ok := b.files[address]
	if !ok {
		return nod.Errorf(nod.NotFound, "the web app has no file %s", nod.Fold(nod.OneLine(r.URL.Path), 200))
	}
	h := w.Header()
	secure(h, stands(address))
	h.Set("Content-Type", f.kind)
	h.Set("ETag", f.etag)
	h.Set("Vary", "Accept-Encoding")
	h.Set("Cache-Control", "no-cache") // kept, but asked for each time
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

// stands reports whether a browser makes a page or a worker of a file, to which
// a policy of its own applies. The others are parts of such a page, and half a
// kilobyte of headers on each of them would be a third of the first visit.
func stands(address string) bool {
	return !strings.HasPrefix(address, "/app/") || strings.HasSuffix(address, ".svg")
}

func secure(h http.Header, alone bool) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	if !alone { // nor what every other answer of the hub has: a part of a page is in no frame, and has no policy
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

// accepts reports whether an encoding is welcome; "gzip;q=0" is not.
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
