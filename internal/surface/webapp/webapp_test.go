package webapp

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"strings"
	"testing"

	"nod/internal/net/httpd"
	"nod/internal/present/words"
	"nod/web"
)

// serve serves only the web app, through the gate that all routes go through.
func serve(t *testing.T) http.Handler {
	t.Helper()
	return httpd.Mux(&httpd.Gate{}, slog.New(slog.DiscardHandler), New().Routes()...)
}

func get(t *testing.T, h http.Handler, address string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, address, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func loaded(t *testing.T) *assets {
	t.Helper()
	b, err := load(web.Files)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestOnlyAppPathsServeThePage(t *testing.T) {
	h := serve(t)
	for _, address := range []string{"/", "/agents", "/agents/abc", "/history", "/settings", "/pair"} {
		w := get(t, h, address, "Sec-Fetch-Site", "cross-site") // a link in a mail
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "<!doctype html>") {
			t.Errorf("%s: %d, no page", address, w.Code)
		}
	}
	for _, address := range []string{"/nothing", "/agents/a/b", "/v1/nothing", "/app/x/nothing.js", "/app/words/de.json", "/index.html", "/app/x/../sw.js"} {
		if w := get(t, h, address); w.Code != http.StatusNotFound && w.Code/100 != 3 {
			t.Errorf("%s: %d, want nothing there", address, w.Code)
		}
	}
	if w := get(t, h, "/app/words/en.json", "Sec-Fetch-Site", "cross-site"); w.Code != http.StatusForbidden {
		t.Errorf("another site got the words: %d", w.Code)
	}
}

func TestSecurityHeaders(t *testing.T) {
	h, b := serve(t), loaded(t)
	for address := range b.files {
		w := get(t, h, address)
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin"} {
			if got := w.Header().Get(name); got != want {
				t.Errorf("%s: %s is %q", address, name, got)
			}
		}
		if kind := w.Header().Get("Content-Type"); kind == "application/octet-stream" || kind == "" {
			t.Errorf("%s: what is it? %q", address, kind)
		}
		if strings.HasPrefix(address, "/app/") && !strings.HasSuffix(address, ".svg") {
			continue // a part of the page, under the page's own policy
		}
		csp := w.Header().Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none'", "script-src 'self';", "frame-ancestors 'none'", "require-trusted-types-for 'script'", "base-uri 'none'"} {
			if !strings.Contains(csp, part) {
				t.Errorf("%s: the policy lacks %s", address, part)
			}
		}
		if strings.Contains(csp, "unsafe") || strings.Contains(csp, "http") {
			t.Errorf("%s: too much is allowed: %s", address, csp)
		}
		for name, want := range map[string]string{"Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY"} {
			if got := w.Header().Get(name); got != want {
				t.Errorf("%s: %s is %q", address, name, got)
			}
		}
	}
}

// The policy forbids inline scripts and styles; nothing may rely on them.
func TestThePageHasNoInlineScriptOrStyle(t *testing.T) {
	page := string(loaded(t).files["/"].body)
	for _, bad := range []string{"<style", " style=", " onclick", "javascript:", "http://", "https://"} {
		if strings.Contains(page, bad) {
			t.Errorf("index.html has %q", bad)
		}
	}
	if regexp.MustCompile(`<script[^>]*>[^<]`).MatchString(page) {
		t.Error("index.html has an inline script")
	}
}

func TestCacheHeaders(t *testing.T) {
	h, b := serve(t), loaded(t)
	asset := "/app/" + b.version + "/app.js"
	if got := get(t, h, asset).Header().Get("Cache-Control"); !strings.Contains(got, "immutable") {
		t.Errorf("a versioned file: %q", got)
	}
	for _, address := range []string{"/", "/sw.js", "/manifest.webmanifest", "/app/words/pl.json", "/app/older/app.js"} {
		if got := get(t, h, address).Header().Get("Cache-Control"); got != "no-cache" {
			t.Errorf("%s: %q, want no-cache", address, got)
		}
	}
	tag := get(t, h, "/").Header().Get("ETag")
	if w := get(t, h, "/", "If-None-Match", `"x", W/`+tag); w.Code != http.StatusNotModified || w.Body.Len() != 0 {
		t.Errorf("known already: %d with %d bytes", w.Code, w.Body.Len())
	}
	if w := get(t, h, "/", "If-None-Match", `"x"`); w.Code != http.StatusOK {
		t.Errorf("something else known: %d", w.Code)
	}
}

func TestVersionDependsOnEveryByte(t *testing.T) {
	a := versionOf(map[string][]byte{"a": []byte("1"), "b": []byte("2")})
	for _, other := range []map[string][]byte{{"a": []byte("1"), "b": []byte("3")}, {"a": []byte("1"), "c": []byte("2")}, {"a": []byte("1"), "b": []byte("2"), "c": nil}} {
		if versionOf(other) == a {
			t.Errorf("%q has the version of another", other)
		}
	}
}

