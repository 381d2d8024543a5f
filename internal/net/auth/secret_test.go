package auth

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

func TestASecretNeverShowsItself(t *testing.T) {
	s := newSecret()
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "secret", s, "inside", struct{ S Secret }{s})
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "secret", s, "inside", struct{ S Secret }{s})
	encoded, err := json.Marshal(map[string]any{"s": s, "p": &s})
	if err != nil {
		t.Fatal(err)
	}
	log.Write(encoded)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%T %v"} {
		fmt.Fprintf(&log, verb+" ", s, s)
		fmt.Fprintf(&log, verb+" ", struct{ S Secret }{s}, &s)
	}
	if strings.Contains(log.String(), s.key) || strings.Contains(log.String(), fmt.Sprintf("%x", s.key)) {
		t.Errorf("the secret leaked: %s", log.String())
	}
	if !strings.Contains(log.String(), s.id+"_****") {
		t.Errorf("nothing tells which token it was: %s", log.String())
	}
}

func TestParseSecret(t *testing.T) {
	s := newSecret()
	text := s.Reveal()
	if got, ok := ParseSecret(text); !ok || got != s {
		t.Errorf("ParseSecret(Reveal()) = %v, %v", got, ok)
	}
	for name, bad := range map[string]string{
		"empty":               "",
		"only the prefix":     "nod_",
		"no id":               "nod__" + s.key,
		"no key":              "nod_" + s.id,
		"other prefix":        "ghp" + text[3:],
		"capital prefix":      "NOD" + text[3:],
		"short":               text[:len(text)-1],
		"long":                text + "A",
		"blank at the end":    text[:len(text)-1] + " ",
		"capital id":          "nod_" + strings.ToUpper("abcdefgh") + "_" + s.key,
		"id with a path":      "nod_../../x_" + s.key,
		"other base64":        "nod_" + s.id + "_" + strings.Repeat("+", 43),
		"bits after the last": "nod_" + s.id + "_" + strings.Repeat("A", 42) + "B",
		"newline":             "nod_" + s.id + "_" + strings.Repeat("A", 42) + "\n",
	} {
		if _, ok := ParseSecret(bad); ok {
			t.Errorf("%s: %q was taken", name, bad)
		}
	}
}

func FuzzParseSecret(f *testing.F) {
	f.Add(newSecret().Reveal())
	f.Add("nod_")
	f.Add("nod_abcdefgh_" + strings.Repeat("_", 43))
	f.Fuzz(func(t *testing.T, text string) {
		s, ok := ParseSecret(text)
		if ok && s.Reveal() != text {
			t.Errorf("%q and %q are the same token", text, s.Reveal())
		}
		if ok && strings.Contains(s.String(), s.key) {
			t.Error("the mask shows the key")
		}
	})
}
