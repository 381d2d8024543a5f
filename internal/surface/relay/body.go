package relay

import (
	"bytes"
	"encoding/json"
	"math"
	"mime"
	"net/http"
	"strings"
	"unicode/utf16"

	"nod"
	"nod/internal/net/httpd"
)

// mostBody is the original's limit: 100 kB.
const mostBody = 100 << 10

// fields is a body as the original sees it: an object whose values may be of any type.
// Each is read in the way that does the least harm.
type fields map[string]json.RawMessage

// readBody reads a body. One whose Content-Type is not JSON counts as empty, and so does
// a list.
func readBody(w http.ResponseWriter, r *http.Request) (fields, int) {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" || r.Body == nil || r.Body == http.NoBody {
		return fields{}, 0
	}
	if !plainly(params["charset"], "utf-8") || !plainly(r.Header.Get("Content-Encoding"), "identity") {
		return nil, http.StatusUnsupportedMediaType
	}
	r.Body = http.MaxBytesReader(w, r.Body, mostBody)
	body, err := httpd.ReadBody(w, r)
	switch {
	case nod.CodeOf(err) == nod.TooLarge && err != nil:
		return nil, http.StatusRequestEntityTooLarge
	case err != nil:
		return nil, http.StatusBadRequest
	}
	f, ok := parseFields(body)
	if !ok {
		return nil, http.StatusBadRequest
	}
	return f, 0
}

func plainly(said, usual string) bool { return said == "" || strings.EqualFold(said, usual) }

// parseFields is false for what is neither an object nor a list.
func parseFields(body []byte) (fields, bool) {
	if len(body) == 0 {
		return fields{}, true
	}
	text := bytes.TrimLeft(body, " \t\r\n")
	if len(text) == 0 || text[0] != '{' && text[0] != '[' || !json.Valid(body) {
		return nil, false
	}
	f := fields{}
	if text[0] == '[' {
		return f, true
	}
	return f, json.Unmarshal(body, &f) == nil
}

// text is a field that should be a string. A number is its digits; anything else counts
// as missing.
func (f fields) text(name string) string {
	var value any
	if json.Unmarshal(f[name], &value) != nil {
		return ""
	}
	switch v := value.(type) {
	case string:
		return v
	case float64, bool:
		return string(f[name])
	}
	return ""
}

// word is a field that counts only as a string.
func (f fields) word(name string) string {
	var text string
	if json.Unmarshal(f[name], &text) != nil {
		return ""
	}
	return text
}

// number is a field that counts only as a JSON number.
func (f fields) number(name string) (float64, bool) {
	raw := bytes.TrimSpace(f[name])
	if len(raw) == 0 || raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
		return 0, false
	}
	var n float64
	if json.Unmarshal(raw, &n) != nil {
		return math.Inf(1), true // a number that is too large for any use
	}
	return n, true
}

// is reports whether a field is exactly true or exactly false.
func (f fields) is(name string, want bool) bool {
	var got bool
	raw := bytes.TrimSpace(f[name])
	return len(raw) > 0 && raw[0] != 'n' && json.Unmarshal(raw, &got) == nil && got == want
}

// object is a field that is an object; anything else counts as empty.
func (f fields) object(name string) fields {
	inner := fields{}
	if json.Unmarshal(f[name], &inner) != nil {
		return fields{}
	}
	return inner
}

// units is the length of a text as JavaScript counts it.
func units(s string) int { return len(utf16.Encode([]rune(s))) }
