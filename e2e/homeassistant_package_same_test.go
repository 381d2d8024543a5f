//go:build full

package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nod/internal/present/hasskit"
	"nod/internal/present/puck"
)

// parsed is a YAML file as Home Assistant reads it.
func parsed(t *testing.T, text []byte) (v map[string]any) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "file.yaml")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("python3", "-c", "import json, sys, yaml; json.dump(yaml.safe_load(open(sys.argv[1], encoding='utf-8')), sys.stdout)", file).Output()
	if err == nil {
		err = json.Unmarshal(out, &v)
	}
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// sameSteps walks the machine of nod and that of the package by the same events.
func sameSteps(t *testing.T, p *packaged) {
	files, err := hasskit.Package(hasskit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	machine := parsed(t, files[0].Data)["template"].([]any)[0].(map[string]any)["variables"].(map[string]any)
	table, err := json.Marshal(machine["table"])
	if err != nil {
		t.Fatal(err)
	}
	const end = "{{ {'memory': ns.m, 'effects': ns.out} }}"
	step := machine["step"].(string)
	if !strings.HasSuffix(step, end) {
		t.Fatalf("the template ends with %q", step[len(step)-100:])
	}
	// One template takes a whole walk: what it remembers is in a namespace.
	step = strings.TrimSuffix(step, end) + "{%- set walk.memory = ns.m -%}{%- set walk.trail = walk.trail + [{'memory': ns.m, 'effects': ns.out}] -%}"
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 7))
		var m puck.Memory
		var inputs []puck.Input
		var sent []map[string]any
		var want []string
		for range 200 {
			in := someInput(r)
			inputs, sent = append(inputs, in), append(sent, wired(in))
			var effects []puck.Effect
			m, effects = puck.Step(m, in)
			want = append(want, stepLine(m, effects))
		}
		body, err := json.Marshal(sent)
		if err != nil {
			t.Fatal(err)
		}
		text := p.Render(t, "{%- set table = "+string(table)+" -%}{%- set walk = namespace(memory={}, trail=[]) -%}{%- for input in "+string(body)+
			" -%}{%- set memory = walk.memory -%}"+step+"{%- endfor -%}{{ walk.trail | to_json }}")
		var got []packageStep
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatalf("%v: %.300s", err, text)
		}
		for i := range want {
			if line := got[i].line(t); line != want[i] {
				t.Fatalf("seed %d, step %d, %+v:\nhouse %s\nnod   %s", seed, i, inputs[i], line, want[i])
			}
		}
	}
}

func someInput(r *rand.Rand) puck.Input {
	events := puck.Events()
	in := puck.Input{Event: events[r.IntN(len(events))], Text: "text", Turn: r.IntN(14), Option: r.IntN(7), Code: puck.HTTPError, Detail: "503"}
	if r.IntN(3) == 0 { // else it is idle most of the time
		in.Event = []puck.Event{puck.Approval, puck.Choice}[r.IntN(2)]
	}
	switch in.Event {
	case puck.Approval, puck.Choice:
		in.Request, in.Command, in.Question = fmt.Sprint("r", r.IntN(30)), "make", "Which?"
		in.Total, in.Index, in.OnScreen, in.Twice = r.IntN(14), r.IntN(15), r.IntN(4) == 0, r.IntN(3) == 0
		in.Options = []string{"a", "b", "c", "d", "e", "f", "g"}[:r.IntN(8)]
	default:
		if r.IntN(6) == 0 {
			in.Request = fmt.Sprint("r", r.IntN(30))
		}
	}
	if in.Event == puck.Approval {
		in.Text = "" // of what is no command nod makes the whole sentence
	}
	return in
}

func wired(in puck.Input) map[string]any {
	options := in.Options
	if options == nil {
		options = []string{}
	}
	return map[string]any{
		"event": in.Event, "request": in.Request, "command": in.Command, "question": in.Question, "options": options, "option": in.Option, "index": in.Index,
		"total": in.Total, "turn": in.Turn, "text": in.Text, "code": in.Code, "detail": in.Detail, "on_screen": in.OnScreen, "twice": in.Twice,
	}
}

// packageStep is one step as the package takes it.
type packageStep struct {
	Memory struct {
		State, Request, Command, Question, Answered, Code string
		Options                                           []string
		Selected, Index, Total, Turn, Left                int
		Context, Talking, Taught, Twice                   bool
		OnScreen                                          bool `json:"on_screen"`
	}
	Effects []json.RawMessage
}

