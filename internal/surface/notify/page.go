package notify

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"net/http"
	"strings"

	"nod"
	v1 "nod/internal/client/v1"
	"nod/internal/net/httpd"
	"nod/internal/net/notify"
	"nod/internal/present/words"
)

//go:embed page.css
var style string

// pagePolicy allows the page its one style, by its hash, and to send its form to this
// hub.
func pagePolicy() string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
}

// page is what a link shows, in the language of its owner.
type page struct {
	voice notify.Voice
	lang  string
}

func (s *Surface) page(r *http.Request, t *target) page {
	v := notify.Voice{Say: words.Accept(r.Header.Get("Accept-Language")), Content: notify.None, Now: s.Now()}
	if t != nil {
		v = s.voice(t)
	}
	return page{voice: v, lang: map[words.Lang]string{words.English: "en", words.Polish: "pl", words.Japanese: "ja"}[v.Say.Lang()]}
}

// question asks once more, with what is asked.
func (p page) question(w http.ResponseWriter, o outcome) error {
	n := p.voice.Note(notify.Item{Key: "link", Requests: []*nod.Request{o.request}})
	title, b := words.LinkDeny, p.voice.Button(o.verdict)
	if o.verdict == nod.VerdictAllow {
		title = words.LinkAllow
	}
	var body strings.Builder
	fmt.Fprintf(&body, "<p>%s</p>\n<pre>%s</pre>\n", html.EscapeString(n.Title), html.EscapeString(n.Body))
	fmt.Fprintf(&body, "<form method=\"post\"><button class=%q>%s</button></form>\n", string(o.verdict), html.EscapeString(b.Label))
	fmt.Fprintf(&body, "<p class=\"quiet\">%s</p>\n", html.EscapeString(p.voice.Say.Say(words.LinkOnce)))
	return p.write(w, http.StatusOK, p.voice.Say.Say(title), body.String())
}

// result answers with the outcome: as a page to browsers, as JSON to others.
func (p page) result(w http.ResponseWriter, r *http.Request, o outcome) error {
	said := o.say(p.voice)
	if o.err == nil {
		if !wantsPage(r) {
			return httpd.JSON(w, http.StatusOK, map[string]any{"verdict": o.verdict, "message": said})
		}
		return p.write(w, http.StatusOK, said, p.open())
	}
	status := httpd.StatusOf(o.err)
	if !wantsPage(r) {
		return httpd.JSON(w, status, v1.Failure{Error: v1.Error{Code: nod.CodeOf(o.err), Message: said}})
	}
	body := ""
	if status == http.StatusGone {
		body = "<p>" + html.EscapeString(p.voice.Say.Say(words.LinkDeadBody)) + "</p>\n"
	}
	return p.write(w, status, said, body+p.open())
}

// refusal leaves the link usable.
func (p page) refusal(w http.ResponseWriter, r *http.Request, status int, title, why words.Message) error {
	if !wantsPage(r) {
		return httpd.JSON(w, status, v1.Failure{Error: v1.Error{Code: nod.Forbidden, Message: p.voice.Say.Say(why)}})
	}
	return p.write(w, status, p.voice.Say.Say(title), "<p>"+html.EscapeString(p.voice.Say.Say(why))+"</p>\n"+p.open())
}

func (p page) open() string {
	return "<p><a class=\"button\" href=\"/\">" + html.EscapeString(p.voice.Say.Say(words.NoteOpen)) + "</a></p>\n"
}

func wantsPage(r *http.Request) bool { return strings.Contains(r.Header.Get("Accept"), "text/html") }

func (p page) write(w http.ResponseWriter, status int, title, body string) error {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", pagePolicy())
	w.Header().Set("X-Robots-Tag", "noindex")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, "<!doctype html>\n<html lang=%q>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"+
		"<title>%s · nod</title>\n<style>%s</style>\n<main>\n<p class=\"sign\">nod</p>\n<h1>%s</h1>\n%s</main>\n",
		p.lang, html.EscapeString(title), style, html.EscapeString(title), body) // an error means that the client has gone
	return nil
}
