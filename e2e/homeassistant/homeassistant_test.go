package homeassistant_test

import (
	"os"
	"strings"
	"testing"

	"nod/e2e/homeassistant"
	"nod/e2e/rig"
)

func TestMain(m *testing.M) {
	code := m.Run()
	homeassistant.CloseAll()
	os.Exit(code)
}

var (
	stock   = homeassistant.Puck{ID: "09f5a3", Area: "Kitchen"}
	changed = homeassistant.Puck{ID: "0a11ce", Area: "Bedroom", Dial: true}
	third   = homeassistant.Puck{ID: "0b0b0b"}

	house = homeassistant.Shared(homeassistant.Options{Pucks: []homeassistant.Puck{stock, changed, third}})
)

// Not parallel: it looks at the log before others cause errors.
func TestHomeAssistantHasAnOwner(t *testing.T) {
	h := house(t)
	if got := h.Render(t, "{{ states.person | map(attribute='name') | join }}, {{ 20 + 1 }}"); got != "Anna, 21" {
		t.Errorf("the house says %q", got)
	}
	var services map[string]map[string]any
	if h.Command(t, map[string]any{"type": "get_services"}, &services); services["assist_satellite"]["ask_question"] == nil {
		t.Errorf("%d domains have services", len(services))
	}
	if problems := h.CheckConfig(t); problems != "" {
		t.Error(problems)
	}
	if list := h.Warnings(); len(list) != 0 {
		t.Errorf("%d warnings:\n%s", len(list), strings.Join(list, "\n"))
	}
}

func TestAQuestionIsAskedAndAnswered(t *testing.T) {
	t.Parallel()
	h := house(t)
	ask := map[string]any{"entity_id": stock.Satellite(), "question": "Run make test?", "answers": []any{
		map[string]any{"id": "yes", "sentences": []string{"yes [please]", "do it"}},
		map[string]any{"id": "no", "sentences": []string{"no"}},
	}}
	for said, want := range map[string]string{"yes please": "yes", "No.": "no", "maybe": ""} {
		var got struct{ ID, Sentence string }
		done := make(chan error, 1)
		before := len(h.Said(stock))
		go func() { done <- h.TryCall(t.Context(), "assist_satellite.ask_question", ask, &got) }()
		rig.Until(t, "the question", func() bool { return len(h.Said(stock)) > before }, func() string { return h.Log() })
		h.Hear(t, stock, said)
		if err := <-done; err != nil || got.ID != want || got.Sentence != said {
			t.Errorf("%q is %+v, %v", said, got, err)
		}
	}
	done := make(chan error, 1)
	before := len(h.Said(stock))
	go func() { done <- h.TryCall(t.Context(), "assist_satellite.ask_question", ask, &struct{}{}) }()
	rig.Until(t, "the question", func() bool { return len(h.Said(stock)) > before }, func() string { return h.Log() })
	h.WaitState(t, stock.Satellite(), "listening")
	h.Call(t, "assist_satellite.announce", map[string]any{"entity_id": stock.Satellite(), "message": "Never mind"})
	if err := <-done; err == nil {
		t.Error("a question goes on that an announcement interrupts")
	}
	h.WaitSaid(t, stock, "announce", "Never mind")
}

func TestPuckButtonsAndDial(t *testing.T) {
	t.Parallel()
	h := house(t)
	h.Press(t, changed, "double_press")
	h.WaitFor(t, changed.Button(), "pressed twice", func(s homeassistant.State) bool { return s.Attributes["event_type"] == "double_press" })
	h.Turn(t, changed, "anticlockwise")
	h.WaitFor(t, changed.DialEvent(), "turned", func(s homeassistant.State) bool { return s.Attributes["event_type"] == "anticlockwise" })
	h.WaitFor(t, changed.Speaker(), "quieter", func(s homeassistant.State) bool { return s.Attributes["volume_level"] == 0.55 })
	if _, ok := h.State(t, stock.DialEvent()); ok {
		t.Error("a stock device tells of its dial")
	}
	h.Call(t, "light.turn_on", map[string]any{"entity_id": changed.Ring(), "rgb_color": []int{255, 120, 0}})
	h.WaitState(t, changed.Ring(), "on")
}

func TestABusyPuckSaysSo(t *testing.T) {
	t.Parallel()
	h := house(t)
	h.Hold(t, changed, true)
	done := make(chan error, 1)
	say := map[string]any{"entity_id": changed.Satellite(), "message": "A long story"}
	go func() { done <- h.TryCall(t.Context(), "assist_satellite.announce", say, nil) }()
	h.WaitSaid(t, changed, "announce", "A long story")
	if err := h.TryCall(t.Context(), "assist_satellite.announce", say, nil); err == nil {
		t.Error("two announcements at once")
	}
	h.Hold(t, changed, false)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestASentenceAfterTheWakeWord(t *testing.T) {
	t.Parallel()
	h := house(t)
	h.Hear(t, third, "turn on the quux")
	h.WaitSaid(t, third, "reply", "Sorry, I am not aware of any device called quux")
	h.WaitState(t, third.Satellite(), "idle")
}
