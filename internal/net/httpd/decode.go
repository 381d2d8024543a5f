package httpd

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"nod"
)

// bodyTimeout limits how long a client may take to send a body.
const bodyTimeout = 30 * time.Second

// ReadBody reads a whole body: within the route's limit and bodyTimeout, as valid
// UTF-8.
func ReadBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	rc := http.NewResponseController(w)
	_ = rc.SetReadDeadline(time.Now().Add(bodyTimeout)) // writers in tests may not support it
	body, err := io.ReadAll(r.Body)
	_ = rc.SetReadDeadline(time.Time{}) // a handler may wait for a person after this
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, nod.Errorf(nod.TooLarge, "the body is larger than the %d bytes that are accepted here", large.Limit)
	case err != nil:
		return nil, nod.Errorf(nod.Invalid, "the body did not arrive whole").Because(err)
	case !utf8.Valid(body):
		return nil, nod.Errorf(nod.Invalid, "the body holds bytes that are not text (UTF-8)")
	}
	return body, nil
}

// Decode reads a body with one JSON object into v, a pointer to a struct. Fields
// that v does not have are an error.
func Decode(w http.ResponseWriter, r *http.Request, v any) error {
	if err := wantJSON(r.Header.Get("Content-Type")); err != nil {
		return err
	}
	body, err := ReadBody(w, r)
	if err != nil {
		return err
	}
	return Strict(body, v)
}

func wantJSON(header string) error {
	kind, params, err := mime.ParseMediaType(header)
	if err != nil || kind != "application/json" {
		return nod.Errorf(nod.Invalid, "send JSON, with the header Content-Type: application/json")
	}
	if charset := params["charset"]; charset != "" && !strings.EqualFold(charset, "utf-8") {
		return nod.Errorf(nod.Invalid, "send JSON in UTF-8, not in %q", charset)
	}
	return nil
}

// Strict reads one JSON object into v and refuses anything else.
func Strict(body []byte, v any) error {
	if len(bytes.TrimSpace(body)) == 0 {
		return nod.Errorf(nod.Invalid, "the body is empty; a JSON object is expected")
	}
	if err := checkStructure(body, v); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return explain(err)
	}
	return nil
}

// explain rewrites the decoder's errors for the client.
func explain(err error) error {
	var ours *nod.Error
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &ours):
		return ours
	case errors.As(err, &kind) && kind.Field != "":
		return nod.Errorf(nod.Invalid, "the field %q cannot be a %s", kind.Field, kind.Value).Because(err)
	case strings.HasPrefix(err.Error(), unknownField):
		// The standard library has no type for this error; the name is already quoted.
		return nod.Errorf(nod.Invalid, "unknown field %s", strings.TrimPrefix(err.Error(), unknownField)).Because(err)
	}
	return nod.Errorf(nod.Invalid, "the JSON does not have the expected form").Because(err)
}

const unknownField = "json: unknown field "
