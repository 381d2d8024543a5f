package fakehass

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Puck is a Voice PE as Home Assistant sees it.
type Puck struct {
	House                                       *Server
	Satellite, Ring, Player, Button, Dial, Name string

	spoken    chan Spoken
	leds      string
	presses   int
	announces bool               // an announcement is playing, or a question is open
	listening bool               // the microphone is open
	reply     chan reply         // to the open question
	stopHear  context.CancelFunc // ends it without a reply
	ended     chan struct{}      // closed when what plays or is asked has ended
	refused   int                // calls while it was busy; Home Assistant logs an error for each
}

// Spoken is something that the satellite said.
type Spoken struct {
	Text    string
	Asked   bool
	Answers map[string][]string // sentences by id
}

type reply struct {
	text string
	ok   bool
}

// VoicePE adds a device with all its entities; a stock one has no event for the dial.
func (h *Server) VoicePE(suffix string, stock bool) *Puck {
	base := "home_assistant_voice_" + suffix
	p := &Puck{
		House: h, Name: "Home Assistant Voice " + suffix, spoken: make(chan Spoken, 100),
		Satellite: "assist_satellite." + base + "_assist_satellite", Ring: "light." + base + "_led_ring",
		Player: "media_player." + base + "_media_player", Button: "event." + base + "_button_press",
	}
	device := "device_" + suffix
	h.Device(device, p.Name)
	all := []string{p.Satellite, p.Ring, p.Player, p.Button}
	if !stock {
		p.Dial = "event." + base + "_dial"
		all = append(all, p.Dial)
		h.Set(p.Dial, "unknown", map[string]any{"event_type": nil})
	}
	for _, id := range all {
		h.Register(id, device, nil)
	}
	h.Set(p.Satellite, "idle", map[string]any{"supported_features": 3})
	h.Set(p.Ring, "off", map[string]any{"supported_color_modes": []string{"rgb"}})
	h.Set(p.Player, "idle", map[string]any{"volume_level": 0.8})
	h.Set(p.Button, "unknown", map[string]any{"event_type": nil})
	h.mu.Lock()
	h.pucks[p.Satellite] = p
	h.mu.Unlock()
	return p
}

func (p *Puck) action() string {
	return strings.TrimSuffix(strings.TrimPrefix(p.Ring, "light."), "_led_ring") + "_nod_ring"
}

// LEDs is what a device with the addition was last made to show.
func (p *Puck) LEDs() string {
	p.House.mu.Lock()
	defer p.House.mu.Unlock()
	return p.leds
}

// Press takes double_press, triple_press or long_press.
func (p *Puck) Press(kind string) { p.fire(p.Button, kind) }

// Rotate takes clockwise or anticlockwise; for a device with the addition.
func (p *Puck) Rotate(direction string) { p.fire(p.Dial, direction) }

func (p *Puck) fire(entity, kind string) {
	p.House.mu.Lock()
	defer p.House.mu.Unlock()
	p.presses++
	at := time.Now().UTC().Format("2006-01-02T15:04:05.000") + strconv.Itoa(p.presses) // always unique
	p.House.set(entity, at, map[string]any{"event_type": kind})
}

// Turn moves the dial of a stock device: the volume changes within its bounds.
func (p *Puck) Turn(detents int) {
	p.House.mu.Lock()
	defer p.House.mu.Unlock()
	s := p.House.states[p.Player]
	volume, _ := s.Attributes["volume_level"].(float64)
	volume = math.Round(min(0.85, max(0.4, volume+0.05*float64(detents)))*100) / 100
	p.House.set(p.Player, s.State, map[string]any{"volume_level": volume})
}

// Next waits for the next announcement.
func (p *Puck) Next(ctx context.Context) (Spoken, bool) {
	select {
	case s := <-p.spoken:
		return s, true
	case <-ctx.Done():
		return Spoken{}, false
	}
}

