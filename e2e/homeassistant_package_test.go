//go:build full

package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"nod/e2e/homeassistant"
	"nod/e2e/rig"
	"nod/internal/present/hasskit"
	"nod/internal/present/puck"
	"nod/internal/present/words"
)

// quick are short timers.
var quick = map[puck.Timer]time.Duration{
	puck.PreviewTimer: 3 * time.Second, puck.WarningTimer: 5 * time.Second, puck.ApprovalTimer: 8 * time.Second, puck.ContextTimer: 4 * time.Second,
	puck.TickTimer: time.Second, puck.ResponseTimer: 4 * time.Second, puck.StaleTimer: time.Minute, puck.FlashTimer: time.Second, puck.ErrorTimer: 2 * time.Second,
}

// slow are timers that no test waits for.
var slow = map[puck.Timer]time.Duration{puck.WarningTimer: 4 * time.Minute, puck.ApprovalTimer: 5 * time.Minute}

// packaged is a Home Assistant that runs the puck itself, with the test in nod's place at the other end of MQTT.
type packaged struct {
	*homeassistant.Instance
	puck     homeassistant.Puck // run by the package
	bed      homeassistant.Puck // lent to nod by the blueprint
	client   mqtt.Client
	requests chan map[string]any // claude/request
	answers  chan map[string]any // claude/approval-response
	inputs   chan map[string]any // bed/input and bed/request
	speaker  chan map[string]any // tv/speaker/approval-response
	heard    int                 // what it has said that was looked at
}

// blueprints are two automations of the blueprint: with everything, and with the satellite alone.
const blueprints = `
- id: bed
  alias: bed
  use_blueprint:
    path: nod/voice_puck.yaml
    input: {satellite: %s, ring: %s, button: %s, dial: %s, media_player: %s, prefix: bed, sentences: ["ask bed {query}"]}
- id: bare
  alias: bare
  use_blueprint:
    path: nod/voice_puck.yaml
    input: {satellite: %s, prefix: bare, sentences: ["ask bare {query}"]}
`

func newPackaged(t *testing.T) *packaged {
	t.Helper()
	p := &packaged{
		puck: homeassistant.Puck{ID: "09f5a3", Area: "Kitchen", Dial: true}, bed: homeassistant.Puck{ID: "0a11ce", Area: "Bedroom", Dial: true},
		requests: make(chan map[string]any, 20), answers: make(chan map[string]any, 20), inputs: make(chan map[string]any, 20), speaker: make(chan map[string]any, 20),
	}
	o := hasskit.Options{Device: p.puck.ID, Dial: p.puck.DialEvent(), Timers: quick, Owner: hasskit.ByHomeAssistant, Aliases: true}
	files := map[string]string{"automations.yaml": fmt.Sprintf(blueprints, p.bed.Satellite(), p.bed.Ring(), p.bed.Button(), p.bed.DialEvent(), p.bed.Speaker(), p.puck.Satellite())}
	add := func(list []hasskit.File, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range list {
			files[f.Name] = string(f.Data)
		}
	}
	add(hasskit.Package(o))
	add(hasskit.Blueprint(o))
	add(hasskit.Sentences(o))
	// A speaker without a microphone, in Polish, with a ring whose every LED can be lit.
	add(hasskit.Package(hasskit.Options{Device: p.bed.ID, Prefix: "tv/speaker", TTS: "tts.fakepuck", RingAction: "script.paint", Say: words.In(words.Polish), Timers: slow}))
	files["packages/paint.yaml"] = "script:\n  paint:\n    mode: queued\n    sequence:\n      - event: test_painted\n        event_data: {leds: '{{ leds }}', blink: '{{ blink }}'}\n"
	broker := homeassistant.Mosquitto(t)
	p.Instance = homeassistant.Start(t, homeassistant.Options{Files: files, MQTT: broker, Pucks: []homeassistant.Puck{p.puck, p.bed}})
	p.client = mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://" + broker).SetClientID("test"))
	p.wait(t, p.client.Connect())
	t.Cleanup(func() { p.client.Disconnect(0) })
	for topic, to := range map[string]chan map[string]any{"claude/request": p.requests, "claude/approval-response": p.answers, "bed/input": p.inputs, "bed/request": p.inputs, "tv/speaker/approval-response": p.speaker} {
		p.wait(t, p.client.Subscribe(topic, 1, func(_ mqtt.Client, m mqtt.Message) {
			var v map[string]any
			if json.Unmarshal(m.Payload(), &v) != nil {
				v = map[string]any{"payload": string(m.Payload())}
			}
			to <- v
		}))
	}
	// Home Assistant subscribes a moment after it reports that it runs.
	rig.Until(t, "the house to hear", func() bool {
		p.tell(t, map[string]any{"type": "working"})
		s, ok := p.State(t, "sensor.claude_puck")
		return ok && s.State == "IDLE"
	}, p.Log)
	return p
}

func (p *packaged) wait(t *testing.T, token mqtt.Token) {
	t.Helper()
	if !token.WaitTimeout(rig.Patience) || token.Error() != nil {
		t.Fatal("MQTT: ", token.Error())
	}
}

// tell publishes a message as nod.
func (p *packaged) tell(t *testing.T, message any) {
	t.Helper()
	text, ok := message.(string)
	if !ok {
		body, err := json.Marshal(message)
		if err != nil {
			t.Fatal(err)
		}
		text = string(body)
	}
	p.wait(t, p.client.Publish("claude/response", 1, false, text))
}

func (p *packaged) approval(t *testing.T, id, command string) {
	t.Helper()
	p.tell(t, map[string]any{"type": "approval", "requestId": id, "command": command})
}

