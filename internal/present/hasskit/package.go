package hasskit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"nod/internal/present/puck"
	"nod/internal/present/words"
)

// Package is the puck as a package of Home Assistant, which runs it then.
func Package(o Options) ([]File, error) {
	s, err := newSheet(o)
	if err != nil {
		return nil, err
	}
	text, err := fill("package.yaml", 0, s)
	if err != nil {
		return nil, err
	}
	return []File{{Name: "packages/" + s.ID + "_voice_pe.yaml", Data: []byte(text)}}, nil
}

// sheet is everything that the templates name.
type sheet struct {
	Options
	ID, Language, MinVersion string

	Table, Step, LED, Voice, AskScript, BlueLED, BlueVoice string // parts, made first

	Timers  []timing
	Persons string
	Lights  []light
	States  string
	Ages    string

	AliasTexts, AliasNumbers []string
	LastAge                  int
	LEDs                     int
	MostOptions              int
	Flick                    string
	NoReply                  string

	ColorNames, Hex, Bright         string
	OptionHex, OptionDim, OptionRGB string

	Keys                       string
	Sentences, Errors          []line
	Choices, Numbered, Resumed string
	Trouble                    string
	Ask                        []string
	Answers                    []answers
	Yes, No, Cancel, Stop      string
	NumberWords, Numbers       string
	OptionNumber, OptionWord   string
}

type timing struct {
	Timer puck.Timer
	Event puck.Event
	Clock string
}

type light struct{ Show, Light string }

type line struct{ Key, Text string }

type answers struct {
	Event     puck.Event
	Sentences []string
}

// flick: one movement of a hand is one intention, in seconds.
const flick = "0.6"