// Listening reports whether the microphone is open for an answer.
func (p *Puck) Listening() bool {
	p.House.mu.Lock()
	defer p.House.mu.Unlock()
	return p.listening
}

// Answer is a person's answer to an open question. It reports whether the microphone was open.
func (p *Puck) Answer(text string) bool { return p.hear(reply{text, true}) }

// Silence: nothing was understood.
func (p *Puck) Silence() bool { return p.hear(reply{}) }

func (p *Puck) hear(r reply) bool {
	p.House.mu.Lock()
	defer p.House.mu.Unlock()
	if !p.listening {
		return false
	}
	p.listening = false
	p.reply <- r
	return true
}

// restart: a restarted Home Assistant has forgotten its questions.
func (p *Puck) restart() {
	if p.stopHear != nil {
		p.stopHear()
	}
	p.announces, p.listening = false, false
	s := p.House.states[p.Satellite]
	p.House.states[p.Satellite] = State{"idle", s.Attributes}
}

func busy() *failure { return &failure{"home_assistant_error", ""} }

// Refused counts the calls that came while it was busy.
func (p *Puck) Refused() int {
	p.House.mu.Lock()
	defer p.House.mu.Unlock()
	return p.refused
}

// take begins both actions: it cancels listening, and fails while something is playing. What it returns is for release.
func (p *Puck) take() (playing chan struct{}, ok bool) {
	p.House.mu.Lock()
	listening, stop, ended := p.listening, p.stopHear, p.ended
	p.House.mu.Unlock()
	if listening { // the question ends before the new call goes on
		stop()
		<-ended
	}
	p.House.mu.Lock()
	defer p.House.mu.Unlock()
	if p.announces {
		p.refused++
		return nil, false
	}
	p.announces, p.ended = true, make(chan struct{})
	p.House.set(p.Satellite, "responding", nil)
	return p.ended, true
}

func (p *Puck) release(playing chan struct{}) {
	p.House.mu.Lock()
	defer p.House.mu.Unlock()
	close(playing)
	if p.ended != playing { // of before a restart
		return
	}
	p.announces, p.listening = false, false
	p.House.set(p.Satellite, "idle", nil)
}

func (p *Puck) announce(text string) *failure {
	playing, ok := p.take()
	if !ok {
		return busy()
	}
	defer p.release(playing)
	p.spoken <- Spoken{Text: text}
	time.Sleep(p.House.Speak)
	return nil
}

func (p *Puck) ask(data map[string]any) (any, *failure) {
	playing, ok := p.take()
	if !ok {
		return nil, busy()
	}
	defer p.release(playing)
	text, _ := data["question"].(string)
	s := Spoken{Text: text, Asked: true, Answers: sentences(data)}
	p.spoken <- s
	time.Sleep(p.House.Speak)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	room := make(chan reply, 1)
	p.House.mu.Lock()
	p.reply, p.stopHear, p.listening = room, cancel, true
	p.House.set(p.Satellite, "listening", nil)
	p.House.mu.Unlock()
	select {
	case r := <-room:
		if !r.ok {
			break
		}
		for id, list := range s.Answers {
			if slices.Contains(list, strings.ToLower(strings.Trim(r.text, ".!? "))) {
				return map[string]any{"id": id, "sentence": r.text, "slots": map[string]any{}}, nil
			}
		}
		return map[string]any{"id": nil, "sentence": r.text, "slots": map[string]any{}}, nil
	case <-ctx.Done():
	}
	return nil, &failure{"home_assistant_error", "No answer from question"}
}

func sentences(data map[string]any) map[string][]string {
	all := map[string][]string{}
	list, _ := data["answers"].([]any)
	for _, one := range list {
		answer, _ := one.(map[string]any)
		id, _ := answer["id"].(string)
		texts, _ := answer["sentences"].([]any)
		for _, t := range texts {
			if text, ok := t.(string); ok {
				all[id] = append(all[id], strings.ToLower(text))
			}
		}
	}
	return all
}
