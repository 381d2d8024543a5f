package policy

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

// input is a tool's input by exact field name, in order.
type input []field

type field struct {
	name string
	raw  json.RawMessage
}

// mostFields is far more than any tool has; each is compared with all others.
const mostFields = 256

// fields splits an input. A duplicate name is rejected: the agent might read the other one. Nothing may follow the
// object.
func fields(raw json.RawMessage) (input, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	if !json.Valid(raw) {
		return nil, errors.New("not JSON")
	}
	at := blank(raw, 0)
	if raw[at] != '{' {
		return nil, errors.New("not an object")
	}
	out := make(input, 0, 4)
	// The text is valid from here on, so only the ends of values need to be found.
	for at = blank(raw, at+1); raw[at] != '}'; at = blank(raw, at) {
		if raw[at] == ',' {
			at = blank(raw, at+1)
		}
		end := valueEnd(raw, at)
		name := unquote(raw[at:end])
		at = blank(raw, blank(raw, end)+1) // past the colon
		end = valueEnd(raw, at)
		for _, f := range out {
			if f.name == name {
				return nil, errors.New("a field comes twice")
			}
		}
		if out = append(out, field{name, raw[at:end:end]}); len(out) > mostFields {
			return nil, errors.New("too many fields")
		}
		at = end
	}
	return out, nil
}

// text is a field's text, or none if it is not a string.
func (in input) text(name string) string {
	for i := range in {
		if in[i].name == name && in[i].raw[0] == '"' {
			return unquote(in[i].raw)
		}
	}
	return ""
}

func blank(raw []byte, at int) int {
	for raw[at] == ' ' || raw[at] == '\t' || raw[at] == '\n' || raw[at] == '\r' {
		at++
	}
	return at
}

// valueEnd is the end of the value that starts here.
func valueEnd(raw []byte, at int) int {
	depth := 0
	for ; at < len(raw); at++ {
		switch raw[at] {
		case '"':
			for at++; raw[at] != '"'; at++ {
				if raw[at] == '\\' {
					at++
				}
			}
			if depth == 0 {
				return at + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return at // the end of the object around a number or a word
			}
			if depth--; depth == 0 {
				return at + 1
			}
		case ',', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return at
			}
		}
	}
	return at
}

// unquote decodes a JSON string. Most have no escapes; the rest is left to encoding/json.
func unquote(raw json.RawMessage) string {
	text := string(raw[1 : len(raw)-1])
	if strings.IndexByte(text, '\\') < 0 && utf8.ValidString(text) {
		return text
	}
	var out string
	if json.Unmarshal(raw, &out) != nil {
		return ""
	}
	return out
}