func (s packageStep) line(t *testing.T) string {
	t.Helper()
	m := s.Memory
	line := fmt.Sprint(m.State, m.Request, m.Command, m.Question, m.Options, m.Selected, m.Index, m.Total, m.Turn, m.Left, m.Context, m.Talking, m.OnScreen, m.Twice, m.Taught, m.Answered, m.Code)
	for _, raw := range s.Effects {
		var e struct{ Kind, Key, Timer, Request, Type, Reason, Code, Command, Question, Text string }
		into, option := any(nil), struct{ Option int }{}
		var light puck.Light
		err := json.Unmarshal(raw, &e)
		switch e.Kind {
		case "light":
			into = &light
		case "answer":
			into = &option
		}
		if into != nil && err == nil {
			err = json.Unmarshal(raw, into)
		}
		if err != nil {
			t.Fatalf("%v: %s", err, raw)
		}
		switch e.Kind {
		case "light":
			line += fmt.Sprintf("; light %+v", light)
		case "say":
			line += fmt.Sprint("; say ", e.Key, e.Code, e.Text, e.Command, e.Question)
		case "start", "stop":
			line += "; " + e.Kind + " " + e.Timer
		case "answer":
			line += fmt.Sprint("; answer ", e.Request, e.Type, e.Reason, option.Option)
		default:
			line += "; " + e.Kind
		}
	}
	return line
}

func stepLine(m puck.Memory, effects []puck.Effect) string {
	line := fmt.Sprint(m.At(), m.Request, m.Command, m.Question, append([]string{}, m.Options[:m.Count]...), m.Selected, m.Index, m.Total, m.Turn, m.Left, m.Context, m.Talking, m.OnScreen, m.Twice, m.Taught, m.Answered, m.Code)
	for _, e := range effects {
		switch {
		case e.Light != nil:
			line += fmt.Sprintf("; light %+v", *e.Light)
		case e.Say != nil:
			line += fmt.Sprint("; say ", e.Say.Key, e.Say.Code, e.Say.Text, e.Say.Command, e.Say.Question)
		case e.Start != "":
			line += "; start " + string(e.Start)
		case e.Stop != "":
			line += "; stop " + string(e.Stop)
		case e.Answer != nil:
			line += fmt.Sprint("; answer ", e.Answer.Request, e.Answer.Type, e.Answer.Reason, e.Answer.Option)
		case e.Beep:
			line += "; beep"
		case e.Interrupt:
			line += "; interrupt"
		}
	}
	return line
}

// sameLights compares every LED with what package puck paints.
func sameLights(t *testing.T, p *packaged) {
	files, err := hasskit.Package(hasskit.Options{RingAction: "esphome.kitchen_nod_ring"})
	if err != nil {
		t.Fatal(err)
	}
	led := parsed(t, files[0].Data)["script"].(map[string]any)["claude_led"].(map[string]any)
	frames := led["sequence"].([]any)[0].(map[string]any)["variables"].(map[string]any)["frames"].(string)
	var lights []puck.Light
	for _, c := range puck.Colors() {
		lights = append(lights, puck.Light{Mode: puck.Solid, Color: c}, puck.Light{Mode: puck.Blink, Color: c}, puck.Light{Mode: puck.Drain, Color: c, Percent: 37})
	}
	for n := range 16 {
		lights = append(lights, puck.Light{Mode: puck.Progress, Completed: n, Current: n + 1}, puck.Light{Mode: puck.Progress, Completed: n},
			puck.Light{Mode: puck.Drain, Color: puck.White, Percent: n * 8}, puck.Light{Mode: puck.Segments, Options: n%5 + 1, Selected: n%3 + 1},
			puck.Light{Mode: puck.Blink, Options: n%5 + 1, Selected: min(n%5+1, n%3+1)})
	}
	rows := make([]string, len(lights))
	for i, l := range lights {
		rows[i] = fmt.Sprintf("['%s', '%s', %d, %d, %d, %d, %d]", l.Mode, l.Color, l.Options, l.Selected, l.Completed, l.Current, l.Percent)
	}
	text := "{%- for mode, color, options, selected, completed, current, percent in [" + strings.Join(rows, ", ") + "] -%}" +
		strings.Replace(frames, "{{ ns.frames }}", "{{ ns.frames | join(' ') }}{{ '\n' }}", 1) + "{%- endfor -%}"
	got := strings.Split(p.Render(t, text), "\n")
	got = slices.DeleteFunc(got, func(s string) bool { return s == "" })
	if len(got) != len(lights) {
		t.Fatalf("%d lines for %d lights", len(got), len(lights))
	}
	for i, l := range lights {
		want := ""
		for tick := range 2 {
			for _, c := range l.Ring(tick) {
				want += fmt.Sprintf("%02x%02x%02x", c.R, c.G, c.B)
			}
			want += " "
		}
		if strings.TrimSpace(got[i]) != strings.TrimSpace(want) {
			t.Errorf("%+v:\n%s\n%s", l, got[i], want)
		}
	}
}