func TestCompressionIsNegotiated(t *testing.T) {
	h := serve(t)
	for header, want := range map[string]string{"gzip, br": "gzip", "br, gzip;q=0.5": "gzip", "": "", "gzip;q=0": "", "br": ""} {
		w := get(t, h, "/", "Accept-Encoding", header)
		if got := w.Header().Get("Content-Encoding"); got != want {
			t.Errorf("%q: encoding %q, want %q", header, got, want)
		}
		body := io.Reader(bytes.NewReader(w.Body.Bytes()))
		if want == "gzip" {
			z, err := gzip.NewReader(body)
			if err != nil {
				t.Fatal(err)
			}
			body = z
		}
		page, err := io.ReadAll(body)
		if err != nil || !strings.Contains(string(page), "</html>") {
			t.Errorf("%q: %v, %d bytes", header, err, len(page))
		}
	}
}

// The first load is everything that is fetched before the inbox is drawn.
func TestTheFirstLoadIsLight(t *testing.T) {
	b := loaded(t)
	page := b.files["/"]
	total := weight(page)
	for _, m := range regexp.MustCompile(`(?:href|src)="([^"]+)"`).FindAllSubmatch(page.body, -1) {
		address := string(m[1])
		f, ok := b.files[address]
		if !ok {
			t.Errorf("the page wants %s, which is not there", address)
			continue
		}
		if !strings.HasSuffix(address, "apple.png") {
			total += weight(f)
		}
	}
	for _, lang := range languages {
		w := weight(b.files["/app/words/"+lang+".json"])
		t.Logf("first load in %s: %.1f kB compressed", lang, float64(total+w)/1000)
		if total+w > 100_000 {
			t.Errorf("the first load weighs %d bytes, more than 100 kB", total+w)
		}
	}
}

func weight(f file) int {
	if f.zipped != nil {
		return len(f.zipped)
	}
	return len(f.body)
}

func TestEveryImportIsThere(t *testing.T) {
	raw := modules(t)
	anyImport := regexp.MustCompile(`(?:from |import\()"([^"]+)"|^import "([^"]+)"`)
	for name, body := range raw {
		for _, m := range anyImport.FindAllSubmatch(body, -1) {
			target := path.Join(path.Dir(name), string(m[1])+string(m[2]))
			if _, ok := raw[target]; !ok {
				t.Errorf("%s imports %s, which is not there", name, target)
			}
		}
	}
	found := firstModules(raw)
	for _, must := range []string{"app.js", "js/shell.js", "js/elements/card.js", "js/screens/inbox.js"} {
		if !strings.Contains(" "+strings.Join(found, " ")+" ", " "+must+" ") {
			t.Errorf("%s is not among the first modules", must)
		}
	}
}

// modules are the app's scripts by name.
func modules(t *testing.T) map[string][]byte {
	t.Helper()
	b := loaded(t)
	raw := map[string][]byte{}
	for address, f := range b.files {
		if name, ok := strings.CutPrefix(address, "/app/"+b.version+"/"); ok && strings.HasSuffix(name, ".js") {
			raw[name] = f.body
		}
	}
	return raw
}

func TestServiceWorkerCachesEverything(t *testing.T) {
	b := loaded(t)
	worker := string(b.files["/sw.js"].body)
	for address := range b.files {
		fixed := address == "/" || address == "/sw.js" || address == "/manifest.webmanifest"
		if !fixed && !strings.Contains(worker, `"`+address+`"`) {
			t.Errorf("the service worker does not keep %s", address)
		}
	}
	for _, f := range b.files {
		if bytes.Contains(f.body, []byte(versionMark)) {
			t.Errorf("a mark is left: %.80s", f.body)
		}
	}
}

// Every text that the app asks for exists in every language.
func TestEveryTextKeyExists(t *testing.T) {
	asked := regexp.MustCompile(`\bt\("([a-z][A-Za-z0-9_.]*)"`)
	for _, lang := range languages {
		l, ok := words.WebLang(lang)
		if !ok {
			t.Fatalf("no language %s", lang)
		}
		texts := words.Web(l)
		for name, body := range modules(t) {
			for _, m := range asked.FindAllSubmatch(body, -1) {
				if _, there := texts[string(m[1])]; !there {
					t.Errorf("%s asks for %q, which does not exist in %s", name, m[1], lang)
				}
			}
		}
		var served map[string]any
		if err := json.Unmarshal(get(t, serve(t), "/app/words/"+lang+".json").Body.Bytes(), &served); err != nil || len(served) != len(texts) {
			t.Errorf("%s: %d of %d words are served (%v)", lang, len(served), len(texts), err)
		}
	}
}
