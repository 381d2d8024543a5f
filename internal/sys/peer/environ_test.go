package peer

import (
	"bytes"
	"errors"
	"slices"
	"testing"
)

func TestVariableNames(t *testing.T) {
	block := []byte("A=1\x00B==x=y\x00EMPTY=\x00BARE\x00\x00=odd\x00LAST=no end")
	got, err := variableNames(block)
	if want := []string{"A", "B", "EMPTY", "BARE", "LAST"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	if !bytes.Equal(block, make([]byte, len(block))) {
		t.Error("block was not wiped")
	}
	if _, err := variableNames([]byte("\x00\x00")); !errors.Is(err, errNoEnviron) {
		t.Errorf("empty: %v", err)
	}
}
