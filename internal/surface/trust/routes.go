// Package trust serves the hub's own CA, and a page that says how a device can trust it.
// Both are open: a certificate is no secret, and a device that needs them has no
// credential yet.
package trust

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"html"
	"net/http"
	"strings"
	"time"

	"nod"
	"nod/internal/net/httpd"
	"nod/internal/present/words"
)

// CA is what there is to trust.
type CA struct {
	DER     []byte
	Name    string // as devices list it
	Expires time.Time
}

// The paths. The same certificate has several, because systems go by the ending.
const (
	pagePath    = "/trust"
	pemPath     = "/PromptRelay-CA.pem"
	shortPath   = "/ca.pem"
	derPath     = "/PromptRelay-CA.crt"
	profilePath = "/PromptRelay-CA.mobileconfig"
)

// Paths may be answered without TLS: nothing on them is secret, and people should not
// have to dismiss a warning in order to get rid of it.
func Paths() []string { return []string{pagePath, pemPath, shortPath, derPath, profilePath} }

// Surface is the page and the certificate in its forms.
type Surface struct {
	ca     *CA
	policy string // of the page's content
}

// New serves a CA; nil: the hub has none of its own, and every path says so.
func New(ca *CA) *Surface { return &Surface{ca: ca, policy: contentPolicy()} }

// Routes are all endpoints.
func (s *Surface) Routes() []httpd.Route {
	handlers := map[string]httpd.Handler{pagePath: s.page, pemPath: s.pem, shortPath: s.pem, derPath: s.der, profilePath: s.profile}
	var routes []httpd.Route
	for _, path := range Paths() {
		routes = append(routes, httpd.Route{Method: "GET", Path: path, Open: true, CrossSite: true, Handle: handlers[path]})
	}
	return routes
}

// say speaks the language of the caller.
func say(r *http.Request) words.Printer { return words.Accept(r.Header.Get("Accept-Language")) }

func (s *Surface) absent(r *http.Request) error {
	return nod.Errorf(nod.NotFound, "%s", say(r).Say(words.TrustAbsent))
}

const certType = "application/x-x509-ca-cert"

func (s *Surface) pem(w http.ResponseWriter, r *http.Request) error {
	if s.ca == nil {
		return s.absent(r)
	}
	return send(w, certType, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.ca.DER}))
}

// der is for Android, which wants a file, and for Windows and macOS, which open it by
// its ending.
func (s *Surface) der(w http.ResponseWriter, r *http.Request) error {
	if s.ca == nil {
		return s.absent(r)
	}
	w.Header().Set("Content-Disposition", `attachment; filename="`+derPath[1:]+`"`)
	return send(w, certType, s.ca.DER)
}

// profile is how Apple wants it: some versions of Safari show a bare certificate as a web
// page.
func (s *Surface) profile(w http.ResponseWriter, r *http.Request) error {
	if s.ca == nil {
		return s.absent(r)
	}
	sum := sha256.Sum256(s.ca.DER)
	name := html.EscapeString(s.ca.Name)
	entry := func(id, kind, more string, uuid []byte) string {
		return fmt.Sprintf("<key>PayloadDisplayName</key><string>%s</string>\n<key>PayloadIdentifier</key><string>%s.%x</string>\n"+
			"<key>PayloadType</key><string>%s</string>\n<key>PayloadUUID</key><string>%s</string>\n<key>PayloadVersion</key><integer>1</integer>\n%s",
			name, id, sum[:8], kind, uuidOf(uuid), more)
	}
	content := fmt.Sprintf("<key>PayloadCertificateFileName</key><string>%s</string>\n<key>PayloadContent</key><data>%s</data>\n", derPath[1:], base64.StdEncoding.EncodeToString(s.ca.DER))
	inner := "<key>PayloadContent</key><array><dict>\n" + entry("nod.ca.certificate", "com.apple.security.root", content, sum[:16]) + "</dict></array>\n" +
		"<key>PayloadDescription</key><string>" + html.EscapeString(say(r).Say(words.TrustProfile)) + "</string>\n<key>PayloadOrganization</key><string>nod</string>\n"
	return send(w, "application/x-apple-aspen-config", []byte(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
`+entry("nod.ca", "Configuration", inner, sum[16:])+"</dict></plist>\n"))
}

// uuidOf gives the same certificate the same profile, so that installing it again
// replaces it.
func uuidOf(b []byte) string {
	return strings.ToUpper(fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:16]))
}

func send(w http.ResponseWriter, kind string, body []byte) error {
	w.Header().Set("Content-Type", kind)
	_, err := w.Write(body)
	return err
}
