package trust

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"encoding/xml"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/net/httpd"
)

var ours = &CA{DER: []byte("not looked at here"), Name: `nod on <desk> "a1"`, Expires: time.Date(2036, 11, 12, 0, 0, 0, 0, time.UTC)}

func ask(ca *CA, path string, headers ...string) *httptest.ResponseRecorder {
	gate := &httpd.Gate{Allow: func(context.Context, nod.Actor, nod.Right, string) error { return nil }}
	mux := httpd.Mux(gate, slog.New(slog.DiscardHandler), New(ca).Routes()...)
	r := httptest.NewRequest("GET", "https://desk.local:8742"+path, nil)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, r)
	return w
}

func TestEverySystemGetsTheCAAsItLikesIt(t *testing.T) {
	for _, path := range []string{"/PromptRelay-CA.pem", "/ca.pem"} {
		w := ask(ours, path, "Sec-Fetch-Site", "cross-site")
		block, rest := pem.Decode(w.Body.Bytes())
		if w.Code != 200 || w.Header().Get("Content-Type") != "application/x-x509-ca-cert" || block == nil || len(rest) > 0 || block.Type != "CERTIFICATE" || !bytes.Equal(block.Bytes, ours.DER) {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	w := ask(ours, "/PromptRelay-CA.crt")
	if !bytes.Equal(w.Body.Bytes(), ours.DER) || !strings.Contains(w.Header().Get("Content-Disposition"), "PromptRelay-CA.crt") {
		t.Errorf("%v %s", w.Header(), w.Body)
	}
}

func TestApplesProfileIsWellFormed(t *testing.T) {
	w := ask(ours, "/PromptRelay-CA.mobileconfig", "Accept-Language", "pl")
	if w.Header().Get("Content-Type") != "application/x-apple-aspen-config" {
		t.Error(w.Header())
	}
	body := w.Body.String()
	for d := xml.NewDecoder(strings.NewReader(body)); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("%v\n%s", err, body)
		}
	}
	for _, want := range []string{
		"<string>com.apple.security.root</string>", "<string>Configuration</string>", "bez ostrzeżeń",
		"<data>" + base64.StdEncoding.EncodeToString(ours.DER) + "</data>", "nod on &lt;desk&gt;",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("%s lacks in\n%s", want, body)
		}
	}
	ids := regexp.MustCompile(`[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}`).FindAllString(body, -1)
	if len(ids) != 2 || ids[0] == ids[1] {
		t.Error(ids)
	}
}

func TestThePageSpeaksToThePersonAndTheirDevice(t *testing.T) {
	for _, tt := range []struct{ lang, agent, title, first string }{
		{"en", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)", "Trust this hub", "iPhone and iPad"},
		{"pl-PL,pl;q=0.9", "Mozilla/5.0 (Linux; Android 15)", "Zaufaj temu hubowi", "Android"},
		{"ja", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", "このハブを信頼する", "Mac"},
		{"de", "Mozilla/5.0 (Windows NT 10.0)", "Trust this hub", "Windows"},
		{"", "Mozilla/5.0 (X11; Linux x86_64)", "Trust this hub", "Linux"},
	} {
		body := ask(ours, "/trust", "Accept-Language", tt.lang, "User-Agent", tt.agent).Body.String()
		_, after, _ := strings.Cut(body, `<details name="device" open><summary>`)
		if !strings.Contains(body, "<h1>"+tt.title+"</h1>") || !strings.HasPrefix(after, tt.first+"<") || strings.Count(body, "<details") != 5 || strings.Count(body, " open>") != 1 {
			t.Errorf("%v:\n%s", tt, body)
		}
		if strings.Contains(body, "%!") || strings.Contains(body, "<desk>") || strings.ContainsAny(strings.ReplaceAll(body, style, ""), "*`") {
			t.Errorf("%v: a message that is not filled in, or not escaped:\n%s", tt, body)
		}
	}
	if body := ask(ours, "/trust", "User-Agent", "curl").Body.String(); strings.Contains(body, " open>") {
		t.Error("an unknown device was recognised")
	}
}

func TestThePageShowsTheFingerprint(t *testing.T) {
	body := ask(ours, "/trust").Body.String()
	sum := sha256.Sum256(ours.DER)
	var shown strings.Builder
	for _, row := range regexp.MustCompile(`<code>([0-9A-F:]{23})</code>`).FindAllStringSubmatch(body, -1) {
		shown.WriteString(strings.ReplaceAll(row[1], ":", ""))
	}
	if !strings.EqualFold(shown.String(), hex.EncodeToString(sum[:])) {
		t.Errorf("%s\n%s", shown.String(), body)
	}
}

// No script, nothing from elsewhere, and the one style is the one that is allowed.
func TestThePageIsStrict(t *testing.T) {
	w := ask(ours, "/trust")
	policy, body := w.Header().Get("Content-Security-Policy"), w.Body.String()
	_, inner, _ := strings.Cut(body, "<style>")
	inner, _, _ = strings.Cut(inner, "</style>")
	sum := sha256.Sum256([]byte(inner))
	if !strings.Contains(policy, "style-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'") || !strings.HasPrefix(policy, "default-src 'none';") || strings.Contains(policy, "unsafe") {
		t.Error(policy)
	}
	if strings.Contains(body, "<script") || strings.Contains(body, "style=") || regexp.MustCompile(`(src|href)="(https?:)?//`).MatchString(body) {
		t.Error(body)
	}
}

func TestAHubWithoutACASaysSoInThePersonsLanguage(t *testing.T) {
	for _, path := range Paths() {
		w := ask(nil, path, "Accept-Language", "pl")
		if w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), "nie ma czemu ufać") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}
