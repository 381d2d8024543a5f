package homeassistant

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"testing"

	"nod/e2e/rig"
)

//go:embed all:fakepuck
var fakepuck embed.FS

func puckFiles(t testing.TB) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(fakepuck, "fakepuck", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fakepuck.ReadFile(path)
		files["custom_components/"+path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Puck is a Voice PE: six hexadecimal digits as in its name, such as "09f5a3", and an area such as "Kitchen".
// With Dial its firmware has the addition that tells of the dial by an event entity; without, as on a stock
// device, the dial only moves the volume of the media player.
type Puck struct {
	ID   string
	Area string
	Dial bool
}

func (p Puck) name(domain, part string) string {
	return domain + ".home_assistant_voice_" + p.ID + "_" + part
}

// Names of its entities.
func (p Puck) Satellite() string { return p.name("assist_satellite", "assist_satellite") }
func (p Puck) Ring() string      { return p.name("light", "led_ring") }
func (p Puck) Speaker() string   { return p.name("media_player", "media_player") }
func (p Puck) Button() string    { return p.name("event", "button_press") }
func (p Puck) DialEvent() string { return p.name("event", "dial") }

// AddPuck adds a puck. The first one gives the preferred assistant speech-to-text and text-to-speech.
func (h *Instance) AddPuck(t testing.TB, p Puck) {
	t.Helper()
	h.AddIntegration(t, "fakepuck", map[string]any{"id": p.ID, "area": p.Area, "dial": p.Dial})
	h.WaitFor(t, p.Satellite(), "there", func(State) bool { return true })
	h.Pipeline(t, "", "en")
}

// Pipeline sets which agent and language the preferred assistant has; an empty agent is Home Assistant's own.
func (h *Instance) Pipeline(t testing.TB, agent, language string) {
	t.Helper()
	if agent == "" {
		agent = "conversation.home_assistant"
	}
	var list struct {
		Preferred string `json:"preferred_pipeline"`
	}
	h.Command(t, map[string]any{"type": "assist_pipeline/pipeline/list"}, &list)
	h.Command(t, map[string]any{
		"type": "assist_pipeline/pipeline/update", "pipeline_id": list.Preferred, "name": "Test", "language": language,
		"conversation_engine": agent, "conversation_language": language,
		"stt_engine": "stt.fakepuck", "stt_language": language,
		"tts_engine": "tts.fakepuck", "tts_language": language, "tts_voice": nil,
		"wake_word_entity": nil, "wake_word_id": nil,
	}, nil)
}

// Spoken is what a puck said: by announce, by ask (start_conversation and ask_question), as the reply of an agent, as
// an error (Message is its code), or as media of the media player.
type Spoken struct {
	Puck, Kind, Message, Media string
	Chime                      bool
}

// Said is all that a puck has said, oldest first.
func (h *Instance) Said(p Puck) (list []Spoken) {
	for _, e := range h.Events("fakepuck_said") {
		var s Spoken
		if json.Unmarshal(e.Data, &s) == nil && s.Puck == p.ID {
			list = append(list, s)
		}
	}
	return list
}

// WaitSaid waits until a puck has said something in a way; earlier words count.
func (h *Instance) WaitSaid(t testing.TB, p Puck, kind, message string) {
	t.Helper()
	rig.Until(t, fmt.Sprintf("puck %s to say %q (%s)", p.ID, message, kind), func() bool {
		return slices.ContainsFunc(h.Said(p), func(s Spoken) bool { return s.Kind == kind && s.Message == message })
	}, func() string { return fmt.Sprintf("it said %+v", h.Said(p)) })
}

// Hear lets a puck hear a sentence: the answer to its question, or else what follows the wake word. No words are silence.
func (h *Instance) Hear(t testing.TB, p Puck, text string) {
	t.Helper()
	h.FireEvent(t, "fakepuck_hear", map[string]any{"puck": p.ID, "text": text})
}

// Press presses the button: double_press, triple_press or long_press.
func (h *Instance) Press(t testing.TB, p Puck, kind string) {
	t.Helper()
	h.FireEvent(t, "fakepuck_press", map[string]any{"puck": p.ID, "type": kind})
}

// Turn turns the dial by a step: clockwise or anticlockwise.
func (h *Instance) Turn(t testing.TB, p Puck, direction string) {
	t.Helper()
	h.FireEvent(t, "fakepuck_turn", map[string]any{"puck": p.ID, "direction": direction})
}

// Hold makes whatever a puck says last until it is let go: meanwhile the satellite is busy.
func (h *Instance) Hold(t testing.TB, p Puck, hold bool) {
	t.Helper()
	h.FireEvent(t, "fakepuck_hold", map[string]any{"puck": p.ID, "hold": hold})
}
