package puck

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestTableIsComplete(t *testing.T) {
	last := map[State]map[Event]Row{}
	for _, row := range Table() {
		if last[row.From] == nil {
			last[row.From] = map[Event]Row{}
		}
		if before, ok := last[row.From][row.On]; ok && before.When == "" {
			t.Errorf("%s + %s: a row after one that always fits is never taken", row.From, row.On)
		}
		last[row.From][row.On] = row
		if _, ok := guards()[row.When]; row.When != "" && !ok {
			t.Errorf("%s + %s: there is no guard %q", row.From, row.On, row.When)
		}
		if !slices.Contains(States(), row.To) || !slices.Contains(Events(), row.On) {
			t.Errorf("%s + %s: goes to %q", row.From, row.On, row.To)
		}
	}
	for _, from := range States() {
		for _, on := range Events() {
			if row, ok := last[from][on]; !ok || row.When != "" {
				t.Errorf("%s + %s: nothing is said about it", from, on)
			}
		}
	}
}

// What a person does at the puck is never met with nothing, but for a voice while
// it is idle, which is not meant for it.
func TestEveryActionHasAnEffect(t *testing.T) {
	for _, row := range Table() {
		voiced := row.From == Idle && slices.Contains([]Event{VoiceYes, VoiceNo, VoiceOption, VoiceCancel, VoiceStop}, row.On)
		if row.On.Person() && len(row.Do) == 0 && !voiced {
			t.Errorf("%s + %s: nothing happens", row.From, row.On)
		}
	}
}

// Each state can be left by a person's hand or voice, and by time alone: no one
// needs to be there for it to come to rest.
func TestEveryStateCanBeLeft(t *testing.T) {
	byTime := map[State]State{}
	byHand := map[State]bool{Idle: true}
	for _, row := range Table() {
		if row.From == row.To {
			continue
		}
		if row.On == LongPress && row.To == Idle {
			byHand[row.From] = true
		}
		for _, timer := range Timers() {
			if timer.Event == row.On {
				byTime[row.From] = row.To
			}
		}
	}
	for _, from := range States() {
		if !byHand[from] {
			t.Errorf("a long press does not end %s", from)
		}
		at := from
		for range States() {
			if next, ok := byTime[at]; ok {
				at = next
			}
		}
		if at != Idle {
			t.Errorf("%s: time alone leads to %s", from, at)
		}
	}
}

// A state that time ends has the timer for it, started by every row that leads there.
func TestTimersRunWhereTheyAreNeeded(t *testing.T) {
	needs := map[State][]Timer{
		Thinking: {ResponseTimer}, Waiting: {ApprovalTimer, WarningTimer}, PreviewApprove: {PreviewTimer}, PreviewReject: {PreviewTimer},
		Executing: {StaleTimer}, MultipleChoice: {ApprovalTimer, WarningTimer}, Error: {ErrorTimer},
	}
	for _, row := range Table() {
		for _, timer := range needs[row.To] {
			if row.From != row.To && !slices.Contains(row.Do, Do{Start: timer}) {
				t.Errorf("%s + %s leads to %s without the timer %s", row.From, row.On, row.To, timer)
			}
		}
		for _, timer := range needs[row.From] {
			fires := slices.ContainsFunc(Timers(), func(x Timing) bool { return x.Timer == timer && x.Event == row.On })
			if row.From != row.To && !fires && !slices.Contains(needs[row.To], timer) && !slices.Contains(row.Do, Do{Stop: timer}) {
				t.Errorf("%s + %s leaves the timer %s running", row.From, row.On, timer)
			}
		}
	}
}

func TestOnlyAYesApproves(t *testing.T) {
	for _, row := range Table() {
		for _, d := range row.Do {
			if d.Answer != Approved {
				continue
			}
			confirmed := row.From == PreviewApprove && (row.On == Button || row.On == DialCW)
			if !confirmed && row.On != VoiceYes {
				t.Errorf("%s + %s approves", row.From, row.On)
			}
		}
	}
}

func TestDocumentIsUpToDate(t *testing.T) {
	path := filepath.Join("..", "..", "..", "docs", "voice-pe-states.md")
	if *update {
		if err := os.WriteFile(path, []byte(markdown()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != markdown() {
		t.Error("docs/voice-pe-states.md is not what the table says: run go test ./internal/present/puck -update")
	}
}
