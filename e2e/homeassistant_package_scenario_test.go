//go:build full

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"nod/e2e/homeassistant"
	"nod/e2e/rig"
	"nod/internal/present/puck"
)

func scenarioQuestion(t *testing.T, p *packaged) {
	p.Hear(t, p.puck, "ask claude what is two plus two")
	asked := p.next(t, p.requests)
	if id, _ := asked["requestId"].(string); asked["text"] != "what is two plus two" || asked["language"] != "en" || id == "" {
		t.Errorf("it asks %v", asked)
	}
	p.is(t, puck.Thinking)
	p.says(t, "announce Asking Claude.")
	p.lit(t, puck.Blue)
	p.Press(t, p.puck, "double_press") // a beep
	p.says(t, "media ")
	p.tell(t, map[string]any{"type": "question", "text": "Four"})
	p.says(t, "announce Four")
	p.quiet(t)

	p.Hear(t, p.puck, "ask claude what is the meaning of it all")
	asked = p.next(t, p.requests)
	p.says(t, "announce Asking Claude.")
	p.Press(t, p.puck, "long_press")
	p.says(t, "announce Cancelled.")
	p.answered(t, map[string]any{"requestId": asked["requestId"], "type": "cancelled", "reason": "user_cancel"})
	p.quiet(t)

	p.Press(t, p.puck, "double_press") // an idle puck is not ours
	p.tell(t, map[string]any{"type": "response", "text": "42"})
	p.says(t, "announce 42")
	p.quiet(t)
}

func scenarioApproval(t *testing.T, p *packaged) {
	// By the dial: previewed first, then confirmed. The instructions are spoken once.
	p.approval(t, "r1", "make test")
	p.is(t, puck.Waiting)
	p.lit(t, puck.Orange)
	p.says(t, "announce Turn right to allow, left to refuse, then press. Or say yes or no.", "ask Run make test?")
	p.listens(t)
	p.turn(t, "clockwise")
	p.is(t, puck.PreviewApprove)
	p.lit(t, puck.LightGreen)
	p.Turn(t, p.puck, "clockwise") // the same movement
	p.Press(t, p.puck, "double_press")
	p.answered(t, map[string]any{"requestId": "r1", "type": "approved"})
	rig.Until(t, "the microphone to be closed", func() bool { return slices.ContainsFunc(p.Said(p.puck), hushes) }, p.evidence)
	p.lit(t, puck.Blue)
	p.tell(t, map[string]any{"type": "response", "text": "All green."})
	p.says(t, "announce All green.")
	p.quiet(t)

	// Left, and left again.
	p.approval(t, "r2", "make clean")
	p.says(t, "ask Run make clean?")
	p.turn(t, "anticlockwise")
	p.is(t, puck.PreviewReject)
	p.lit(t, puck.LightRed)
	p.turn(t, "anticlockwise")
	p.answered(t, map[string]any{"requestId": "r2", "type": "rejected", "reason": "user_reject"})
	p.says(t, "announce Cancelled.")
	p.quiet(t)

	// By voice, at once; and after the wake word.
	p.approval(t, "r3", "ls")
	p.says(t, "ask Run ls?")
	p.listens(t)
	p.Hear(t, p.puck, "Yes, please.")
	p.answered(t, map[string]any{"requestId": "r3", "type": "approved"})
	p.approval(t, "r4", "rm notes")
	p.says(t, "ask Run rm notes?")
	p.WaitState(t, "automation.claude_answers", "on")
	p.Converse(t, homeassistant.Conversation{Text: "no"})
	p.answered(t, map[string]any{"requestId": "r4", "type": "rejected", "reason": "user_reject"})
	p.says(t, "announce Cancelled.")
	p.quiet(t)

	// A change of mind, a preview without confirmation, two presses as a yes.
	p.approval(t, "r5", "ls")
	p.says(t, "ask Run ls?")
	p.turn(t, "clockwise")
	p.is(t, puck.PreviewApprove)
	p.turn(t, "anticlockwise")
	p.is(t, puck.Waiting)
	p.turn(t, "clockwise")
	p.is(t, puck.PreviewApprove)
	p.is(t, puck.Waiting) // by its timer
	p.lit(t, puck.Orange)
	p.Press(t, p.puck, "triple_press")
	p.says(t, "ask Run ls?")
	p.Press(t, p.puck, "double_press")
	p.answered(t, map[string]any{"requestId": "r5", "type": "approved"})
	p.tell(t, map[string]any{"type": "finished"})
	p.quiet(t)

	// What takes a screen.
	p.tell(t, map[string]any{"type": "approval", "requestId": "r6", "command": "rm -rf build", "onScreen": true, "speech": "It wants to run rm. Allow it on a screen, or say no."})
	p.says(t, "ask It wants to run rm. Allow it on a screen, or say no.")
	p.listens(t)
	p.Hear(t, p.puck, "yes")
	p.says(t, "ask That can only be allowed on a screen.")
	p.is(t, puck.Waiting)
	p.Press(t, p.puck, "long_press")
	p.answered(t, map[string]any{"requestId": "r6", "type": "rejected", "reason": "user_cancel"})
	p.says(t, "announce Cancelled.")
	p.quiet(t)
}

