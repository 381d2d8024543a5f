package trust

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"net/http"
	"slices"
	"strings"
	"time"

	"nod/internal/present/words"
)

//go:embed page.css
var style string

// contentPolicy allows the page its one style, by its hash, and nothing else.
func contentPolicy() string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// device is one kind of device, and how to recognise it.
type device struct {
	guide words.Guide
	get   words.Message
	path  string
	marks []string // in the User-Agent of its browsers; the first device that fits counts
}

func devices() []device {
	return []device{
		{words.TrustIOS, words.GetProfile, profilePath, []string{"iPhone", "iPad"}},
		{words.TrustAndroid, words.GetCertificate, derPath, []string{"Android"}},
		{words.TrustMac, words.GetCertificate, derPath, []string{"Macintosh"}},
		{words.TrustWindows, words.GetCertificate, derPath, []string{"Windows"}},
		{words.TrustLinux, words.GetCertificate, pemPath, []string{"Linux", "X11"}},
	}
}

// ownFirst puts the caller's device in front, and says whether it was recognised.
func ownFirst(list []device, agent string) ([]device, bool) {
	for i, d := range list {
		if slices.ContainsFunc(d.marks, func(mark string) bool { return strings.Contains(agent, mark) }) {
			return slices.Insert(slices.Delete(list, i, i+1), 0, d), true
		}
	}
	return list, false
}

// builder writes the page.
type builder struct {
	strings.Builder
	say words.Printer
}

func (s *Surface) page(w http.ResponseWriter, r *http.Request) error {
	p := &builder{say: say(r)}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", s.policy)
	w.Header().Set("Vary", "Accept-Language, User-Agent")
	title := words.TrustTitle
	if s.ca == nil {
		title = words.TrustNone
		w.WriteHeader(http.StatusNotFound)
	}
	p.open(title)
	if s.ca == nil {
		p.put("p", "lead", words.TrustAbsent)
	} else {
		p.body(s.ca, r)
	}
	p.WriteString("</main>\n")
	_, err := w.Write([]byte(p.String()))
	return err
}

func (p *builder) open(title words.Message) {
	lang := map[words.Lang]string{words.Polish: "pl", words.Japanese: "ja"}[p.say.Lang()]
	if lang == "" {
		lang = "en"
	}
	fmt.Fprintf(p, "<!doctype html>\n<html lang=%q>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"+
		"<meta name=\"color-scheme\" content=\"light dark\">\n<title>%s · nod</title>\n<style>%s</style>\n<main>\n<p class=\"sign\">nod</p>\n",
		lang, html.EscapeString(p.say.Say(title)), style)
	p.put("h1", "", title)
}

func (p *builder) body(ca *CA, r *http.Request) {
	p.put("p", "lead", words.TrustLead)

	p.WriteString("<section>\n")
	p.put("h2", "", words.TrustCompare)
	p.WriteString("<p class=\"print\">")
	for _, row := range fingerprint(ca.DER) {
		p.WriteString("<code>" + row + "</code> ")
	}
	p.WriteString("</p>\n")
	p.put("p", "", words.TrustPrint)
	p.put("p", "quiet", words.TrustBounds, ca.Name, ca.Expires.Format(time.DateOnly))
	p.WriteString("</section>\n<section>\n")
	p.put("h2", "", words.TrustDevice)
	list, known := ownFirst(devices(), r.UserAgent())
	for i, d := range list {
		p.guide(d, ca.Name, known && i == 0)
	}
	p.WriteString("</section>\n")

	hub := "/"
	if r.TLS == nil { // plain HTTP is fine for this page only
		hub = "https://" + r.Host + "/"
	}
	fmt.Fprintf(p, "<p class=\"done\"><a class=\"button\" href=%q>%s</a></p>\n", html.EscapeString(hub), html.EscapeString(p.say.Say(words.TrustOpen)))
	p.put("p", "quiet", words.TrustUndo, ca.Name)
}

func (p *builder) guide(d device, name string, open bool) {
	state := ""
	if open {
		state = " open"
	}
	fmt.Fprintf(p, "<details name=\"device\"%s><summary>%s</summary>\n<p><a class=\"button\" href=%q>%s</a></p>\n<ol>\n",
		state, html.EscapeString(p.say.Say(d.guide.Title)), d.path, html.EscapeString(p.say.Say(d.get)))
	for _, step := range d.guide.Steps {
		if strings.Contains(step.EN, "%s") {
			p.put("li", "", step, name)
		} else {
			p.put("li", "", step)
		}
	}
	p.WriteString("</ol></details>\n")
}

// put writes an element with a message in it.
func (p *builder) put(tag, class string, m words.Message, args ...any) {
	if class != "" {
		class = ` class="` + class + `"`
	}
	fmt.Fprintf(p, "<%s%s>%s</%s>\n", tag, class, rich(p.say.Say(m, args...)), tag)
}

// rich escapes a text; *labels* become bold and `input` becomes code.
func rich(text string) string {
	text = html.EscapeString(text)
	return mark(mark(text, "*", "b"), "`", "code")
}

// mark puts what is between two signs into an element.
func mark(text, sign, tag string) string {
	parts := strings.Split(text, sign)
	if len(parts)%2 == 0 {
		return text // one sign too many: better none than half
	}
	for i := 1; i < len(parts); i += 2 {
		parts[i] = "<" + tag + ">" + parts[i] + "</" + tag + ">"
	}
	return strings.Join(parts, "")
}

// fingerprint is the SHA-256 in four rows, which are easy to compare.
func fingerprint(der []byte) [4]string {
	sum := sha256.Sum256(der)
	var rows [4]string
	for i := range rows {
		rows[i] = strings.ReplaceAll(fmt.Sprintf("% X", sum[8*i:8*i+8]), " ", ":")
	}
	return rows
}
