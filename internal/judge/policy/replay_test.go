package policy

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// day is a time so many days before the day of the tests.
func day(ago int) time.Time {
	return time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC).AddDate(0, 0, -ago)
}

func happened(ago int, line string, v Verdict, byPerson bool) Past {
	return Past{ID: fmt.Sprintf("%s@%d", line, ago), At: day(ago), Subject: bashSubject(line), Verdict: v, ByPerson: byPerson}
}

func ids(list []Change) []string {
	var out []string
	for _, c := range list {
		out = append(out, c.Past.ID)
	}
	return out
}

func TestReplayReportsDifferences(t *testing.T) {
	past := []Past{
		happened(9, "go test", Allow, true),     // spared
		happened(8, "go test", Deny, true),      // alarming
		happened(7, "go test", "", false),       // no decision: spared
		happened(6, "go test", Deny, false),     // a rule denied it then
		happened(5, "go test", Allow, false),    // a rule allowed it then: the same
		happened(4, "make x", Allow, true),      // still asked
		happened(3, "make x", Allow, false),     // newly asked
		happened(2, "npm run x", Allow, true),   // newly denied, against the person
		happened(1, "npm run x", Deny, true),    // newly denied, as the person did
		happened(0, "npm run x", Deny, false),   // the same
		happened(-1, "npm run x", Allow, false), // newly denied
	}
	r := Replay(past, must(t, Config{Allow: []string{"Bash(go test)"}, Deny: []string{"Bash(npm:*)"}}))
	if got, want := ids(r.Allowed), []string{"go test@8", "go test@6", "go test@7", "go test@9"}; !slices.Equal(got, want) {
		t.Errorf("allowed %q, want %q", got, want)
	}
	if !r.Allowed[0].Against || r.Allowed[1].Against || r.Alarms != 1 {
		t.Errorf("alarms: %+v", r)
	}
	if got, want := ids(r.Denied), []string{"npm run x@2", "npm run x@-1", "npm run x@1"}; !slices.Equal(got, want) {
		t.Errorf("denied %q, want %q", got, want)
	}
	if !r.Denied[0].Against || r.Denied[2].Against {
		t.Errorf("against: %+v", r.Denied)
	}
	if got, want := ids(r.Asked), []string{"make x@3"}; !slices.Equal(got, want) {
		t.Errorf("asked %q, want %q", got, want)
	}
	if r.Same != 3 {
		t.Errorf("%d unchanged, want 3", r.Same)
	}
	if r.Allowed[0].Judgement.Rule != "your allow rule Bash(go test)" {
		t.Errorf("rule %q", r.Allowed[0].Judgement.Rule)
	}
}

func TestReplayOfNothing(t *testing.T) {
	if r := Replay(nil, must(t, Config{})); r.Same+len(r.Allowed)+len(r.Denied)+len(r.Asked) != 0 {
		t.Errorf("%+v", r)
	}
}
