package ollama

import (
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"nod"
	"nod/internal/net/httpd"
	"nod/internal/talk"
)

// failure is an error on this wire.
type failure struct {
	Error string `json:"error"`
}

// troubled is a question that was asked and has no answer.
type troubled struct {
	trouble nod.Trouble
	text    string
}

func (t *troubled) Error() string { return t.text }

// refuse sends an error: as the answer, or as the last line of one that has begun.
func (c *call) refuse(err error) error {
	if c.r.Context().Err() != nil {
		return nil // the client has gone
	}
	status, text := statusOf(err), nod.MessageOf(err)
	var t *troubled
	if errors.As(err, &t) {
		text = t.text
	}
	var often *talk.TooOften
	if errors.As(err, &often) {
		c.w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(float64(often.After)/float64(time.Second)))))
	}
	if status == http.StatusInternalServerError {
		c.Log.Error("request failed", "path", c.r.URL.Path, "err", err)
	}
	if c.lines.begun {
		c.lines.send(failure{text})
		return nil
	}
	return httpd.JSON(c.w, status, failure{text})
}

func statusOf(err error) int {
	var t *troubled
	var often *talk.TooOften
	switch {
	case errors.As(err, &often):
		return http.StatusTooManyRequests
	case errors.As(err, &t):
		return httpd.StatusOfTrouble(t.trouble)
	}
	return httpd.StatusOf(err)
}

// read decodes a body. Unknown fields are ignored: programs send settings of models that
// an assistant does not have.
func (c *call) read(v any) error {
	body, err := httpd.ReadBody(c.w, c.r)
	if err != nil {
		return err
	}
	var kind *json.UnmarshalTypeError
	switch err := json.Unmarshal(body, v); {
	case errors.As(err, &kind) && kind.Field != "":
		return nod.Errorf(nod.Invalid, "the field %q cannot be a %s", kind.Field, kind.Value).Because(err)
	case err != nil:
		return nod.Errorf(nod.Invalid, "the body is not a JSON object that can be read").Because(err)
	}
	return nil
}