func scenarioTimeout(t *testing.T, p *packaged) {
	p.approval(t, "r10", "make test")
	p.says(t, "ask Run make test?", "ask Still there?", "announce Never mind.")
	p.answered(t, map[string]any{"requestId": "r10", "type": "rejected", "reason": "timeout"})
	p.quiet(t)
}

func scenarioSeveral(t *testing.T, p *packaged) {
	several := func(id string, index int, command string) {
		p.tell(t, map[string]any{"type": "multi_approval", "requestId": id, "command": command, "approvalIndex": index, "approvalTotal": 3})
	}
	several("m1", 1, "one")
	p.says(t, "ask 1 of 3: run one?")
	p.listens(t)
	p.Hear(t, p.puck, "do it")
	p.answered(t, map[string]any{"requestId": "m1", "type": "approved"})
	several("m2", 2, "two")
	p.says(t, "ask 2 of 3: run two?")
	p.Press(t, p.puck, "double_press")
	p.answered(t, map[string]any{"requestId": "m2", "type": "approved"})
	several("m2", 2, "two") // it came twice
	several("m3", 3, "three")
	p.says(t, "ask 3 of 3: run three?")
	p.listens(t)
	p.Hear(t, p.puck, "no thanks")
	p.answered(t, map[string]any{"requestId": "m3", "type": "rejected", "reason": "user_reject"})
	p.says(t, "announce Cancelled.")
	p.quiet(t)
}

func scenarioConversation(t *testing.T, p *packaged) {
	p.Hear(t, p.puck, "ask claude who wrote it")
	p.next(t, p.requests)
	p.says(t, "announce Asking Claude.")
	p.tell(t, map[string]any{"type": "question", "text": "Anna did. And when?", "turnNumber": 1})
	p.says(t, "ask Anna did. And when?")
	p.listens(t)
	p.lit(t, puck.White)
	p.Hear(t, p.puck, "in the spring")
	if asked := p.next(t, p.requests); asked["text"] != "in the spring" {
		t.Errorf("it goes on with %v", asked)
	}
	p.says(t, "announce Asking Claude.")
	p.tell(t, map[string]any{"type": "question", "text": "Then it was May.", "turnNumber": 3})
	p.says(t, "announce Then it was May.")
	p.WaitFor(t, p.puck.Ring(), "fading", func(s homeassistant.State) bool {
		b, _ := s.Attributes["brightness"].(float64)
		return s.State == "on" && b > 0 && b < 180 && fmt.Sprint(s.Attributes["rgb_color"]) == "[255 255 255]"
	})
	p.quiet(t) // by its timer
}

