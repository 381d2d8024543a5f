package relay

import (
	"bytes"
	"crypto/sha1" //nolint:gosec // an ETag tells versions apart and protects nothing
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"strconv"
)

// failure is an error on this wire.
type failure struct {
	Error string `json:"error"`
}

type done struct {
	OK bool `json:"ok"`
}

// encode is JSON as JavaScript writes it: <, > and & as they are.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return []byte(`{"error":"this cannot be told"}`) // our own types always can
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

func (c *call) json(status int, v any) { c.answer(status, encode(v)) }

func (c *call) fail(status int, text string) { c.json(status, failure{text}) }

// answer sends JSON with the headers of the original: its length, and a weak ETag, so
// that a polling client learns that nothing has changed.
func (c *call) answer(status int, body []byte) {
	h := c.w.Header()
	tag := etag(body)
	h.Set("ETag", tag)
	reads := c.r.Method == http.MethodGet || c.r.Method == http.MethodHead
	if reads && status == http.StatusOK && c.r.Header.Get("If-None-Match") == tag {
		c.w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	c.w.WriteHeader(status)
	if c.r.Method != http.MethodHead {
		_, _ = c.w.Write(body) // an error means that the client has gone
	}
}

func etag(body []byte) string {
	sum := sha1.Sum(body) //nolint:gosec // see above
	return fmt.Sprintf(`W/"%x-%s"`, len(body), base64.StdEncoding.EncodeToString(sum[:])[:27])
}

// page is an error as the original's framework shows it: HTML.
func (c *call) page(status int, text string) {
	body := "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Error</title>\n</head>\n<body>\n<pre>" +
		html.EscapeString(text) + "</pre>\n</body>\n</html>\n"
	h := c.w.Header()
	h.Set("Content-Security-Policy", "default-src 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	c.w.WriteHeader(status)
	if c.r.Method != http.MethodHead {
		_, _ = c.w.Write([]byte(body))
	}
}

// nowhere answers for an unknown path.
func (c *call) nowhere() {
	c.page(http.StatusNotFound, "Cannot "+c.r.Method+" "+c.r.URL.EscapedPath())
}