func newSheet(o Options) (*sheet, error) {
	o, err := o.filled()
	if err != nil {
		return nil, err
	}
	s := &sheet{
		Options: o, ID: o.id(), Language: o.language(), MinVersion: MinVersion, LEDs: puck.LEDs, MostOptions: puck.MostOptions, Flick: flick,
		Table:      indent(table(), 8),
		AliasTexts: []string{"request_id", "pending_command", "choice_options"}, AliasNumbers: []string{"approval_count", "current_approval", "choice_selected", "choice_count", "conversation_turn"},
	}
	var states []string
	for _, state := range puck.States() {
		states = append(states, string(state))
	}
	s.States = "[" + strings.Join(states, ", ") + "]"
	s.machine()
	s.colors()
	s.words()
	for _, part := range []struct {
		into *string
		name string
		deep int
	}{{&s.Step, "step.jinja", 8}, {&s.LED, "led.yaml", 6}, {&s.Voice, "voice.yaml", 6}, {&s.AskScript, "ask.yaml", 6}} {
		if *part.into, err = fill(part.name, part.deep, s); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// table is the table of package puck as YAML.
func table() string {
	var b strings.Builder
	var from puck.State
	var on puck.Event
	for _, row := range puck.Table() {
		if row.From != from {
			from, on = row.From, ""
			fmt.Fprintf(&b, "%s:\n", from)
		}
		if row.On != on {
			on = row.On
			fmt.Fprintf(&b, "  %s:\n", on)
		}
		b.WriteString("    - {")
		if row.When != "" {
			fmt.Fprintf(&b, "when: %s, ", row.When)
		}
		fmt.Fprintf(&b, "to: %s", row.To)
		if len(row.Do) > 0 {
			effects := make([]string, len(row.Do))
			for i, d := range row.Do {
				effects[i] = effect(d)
			}
			fmt.Fprintf(&b, ", do: [%s]", strings.Join(effects, ", "))
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// effect is one effect in two or three words. None of them alone means something
// else in YAML.
func effect(d puck.Do) string {
	switch {
	case d.Set != "":
		return "note " + string(d.Set)
	case d.Light != "":
		return "light " + string(d.Light)
	case d.Say != "":
		return "say " + string(d.Say)
	case d.Start != "":
		return "start " + string(d.Start)
	case d.Stop != "":
		return "stop " + string(d.Stop)
	case d.Answer != "":
		return strings.TrimSpace("answer " + d.Answer + " " + d.Reason)
	case d.Interrupt:
		return "interrupt"
	}
	return "beep"
}

func (s *sheet) machine() {
	var persons []string
	for _, e := range puck.Events() {
		if e.Person() {
			persons = append(persons, string(e))
		}
	}
	s.Persons = literals(persons)
	for _, t := range puck.Timers() {
		span := t.For
		if t.Timer == puck.FlashTimer {
			span += time.Second // Home Assistant's timers count whole seconds, and end up to one early
		}
		if other := s.Options.Timers[t.Timer]; other > 0 {
			span = other
		}
		s.Timers = append(s.Timers, timing{t.Timer, t.Event, clock(span)})
		if t.Timer == puck.ResponseTimer {
			s.NoReply = s.Say.SpokenSpan(span)
		}
	}
	// The others follow from what is remembered.
	for _, show := range []puck.Show{puck.ShowOff, puck.ShowThinking, puck.ShowAllow, puck.ShowRefuse, puck.ShowApproved, puck.ShowRejected, puck.ShowFlash, puck.ShowError} {
		l := puck.Memory{}.Light(show)
		text := "{'mode': " + literal(string(l.Mode))
		if l.Color != "" {
			text += ", 'color': " + literal(string(l.Color))
		}
		s.Lights = append(s.Lights, light{string(show), text + "}"})
	}
	var ages []string
	for turn := 1; len(ages) == 0 || puck.Age(turn) != puck.Age(turn-2); turn += 2 {
		ages = append(ages, string(puck.Age(turn)))
	}
	s.Ages, s.LastAge = literals(ages), len(ages)-1
}

func clock(d time.Duration) string {
	sec := int(d.Round(time.Second) / time.Second)
	return fmt.Sprintf("%02d:%02d:%02d", sec/3600, sec/60%60, sec%60)
}

func (s *sheet) colors() {
	var names, hexes, brights []string
	for _, c := range puck.Colors() {
		rgb, bright := c.Bright()
		names = append(names, string(c))
		hexes = append(hexes, fmt.Sprintf("'%s': '%s'", c, hex(c.RGB())))
		brights = append(brights, fmt.Sprintf("'%s': [ [%d, %d, %d], %d]", c, rgb.R, rgb.G, rgb.B, bright))
	}
	s.ColorNames = "[" + strings.Join(names, ", ") + "]"
	s.Hex, s.Bright = "{"+strings.Join(hexes, ", ")+"}", "{"+strings.Join(brights, ", ")+"}"
	var bright, dim, rgbs []string
	for n := 1; n <= puck.MostOptions; n++ {
		rgb := puck.OptionColor(n)
		bright = append(bright, hex(rgb))
		// As the ring shows it while another is chosen.
		at, _ := puck.Segment(n, puck.MostOptions)
		ring := puck.Light{Mode: puck.Segments, Options: puck.MostOptions}.Ring(0)
		dim = append(dim, hex(ring[at]))
		rgbs = append(rgbs, fmt.Sprintf("[%d, %d, %d]", rgb.R, rgb.G, rgb.B))
	}
	s.OptionHex, s.OptionDim, s.OptionRGB = literals(bright), literals(dim), "[ "+strings.Join(rgbs, ", ")+" ]"
}

func hex(c puck.RGB) string { return fmt.Sprintf("%02x%02x%02x", c.R, c.G, c.B) }

// words fills in what is said and what is heard.
func (s *sheet) words() {
	keys := []string{string(puck.SayAnswer), string(puck.SayError)}
	for _, one := range puck.Sentences() {
		keys = append(keys, string(one.Key))
		switch one.Key {
		case puck.SayChoices, puck.SayResumed: // these take more than a word
		default:
			s.Sentences = append(s.Sentences, line{string(one.Key), sentence(s.Say.Say(one.Text), one.Args...)})
		}
	}
	for _, one := range puck.Errors() {
		s.Errors = append(s.Errors, line{string(one.Key), sentence(s.Say.Say(one.Text), one.Args...)})
	}
	s.Keys = "[" + strings.Join(keys, ", ") + "]"
	s.Choices = sentence(s.Say.Say(words.PuckChoices), "question", "options")
	s.Numbered = expression(s.Say.Say(words.PuckNumbered), "loop.index", "option")
	s.Resumed = sentence(s.Say.Say(words.PuckResumed), "text")
	s.Trouble = s.Say.Say(words.PuckTrouble)
	v := vocabularyOf(s.Say)
	s.Ask, s.Yes, s.No, s.Cancel, s.Stop = v.ask, literals(v.yes), literals(append(slices.Clone(v.no), v.cancel...)), literals(append(slices.Clone(v.cancel), v.no...)), literals(v.stop)
	s.Answers = []answers{
		{puck.VoiceYes, v.yes}, {puck.VoiceNo, v.no}, {puck.VoiceCancel, v.cancel}, {puck.VoiceStop, v.stop}, {puck.VoiceOption, v.option},
	}
	s.NumberWords = literals(v.numbers)
	var numbers []string
	for i, word := range v.numbers {
		numbers = append(numbers, literal(word)+": "+strconv.Itoa(i+1))
	}
	s.Numbers = "{" + strings.Join(numbers, ", ") + "}"
	number := s.Say.Say(words.HomeAssistantOption)
	s.OptionNumber, s.OptionWord = expression(number, "loop.index"), expression(number, "words[loop.index0]")
}

// Spoken is a text for an action that takes texts alone: Home Assistant makes
// numbers and lists of what looks like one, unless something invisible follows.
func (s *sheet) Spoken(name string) string {
	return strconv.Quote(fmt.Sprintf(`{{ %[1]s }}{{ '' if %[1]s | string is match('(?!True|False|None|set|.{1,2}["\'])[^\\W\\d_]') else '\u200b' }}`, name))
}
