package esphome

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestVoicePEExampleIsWhatTheCommandWrites(t *testing.T) {
	list, err := VoicePE("")
	if err != nil || len(list) != 1 {
		t.Fatalf("%v %v", list, err)
	}
	name := filepath.Join("..", "..", "..", "examples", "esphome", "packages", list[0].Name)
	if *update {
		if err := os.WriteFile(name, list[0].Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(list[0].Data, want) {
		t.Errorf("%s differs from what is generated; go test ./internal/present/esphome -update", name)
	}
}

// The surface must find the names that the device has.
func TestAdditionHasWhatTheSurfaceExpects(t *testing.T) {
	list, err := VoicePE("kitchen.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text := string(list[0].Data)
	for _, want := range []string{
		"name: Dial\n", "- clockwise\n", "- anticlockwise\n", "- single_press\n", "action: nod_ring\n", "leds: string\n", "blink: string\n", "name: nod\n",
		"id: !extend dial\n", "id: !extend center_button\n", "id: !extend led_ring\n", "id: !extend button_press_event\n", "nod: !include kitchen.yaml\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q", want)
		}
	}
	if strings.Contains(text, "[[") {
		t.Error("something was not filled in")
	}
}
