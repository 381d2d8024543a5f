package httpd

import (
	"encoding/json"
	"strings"
	"testing"

	"nod"
)

func TestStrict(t *testing.T) {
	deep := func(n int) string { return `{"input":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}` }
	for _, tt := range []struct{ name, body, says string }{
		{"good", `{"verdict":"allow","input":{"a":[1,{"b":null}]},"stop":false}`, ""},
		{"same name at other places", `{"answers":{"a":{"text":"x"},"b":{"text":"x"}}}`, ""},
		{"same name in other case, in a map", `{"answers":{"go":"x","Go":"y"}}`, ""},
		{"blanks around", " \n\t{} \r\n", ""},
		{"as deep as allowed", deep(98), ""},
		{"too deep", deep(100), "nested deeper"},
		{"empty", "", "is empty"},
		{"blank", "  \n", "is empty"},
		{"string", `"x"`, "object is expected"},
		{"open", `{`, "no valid JSON"},
		{"comma", `{"verdict":"allow",}`, "no valid JSON"},
		{"comment", `{/**/}`, "no valid JSON"},
		{"single quotes", `{'verdict':'allow'}`, "no valid JSON"},
		{"NaN", `{"verdict":NaN}`, "no valid JSON"},
		{"after", `{}{}`, "more after"},
		{"after, a bracket", `{}]`, "more after"},
		{"escaped name twice", `{"verdict":"deny","\u0076erdict":"allow"}`, "twice"},
		{"Kelvin sign for k", `{"\u212Aey":1}`, "unknown field"},
		{"hash", `{"-":1}`, "unknown field"},
	} {
		var a nod.Answer
		err := Strict([]byte(tt.body), &a)
		switch {
		case tt.says == "" && err != nil:
			t.Errorf("%s: %v", tt.name, err)
		case tt.says != "" && (nod.CodeOf(err) != nod.Invalid || err == nil || !strings.Contains(nod.MessageOf(err), tt.says)):
			t.Errorf("%s: %v, want %q", tt.name, err, tt.says)
		}
	}
}

func TestStrictKnowsEmbeddedAndBareFields(t *testing.T) {
	var bare struct {
		*nod.Risk
		Name string
	}
	if err := Strict([]byte(`{"level":"low","Name":"x"}`), &bare); err != nil || bare.Name != "x" || bare.Level != "low" {
		t.Errorf("%+v, %v", bare, err)
	}
	var d nod.Decision
	if err := Strict([]byte(`{"verdict":"allow","by":"anna"}`), &d); err != nil || d.Verdict != nod.VerdictAllow || d.By != "anna" {
		t.Errorf("%+v, %v", d, err)
	}
}

// What Strict accepts, a lenient parser accepts too, with the same result.
func FuzzStrict(f *testing.F) {
	for _, seed := range []string{`{"verdict":"allow"}`, `{"answers":{"q":["a","b"]}}`, `{"remember":true}`, `{"input":"x"}`, `{"a":1,"a":2}`, `[`, "\xff"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var strict, lenient nod.Answer
		err := Strict(body, &strict)
		if err != nil {
			if nod.CodeOf(err) != nod.Invalid {
				t.Errorf("%q: %v", body, err)
			}
			return
		}
		if err := json.Unmarshal(body, &lenient); err != nil {
			t.Fatalf("%q: only strict takes it: %v", body, err)
		}
		a, _ := json.Marshal(strict)
		b, _ := json.Marshal(lenient)
		if string(a) != string(b) {
			t.Errorf("%q: %s or %s", body, a, b)
		}
	})
}