func scenarioFailures(t *testing.T, p *packaged) {
	p.tell(t, "not a message")
	p.is(t, puck.Error)
	p.says(t, "announce JSON parse error on claude response. message.")
	p.quiet(t)
	p.tell(t, map[string]any{"type": "approval", "command": "ls"})
	p.says(t, "announce JSON parse error on claude response. requestId.")
	p.quiet(t)
	p.tell(t, map[string]any{"type": "choice", "requestId": "c0", "question": "Which?", "options": []string{}})
	p.says(t, "announce JSON parse error on claude response. options is missing.")
	p.quiet(t)
	p.tell(t, map[string]any{"type": "error", "code": "HTTP_ERROR", "message": "503"})
	p.lit(t, puck.Red)
	p.says(t, "announce Claude returned 503.")
	p.quiet(t)
	p.tell(t, map[string]any{"type": "error", "code": "HTTP_ERROR", "message": "503", "text": "The model is busy."})
	p.says(t, "announce The model is busy.")
	p.quiet(t)
	for _, c := range [][3]string{
		{"MQTT_TIMEOUT", "10 seconds", "MQTT publish to claude request timed out after 10 seconds."},
		{"MQTT_DISCONNECT", "desk.local 1883", "MQTT broker disconnected. Check desk.local 1883."},
		{"AUTOMATION_ERROR", "claude: route", "Automation claude: route threw an error. Check the Home Assistant log."},
	} {
		p.tell(t, map[string]any{"type": "error", "code": c[0], "message": c[1]})
		p.lit(t, puck.Red)
		p.says(t, "announce "+c[2])
		p.quiet(t)
	}
	p.Hear(t, p.puck, "ask claude anything")
	p.next(t, p.requests)
	p.says(t, "announce Asking Claude.", "announce No response on claude response after 4 seconds.")
	p.quiet(t)
}

// nod finds the conversation, says what it was about, and the ring shows its age again.
func scenarioResume(t *testing.T, p *packaged) {
	p.Hear(t, p.puck, "ask claude to resume")
	if asked := p.next(t, p.requests); asked["text"] != "to resume" {
		t.Errorf("it asks %v", asked)
	}
	p.says(t, "announce Asking Claude.")
	p.tell(t, map[string]any{"type": "resumed", "text": "the home cluster", "turnNumber": 1})
	p.says(t, "announce Back to: the home cluster.")
	p.is(t, puck.Idle)
	p.lit(t, puck.White)
	p.quiet(t) // by its timer
}

// The names of the design that the puck follows show what it does, and its script drives it.
func scenarioAliases(t *testing.T, p *packaged) {
	p.WaitState(t, "input_select.claude_state", "IDLE")
	p.Call(t, "script.claude_transition", map[string]any{"event": "approval", "payload": `{"requestId":"alias1","command":"kubectl get nodes"}`})
	p.says(t, "ask Run kubectl get nodes?")
	p.WaitState(t, "input_select.claude_state", "WAITING")
	p.WaitState(t, "input_text.claude_request_id", "alias1")
	p.WaitState(t, "input_text.claude_pending_command", "kubectl get nodes")
	p.listens(t)
	p.Call(t, "script.claude_transition", map[string]any{"event": "dial_cw"})
	p.WaitState(t, "input_select.claude_state", "PREVIEW_APPROVE")
	p.Call(t, "script.claude_transition", map[string]any{"event": "button"})
	p.answered(t, map[string]any{"requestId": "alias1", "type": "approved"})
	p.tell(t, map[string]any{"type": "finished", "requestId": "alias1"})
	p.WaitState(t, "input_select.claude_state", "IDLE")
	p.quiet(t)
}

func scenarioChoice(t *testing.T, p *packaged) {
	options := []string{"Blue", "Dark red (matte)", "Green."}
	choice := func(id string) {
		p.tell(t, map[string]any{"type": "choice", "requestId": id, "question": "Which colour?", "options": options})
		p.says(t, "ask Which colour? 1: Blue. 2: Dark red (matte). 3: Green.")
		p.is(t, puck.MultipleChoice)
		p.listens(t)
	}
	choice("c1")
	p.Turn(t, p.puck, "anticlockwise") // round
	p.says(t, "ask Green.")
	p.Turn(t, p.puck, "clockwise")
	p.says(t, "ask Blue.")
	p.Turn(t, p.puck, "clockwise")
	p.says(t, "ask Dark red (matte).")
	p.Press(t, p.puck, "double_press")
	p.answered(t, map[string]any{"requestId": "c1", "type": "choice", "selectedOption": 2.0})
	p.is(t, puck.Executing)
	for said, want := range map[string]float64{"dark red matte": 2, "option three": 3, "1": 1} {
		id := "c-" + said
		choice(id)
		p.Hear(t, p.puck, said)
		p.answered(t, map[string]any{"requestId": id, "type": "choice", "selectedOption": want})
	}
	choice("c5")
	p.Converse(t, homeassistant.Conversation{Text: "option two"})
	p.answered(t, map[string]any{"requestId": "c5", "type": "choice", "selectedOption": 2.0})
	choice("c6")
	p.Hear(t, p.puck, "whatever you like") // a beep, never a choice
	p.says(t, "media ")
	p.is(t, puck.MultipleChoice)
	p.Press(t, p.puck, "long_press")
	p.answered(t, map[string]any{"requestId": "c6", "type": "cancelled", "reason": "user_cancel"})
	p.says(t, "announce Cancelled.")
	p.quiet(t)
}

