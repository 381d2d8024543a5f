package passkey

import (
	"bytes"
	"encoding/hex"
	"reflect"
	"testing"
)

func TestCBORThatAuthenticatorsWrite(t *testing.T) {
	for text, want := range map[string]any{
		"00": int64(0), "17": int64(23), "1818": int64(24), "190100": int64(256), "1a00010000": int64(65536),
		"1b7fffffffffffffff": int64(1<<63 - 1), "20": int64(-1), "390100": int64(-257),
		"43010203": []byte{1, 2, 3}, "63c3b378": "óx", "80": []any{}, "820102": []any{int64(1), int64(2)},
		"a0": map[any]any{}, "a2016161200a": map[any]any{int64(1): "a", int64(-1): int64(10)}, "f4": false, "f5": true, "f6": nil,
	} {
		b, _ := hex.DecodeString(text)
		c := cbor{b}
		if got, err := c.value(); err != nil || !reflect.DeepEqual(got, want) || len(c.rest) > 0 {
			t.Errorf("%s is %#v, %v", text, got, err)
		}
	}
}

func TestCBORThatNobodyMeans(t *testing.T) {
	for name, text := range map[string]string{
		"nothing": "", "cut number": "1901", "cut text": "6361", "endless text": "7f6161ff", "endless map": "bfff", "tag": "c000",
		"fraction": "f93c00", "undefined": "f7", "huge number": "1bffffffffffffffff", "huge length": "5bffffffffffffffff",
		"a name twice": "a2010201 02", "a list as a name": "a18000", "bytes as a name": "a1410100",
		"deep": "818181818181 00", "wide": "9841", "wide map": "b841", "cut list": "8201",
	} {
		b, err := hex.DecodeString(string(bytes.ReplaceAll([]byte(text), []byte(" "), nil)))
		if err != nil {
			t.Fatal(err)
		}
		c := cbor{b}
		if got, err := c.value(); err == nil {
			t.Errorf("%s is %#v", name, got)
		}
	}
}

// FuzzAttestation: whatever a stranger sends, it is read whole or refused.
func FuzzAttestation(f *testing.F) {
	data := append(make([]byte, 32), hasKey|userPresent|userVerified, 0, 0, 0, 1)
	data = append(data, make([]byte, 16)...)
	data = append(data, 0, 1, 'c', 0xa1, 1, 2)
	whole := append([]byte{0xa3, 0x63, 'f', 'm', 't', 0x64, 'n', 'o', 'n', 'e', 0x67, 'a', 't', 't', 'S', 't', 'm', 't', 0xa0,
		0x68, 'a', 'u', 't', 'h', 'D', 'a', 't', 'a', 0x58, byte(len(data))}, data...)
	if a, err := parseAttestation(whole); err != nil || string(a.credential) != "c" || a.count != 1 {
		f.Fatalf("%+v, %v", a, err)
	}
	f.Add(whole)
	f.Fuzz(func(t *testing.T, b []byte) {
		before := bytes.Clone(b)
		a, err := parseAttestation(b)
		if !bytes.Equal(before, b) {
			t.Error("what was read has changed")
		}
		if err != nil {
			return
		}
		if a.flags&hasKey != 0 && (len(a.credential) == 0 || len(a.public) == 0) {
			t.Errorf("a key that is none: %+v", a)
		}
		_, _ = public(a.public)
	})
}
