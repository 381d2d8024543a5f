//go:build full

package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"nod/e2e/homeassistant"
	"nod/e2e/rig"
)

// scenarioSentences: what is said is understood in both languages, whatever the puck is called.
func scenarioSentences(t *testing.T, p *packaged) {
	for language, text := range map[string]string{"en": "claude, what time is it", "pl": "claude która godzina"} {
		p.Converse(t, homeassistant.Conversation{Text: text, Language: language})
		want := strings.TrimLeft(strings.TrimPrefix(text, "claude"), ", ")
		if asked := p.next(t, p.requests); asked["text"] != want {
			t.Errorf("%q asks %v", text, asked)
		}
		p.says(t, "announce Asking Claude.")
		p.tell(t, map[string]any{"type": "finished"})
		p.quiet(t)
	}
	for _, said := range []string{"odmawiam", "anuluj"} { // the package itself listens in English
		p.approval(t, "s-"+said, "ls")
		p.says(t, "ask Run ls?")
		p.Converse(t, homeassistant.Conversation{Text: said, Language: "pl"})
		if got := p.next(t, p.answers); got["type"] != "rejected" || got["requestId"] != "s-"+said {
			t.Errorf("%q is %v", said, got)
		}
		p.says(t, "announce Cancelled.")
		p.quiet(t)
	}
}

// scenarioBlueprint: nod runs the puck; the automation only carries light, voice and buttons.
func scenarioBlueprint(t *testing.T, p *packaged) {
	var list map[string]any
	p.Command(t, map[string]any{"type": "blueprint/list", "domain": "automation"}, &list)
	if list["nod/voice_puck.yaml"] == nil {
		t.Fatalf("there are %v", list)
	}
	says := func(topic, text string) {
		t.Helper()
		p.wait(t, p.client.Publish("bed/"+topic, 1, false, text))
	}
	input := func(want map[string]any) {
		t.Helper()
		select {
		case got := <-p.inputs:
			if !maps.Equal(got, want) {
				t.Errorf("nod is told %v, want %v", got, want)
			}
		case <-time.After(rig.Patience):
			t.Fatalf("nod was not told %v\n%s", want, strings.Join(p.Warnings(), "\n"))
		}
	}
	ring := func(want string) {
		t.Helper()
		p.WaitFor(t, p.bed.Ring(), want, func(s homeassistant.State) bool {
			return s.State+fmt.Sprint(" ", s.Attributes["rgb_color"]) == want
		})
	}
	says("led", `{"mode":"solid","color":"orange","ring":["#ffa500"]}`)
	ring("on [255 165 0]")
	// Two messages at once: the announcement comes before the question.
	says("voice", `{"key":"onboarding","text":"Turn right."}`)
	says("voice", `{"key":"approval_prompt","text":"Run ls?","ask":"yes_no","requestId":"r1"}`)
	p.WaitSaid(t, p.bed, "announce", "Turn right.")
	p.WaitSaid(t, p.bed, "ask", "Run ls?")
	p.WaitState(t, p.bed.Satellite(), "listening")
	p.Hear(t, p.bed, "Yes, please.")
	input(map[string]any{"event": "voice", "text": "Yes, please.", "requestId": "r1"})
	p.Press(t, p.bed, "double_press") // the ring is orange
	input(map[string]any{"event": "voice_yes"})
	says("led", `{"mode":"solid","color":"lt_red","ring":["#800000"]}`)
	ring("on [255 0 0]")
	p.Press(t, p.bed, "double_press") // and now it is not
	input(map[string]any{"event": "button"})
	p.Press(t, p.bed, "long_press")
	input(map[string]any{"event": "long_press"})
	p.turn(t, "clockwise") // of the other puck
	p.Turn(t, p.bed, "clockwise")
	p.Turn(t, p.bed, "clockwise") // the same movement
	input(map[string]any{"event": "dial_cw"})
	says("led", `{"mode":"choice","options":3,"selected":2,"ring":["#c800ff"]}`)
	ring("on [200 0 255]")
	says("voice", `{"key":"answer","text":"42"}`)
	p.WaitSaid(t, p.bed, "announce", "42\u200b")
	says("voice", `{"key":"beep"}`)
	p.WaitSaid(t, p.bed, "media", "")
	says("led", `not JSON`)
	says("led", `{"mode":"off","ring":[]}`)
	p.WaitState(t, p.bed.Ring(), "off")
	p.Hear(t, p.bed, "ask bed to sing")
	select {
	case got := <-p.inputs:
		if got["text"] != "to sing" || got["source"] != p.bed.Satellite() {
			t.Errorf("it asks %v", got)
		}
	case <-time.After(rig.Patience):
		t.Fatal("nothing was asked")
	}
	p.wait(t, p.client.Publish("bare/voice", 1, false, `{"key":"answer","text":"Bare."}`))
	p.says(t, "announce Bare.")
}

// spoke is what the speaker answers.
func (p *packaged) spoke(t *testing.T) map[string]any {
	t.Helper()
	select {
	case got := <-p.speaker:
		return got
	case <-time.After(rig.Patience):
		t.Fatalf("the speaker answers nothing\n%s", strings.Join(p.Warnings(), "\n"))
		return nil
	}
}

// scenarioSpeaker: a voice of its own at the media player, answers after the wake word, every LED by itself.
func scenarioSpeaker(t *testing.T, p *packaged) {
	tell := func(message string) {
		t.Helper()
		p.wait(t, p.client.Publish("tv/speaker/response", 1, false, message))
	}
	p.WaitState(t, "automation.tv_speaker_answers", "off")
	tell(`{"type":"multi_approval","requestId":"t1","command":"ls","approvalIndex":2,"approvalTotal":3}`)
	spoken := func(part string) {
		t.Helper()
		rig.Until(t, "the speaker to say "+part, func() bool {
			return slices.ContainsFunc(p.Said(p.bed), func(s homeassistant.Spoken) bool {
				media, err := url.QueryUnescape(s.Media)
				return err == nil && s.Kind == "media" && strings.Contains(media, part)
			})
		}, func() string { return fmt.Sprintf("%+v\n%s", p.Said(p.bed), strings.Join(p.Warnings(), "\n")) })
	}
	painted := func(leds string) {
		t.Helper()
		p.WaitEvent(t, "test_painted", func(data json.RawMessage) bool { return strings.Contains(string(data), leds) })
	}
	p.WaitState(t, "sensor.tv_speaker_puck", "WAITING")
	painted(`"leds":"00ff00ffa500` + strings.Repeat("0", 60) + `","blink":"00ff00` + strings.Repeat("0", 66) + `"`)
	spoken("Obróć w prawo")
	spoken("2 z 3: uruchomić ls?")
	p.WaitState(t, "automation.tv_speaker_answers", "on")
	p.FireEvent(t, "esphome.voice_pe_dial", map[string]any{"direction": "clockwise"})
	p.WaitState(t, "sensor.tv_speaker_puck", "PREVIEW_APPROVE")
	p.Converse(t, homeassistant.Conversation{Text: "zgoda", Language: "pl"})
	if got := p.spoke(t); got["requestId"] != "t1" || got["type"] != "approved" {
		t.Errorf("it answers %v", got)
	}
	painted(strings.Repeat("00ff00", 12))
	tell(`{"type":"finished"}`)
	painted(`"leds":"","blink":""`)
}