func (p *packaged) evidence() string {
	return fmt.Sprintf("it said %+v\n%s", p.Said(p.puck), strings.Join(p.Warnings(), "\n"))
}

// hushes is the sound that closes a microphone.
func hushes(s homeassistant.Spoken) bool { return s.Kind == "announce" && s.Message == "" }

// spoken is what it has said, without those sounds: whether one is played depends on timing.
func (p *packaged) spoken() []homeassistant.Spoken { return slices.DeleteFunc(p.Said(p.puck), hushes) }

func (p *packaged) is(t *testing.T, state puck.State) {
	t.Helper()
	rig.Until(t, "the puck to be "+string(state), func() bool {
		s, _ := p.State(t, "sensor.claude_puck")
		return s.State == string(state)
	}, func() string {
		s, _ := p.State(t, "sensor.claude_puck")
		return fmt.Sprintf("it is %+v\n%s", s, p.evidence())
	})
}

// says waits for the next utterance: "announce Four", or "ask Run make?". Text that looks like a number ends with an
// invisible character.
func (p *packaged) says(t *testing.T, want ...string) {
	t.Helper()
	for _, w := range want {
		rig.Until(t, fmt.Sprintf("the puck to say %q", w), func() bool { return len(p.spoken()) > p.heard }, p.evidence)
		said := p.spoken()[p.heard]
		p.heard++
		if got := said.Kind + " " + strings.TrimSuffix(said.Message, "\u200b"); got != w {
			t.Fatalf("it says %q, want %q\n%s", got, w, p.evidence())
		}
	}
}

func (p *packaged) lit(t *testing.T, color puck.Color) {
	t.Helper()
	rgb, bright := color.Bright()
	want := fmt.Sprintf("[%d %d %d] %d", rgb.R, rgb.G, rgb.B, bright)
	p.WaitFor(t, p.puck.Ring(), string(color), func(s homeassistant.State) bool {
		return s.State == "on" && fmt.Sprint(s.Attributes["rgb_color"], " ", s.Attributes["brightness"]) == want
	})
}

func (p *packaged) listens(t *testing.T) {
	t.Helper()
	p.WaitState(t, p.puck.Satellite(), "listening")
}

// next is what was published, without what is the same every time.
func (p *packaged) next(t *testing.T, from chan map[string]any) map[string]any {
	t.Helper()
	select {
	case m := <-from:
		if m["source"] != p.puck.Satellite() {
			t.Errorf("it comes from %v", m["source"])
		}
		delete(m, "source")
		return m
	case <-time.After(rig.Patience):
		t.Fatalf("nothing was published\n%s", p.evidence())
		return nil
	}
}

func (p *packaged) answered(t *testing.T, want map[string]any) {
	t.Helper()
	if got := p.next(t, p.answers); !maps.Equal(got, want) {
		t.Errorf("the answer is %v, want %v", got, want)
	}
}

// turn is a movement of a hand, with a rest before it.
func (p *packaged) turn(t *testing.T, direction string) {
	t.Helper()
	from := time.Now()
	rig.Until(t, "the hand to rest", func() bool { return time.Since(from) > 700*time.Millisecond }, p.evidence)
	p.Turn(t, p.puck, direction)
}

// quiet checks that nothing else was said or published.
func (p *packaged) quiet(t *testing.T) {
	t.Helper()
	p.is(t, puck.Idle)
	p.WaitState(t, p.puck.Ring(), "off")
	p.WaitState(t, p.puck.Satellite(), "idle")
	if rest := p.spoken()[p.heard:]; len(rest) > 0 || len(p.answers)+len(p.requests) > 0 {
		t.Errorf("there was also %+v, %d answers, %d requests", rest, len(p.answers), len(p.requests))
	}
	p.heard = len(p.spoken())
}

// noSurprise checks that only expected messages were logged.
func noSurprise(t *testing.T, h *homeassistant.Instance) {
	t.Helper()
	for _, w := range h.Warnings() {
		if !expected(w) {
			t.Error(w)
		}
	}
}

func expected(warning string) bool {
	return strings.Contains(warning, "No answer from question") || // silence, or a button was quicker
		strings.Contains(warning, "not JSON") || // the rubbish of a test
		strings.Contains(warning, "SyntaxWarning: invalid") // Home Assistant tries every text as a number, also ids such as 4j…, and takes it as a text then
}

// A real Home Assistant runs the puck by the package that nod writes: real events, timers and MQTT.
func TestHomeAssistantRunsThePuck(t *testing.T) {
	t.Parallel()
	p := newPackaged(t)
	if problems := p.CheckConfig(t); problems != "" {
		t.Fatal(problems)
	}
	noSurprise(t, p.Instance)
	for _, s := range []struct {
		name string
		walk func(*testing.T, *packaged)
	}{
		{"every step is the table's", sameSteps}, {"every light is the ring's", sameLights},
		{"1 a simple question", scenarioQuestion}, {"2 an approval", scenarioApproval}, {"2 nobody answers", scenarioTimeout}, {"3 several approvals", scenarioSeveral},
		{"4 a conversation", scenarioConversation}, {"5 what fails", scenarioFailures}, {"6 a choice", scenarioChoice}, {"7 back to a conversation", scenarioResume},
		{"answers elsewhere", scenarioElsewhere}, {"hostile words", scenarioHostile},
		{"other names", scenarioAliases}, {"a reload", scenarioReload}, {"custom sentences", scenarioSentences}, {"a speaker", scenarioSpeaker}, {"the blueprint", scenarioBlueprint}, {"a restart", scenarioRestart},
	} {
		if !t.Run(s.name, func(t *testing.T) { s.walk(t, p) }) {
			t.Fatal("the rest would begin in the middle of it\n", p.evidence())
		}
	}
	noSurprise(t, p.Instance)
}
