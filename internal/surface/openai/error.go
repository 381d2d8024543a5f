package openai

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
	Error problem `json:"error"`
}

type problem struct {
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param"`
	Code    *string `json:"code"`
}

// misfit is an error that names the parameter.
type misfit struct {
	error
	param, code string
}

func (m *misfit) Unwrap() error { return m.error }

// troubled is a question that was asked and has no answer.
type troubled struct {
	trouble nod.Trouble
	text    string
}

func (t *troubled) Error() string { return t.text }

// refuse sends an error: as the answer, or as the last event of one that has begun.
func (c *call) refuse(err error) error {
	if c.r.Context().Err() != nil {
		return nil // the client has gone
	}
	status, p := explain(err)
	if status == http.StatusInternalServerError {
		c.Log.Error("request failed", "path", c.r.URL.Path, "err", err)
	}
	if c.stream.begun {
		c.stream.send(failure{p})
		c.stream.end()
		return nil
	}
	var often *talk.TooOften
	switch {
	case errors.As(err, &often):
		c.w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(float64(often.After)/float64(time.Second)))))
	default:
		// It was asked, or never can be: clients must not retry by themselves.
		c.w.Header().Set("X-Should-Retry", "false")
	}
	return httpd.JSON(c.w, status, failure{p})
}

func explain(err error) (status int, p problem) {
	p = problem{Message: nod.MessageOf(err)}
	var t *troubled
	var often *talk.TooOften
	var about *misfit
	var code string
	switch {
	case errors.As(err, &t):
		status, code, p.Message = httpd.StatusOfTrouble(t.trouble), string(t.trouble), t.text
	case errors.As(err, &often):
		status, code = http.StatusTooManyRequests, "rate_limit_exceeded"
	default:
		status = httpd.StatusOf(err)
	}
	if errors.As(err, &about) {
		p.Param, code = &about.param, about.code
	}
	if code != "" {
		p.Code = &code
	}
	p.Type = kindOf(status)
	return status, p
}

func kindOf(status int) string {
	switch {
	case status == http.StatusUnauthorized:
		return "authentication_error"
	case status == http.StatusForbidden:
		return "permission_error"
	case status == http.StatusTooManyRequests:
		return "rate_limit_error"
	case status < http.StatusInternalServerError:
		return "invalid_request_error"
	}
	return "server_error"
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
		return &misfit{nod.Errorf(nod.Invalid, "the field %q cannot be a %s", kind.Field, kind.Value).Because(err), kind.Field, ""}
	case err != nil:
		return nod.Errorf(nod.Invalid, "the body is not a JSON object that can be read").Because(err)
	}
	return nil
}
