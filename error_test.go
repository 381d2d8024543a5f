package nod_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"nod"
)

func TestCodes(t *testing.T) {
	wrapped := fmt.Errorf("asking: %w", nod.Errorf(nod.NotFound, "There is no such request.").Because(io.EOF))
	for _, c := range []struct {
		err  error
		code nod.Code
	}{
		{nil, ""},
		{io.EOF, nod.Internal},
		{wrapped, nod.NotFound},
		{nod.Gone, nod.Gone},
		{fmt.Errorf("reading: %w", nod.Gone), nod.Gone},
	} {
		if got := nod.CodeOf(c.err); got != c.code {
			t.Errorf("CodeOf(%v) = %q, want %q", c.err, got, c.code)
		}
	}
	if !errors.Is(wrapped, nod.NotFound) || !errors.Is(wrapped, io.EOF) {
		t.Error("an error is neither its code nor its cause")
	}
	if errors.Is(wrapped, nod.Gone) || errors.Is(errors.New("a foreign error"), nod.Internal) {
		t.Error("an error is a code that it does not have")
	}
}