func scenarioElsewhere(t *testing.T, p *packaged) {
	p.approval(t, "e1", "ls")
	p.says(t, "ask Run ls?")
	p.listens(t)
	p.tell(t, map[string]any{"type": "withdrawn", "requestId": "another"})
	p.tell(t, map[string]any{"type": "withdrawn", "requestId": "e1"})
	p.says(t, "announce Done elsewhere.")
	p.quiet(t)
	if s := p.WaitState(t, "automation.claude_answers", "off"); s.State != "off" {
		t.Error("an idle puck takes every yes of the house")
	}
}

// scenarioHostile: text from agents is shown and spoken, but never executed.
func scenarioHostile(t *testing.T, p *packaged) {
	for _, text := range []string{"{{ states('light.x') }}", "[1, 2, 3]", "{'a': 1}", "True", "'; DROP", "0x10", `"""`, "7, 8"} {
		p.tell(t, map[string]any{"type": "response", "text": text})
		rig.Until(t, "it to be said", func() bool { return len(p.spoken()) > p.heard }, p.evidence)
		if said := p.spoken()[p.heard]; strings.TrimSuffix(said.Message, "\u200b") != text {
			t.Errorf("%q is said as %q", text, said.Message)
		}
		p.heard++
	}
	evil := "{% for i in range(9) %}x{% endfor %} [a|b] {name} <rule>"
	p.tell(t, map[string]any{"type": "choice", "requestId": "h1", "question": "Which?", "options": []string{evil, strings.Repeat("long ", 300), "yes"}})
	p.is(t, puck.MultipleChoice)
	rig.Until(t, "the question", func() bool { return len(p.spoken()) > p.heard }, p.evidence)
	if said := p.spoken()[p.heard]; !strings.Contains(said.Message, evil) {
		t.Errorf("it asks %q", said.Message)
	}
	p.heard++
	p.listens(t)
	p.Hear(t, p.puck, "option 3")
	p.answered(t, map[string]any{"requestId": "h1", "type": "choice", "selectedOption": 3.0})
	p.tell(t, map[string]any{"type": "finished"})
	p.quiet(t)
}

// scenarioReload: restored state triggers nothing a second time.
func scenarioReload(t *testing.T, p *packaged) {
	p.approval(t, "l1", "ls")
	p.says(t, "ask Run ls?")
	p.Call(t, "template.reload", nil)
	p.is(t, puck.Waiting)
	p.Press(t, p.puck, "double_press")
	p.answered(t, map[string]any{"requestId": "l1", "type": "approved"})
	p.tell(t, map[string]any{"type": "finished"})
	p.Call(t, "template.reload", nil)
	p.quiet(t)
}

// scenarioRestart: pending requests survive a restart with their timers, and nothing is done twice.
func scenarioRestart(t *testing.T, p *packaged) {
	p.approval(t, "w1", "ls")
	p.says(t, "ask Run ls?")
	p.turn(t, "clockwise")
	p.Press(t, p.puck, "double_press")
	p.answered(t, map[string]any{"requestId": "w1", "type": "approved"}) // the last thing that is done before
	p.tell(t, map[string]any{"type": "finished"})
	p.quiet(t)
	p.tell(t, map[string]any{"type": "choice", "requestId": "w2", "question": "Which?", "options": []string{"a", "b"}})
	p.says(t, "ask Which? 1: a. 2: b.")
	noSurprise(t, p.Instance) // the restart empties the log
	p.Restart(t)
	p.heard = 0
	p.is(t, puck.MultipleChoice)
	p.WaitState(t, "timer.claude_approval", "active")
	p.WaitFor(t, p.puck.Ring(), "the first option's colour", func(s homeassistant.State) bool {
		return fmt.Sprint(s.Attributes["rgb_color"]) == "[0 120 255]"
	})
	p.turn(t, "clockwise")
	p.says(t, "ask b.")
	p.Press(t, p.puck, "double_press")
	p.answered(t, map[string]any{"requestId": "w2", "type": "choice", "selectedOption": 2.0})
	p.tell(t, map[string]any{"type": "finished"})
	p.quiet(t)
}
