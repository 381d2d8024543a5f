package transcript

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// Request is a step over HTTP.
type Request struct {
	Method, Path string
	Headers      []string // name, value, name, value
	Body         string
}

// Request reads "METHOD PATH" or a path alone, headers, an empty line and a body.
func (s *Step) Request() *Request {
	head, body, _ := strings.Cut(s.Text, "\n\n")
	lines := strings.Split(strings.TrimSpace(head), "\n")
	r := &Request{Path: lines[0], Body: strings.TrimSpace(body)}
	if method, path, both := strings.Cut(lines[0], " "); both {
		r.Method, r.Path = method, path
	}
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ": ")
		r.Headers = append(r.Headers, name, value)
	}
	return r
}

// Take is the value of a header that is meant for the test and is not sent.
func (r *Request) Take(name string) (value string, found bool) {
	for i := 0; i < len(r.Headers); i += 2 {
		if r.Headers[i] == name {
			value = r.Headers[i+1]
			r.Headers = slices.Delete(r.Headers, i, i+2)
			return value, true
		}
	}
	return "", false
}

// Indented is JSON with every field on its own line, in the order of their names;
// what is no JSON stays as it is.
func Indented(body []byte) string {
	var value any
	if json.Unmarshal(body, &value) != nil {
		return string(body)
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(value); err != nil {
		return err.Error()
	}
	return b.String()
}

// Instead makes a function that puts words where something is different every
// time. It takes a pattern and its word, the next pattern and its word.
func Instead(pairs ...string) func(text string) string {
	var patterns []*regexp.Regexp
	for i := 0; i < len(pairs); i += 2 {
		patterns = append(patterns, regexp.MustCompile(pairs[i]))
	}
	return func(text string) string {
		for i, pattern := range patterns {
			text = pattern.ReplaceAllString(text, pairs[2*i+1])
		}
		return text
	}
}
