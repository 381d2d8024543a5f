package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"testing"
)

// slowFields is a simple reference implementation of fields.
func slowFields(raw []byte) (map[string]json.RawMessage, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("not an object")
	}
	out := map[string]json.RawMessage{}
	for d.More() {
		t, err := d.Token()
		name, ok := t.(string)
		if err != nil || !ok {
			return nil, errors.New("not an object")
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		if _, twice := out[name]; twice {
			return nil, errors.New("a field comes twice")
		}
		out[name] = value
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("more than one object")
	}
	return out, nil
}

func FuzzFields(f *testing.F) {
	for _, s := range []string{
		``, ` `, `{}`, ` { } `, `[]`, `null`, `"a"`, `{"a":1}`, "{\"a\" :\n1 , \"b\":\t[1,{\"c\":\"}\"}] }", `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `{"a":"\\"}`, `{"a":"\"}"}`,
		`{"a":"x\u0000y"}`, `{"a":"\ud800"}`, "{\"a\xff\":1}", "{\"a\":\"\xff\"}", "{\"a\xff\":1,\"a\xfe\":2}", `{"a":{"b":[{}]},"c":null,"d":true,"e":-1.5e3}`, `{"a":1} {"b":2}`, `{"a":1}x`, `{"a":1,}`, `{,}`, `{"a"}`, `{"":""}`, `{"a":[],"b":{}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := fields(raw)
		want, slow := slowFields(raw)
		if len(want) > mostFields {
			return
		}
		if (err != nil) != (slow != nil) || len(got) != len(want) {
			t.Fatalf("%q: %v (%v), want %v (%v)", raw, got, err, want, slow)
		}
		for _, f := range got {
			w, ok := want[f.name]
			if !ok || string(w) != string(f.raw) {
				t.Errorf("%q: %q is %q, want %q", raw, f.name, f.raw, w)
			}
			var text string
			if w[0] == '"' {
				if err := json.Unmarshal(w, &text); err != nil {
					t.Error(err)
				}
			}
			if got.text(f.name) != text {
				t.Errorf("%q: text %q, want %q", raw, got.text(f.name), text)
			}
		}
	})
}

func TestTooManyFieldsAreRefused(t *testing.T) {
	in := map[string]int{}
	for i := range mostFields + 1 {
		in[string(rune('a'+i))] = i
	}
	raw, _ := json.Marshal(in)
	if _, err := fields(raw); err == nil {
		t.Error("accepted")
	}
}
