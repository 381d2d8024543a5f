//go:build linux || darwin

package run

import (
	"errors"
	"os"
	"testing"
	"time"
)

// A key for a moment is not pressed later: what it means may have changed.
func TestAKeyForNowIsNotKeptForLater(t *testing.T) {
	d := startWrapped(t, self(t, "mirror", pastes)...)
	d.expect("READY\n")
	p := Dial(d.socket())
	d.types("x")
	d.expect("READY\nx")
	if err := p.SendKeysWithin(t.Context(), quietTime/3, "BTab"); !errors.Is(err, Typing) {
		t.Errorf("while the person types: %v", err)
	}
	if err := p.SendKeysWithin(t.Context(), -time.Second, "BTab"); !errors.Is(err, Late) {
		t.Errorf("too late: %v", err)
	}
	if err := p.SendKeysWithin(t.Context(), quietTimeout, "C-b"); err != nil { // it waits for its moment
		t.Fatal(err)
	}
	if seen := d.expect("\x02"); string(seen[len(seen)-2:]) != "x\x02" {
		t.Errorf("%q", seen)
	}
}

func TestWhoIsThere(t *testing.T) {
	command := self(t, "mirror", pastes)
	d := startWrapped(t, command...)
	d.expect("READY\n")
	who, err := Dial(d.socket()).Program(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	here, _ := os.Getwd()
	if who.Path != command[0] || who.PID <= 1 || who.Start == 0 || who.Host == "" || who.Cwd != here {
		t.Errorf("%+v", who)
	}
	if err := Dial(d.socket()).ForProcess(who.PID).Paste(t.Context(), "hello"); err != nil {
		t.Errorf("it is not the one who reads the keyboard: %v", err)
	}
}
