package notify

import (
	"strings"
	"testing"
	"time"

	"nod/internal/net/push"
)

func everyone(string) bool { return true }

func people() []Person {
	return []Person{{Name: "anna", Channels: []string{"desk", "phone"}}, {Name: "bob", Channels: []string{"watch"}}}
}

func TestEscalationByChannelThenByPerson(t *testing.T) {
	l := DefaultLadder(people(), 0)
	for _, c := range []struct {
		waited time.Duration
		to     string
		next   time.Duration
	}{
		{0, "desk", 30 * time.Second}, {29 * time.Second, "desk", time.Second}, {30 * time.Second, "desk phone", 30 * time.Second},
		{60 * time.Second, "desk phone watch", 0}, {time.Hour, "desk phone watch", 0},
	} {
		to, next := l.Reached(c.waited, 0, everyone)
		if strings.Join(to, " ") != c.to || next != c.next {
			t.Errorf("after %v: %v, next in %v; want %s, %v", c.waited, to, next, c.to, c.next)
		}
	}
}

func TestEscalationSkipsQuietHours(t *testing.T) {
	l := DefaultLadder(people(), time.Minute)
	to, next := l.Reached(0, 0, func(c string) bool { return c == "watch" })
	if strings.Join(to, " ") != "watch" || next != 0 {
		t.Errorf("%v, next in %v", to, next)
	}
	if to, _ := l.Reached(time.Hour, 0, func(string) bool { return false }); len(to) != 0 {
		t.Errorf("at night %v are woken", to)
	}
}

func TestEscalationFinishesBeforeTheDeadline(t *testing.T) {
	l := DefaultLadder(people(), time.Minute) // two minutes to the last step
	to, _ := l.Reached(44*time.Second, time.Minute, everyone)
	if strings.Join(to, " ") != "desk phone" {
		t.Errorf("after 44 s of 60: %v", to)
	}
	if to, _ = l.Reached(45*time.Second, time.Minute, everyone); strings.Join(to, " ") != "desk phone watch" {
		t.Errorf("after 45 s of 60: %v", to)
	}
	if to, _ = l.Reached(45*time.Second, time.Hour, everyone); strings.Join(to, " ") != "desk" {
		t.Errorf("after 45 s of an hour: %v", to)
	}
}

func TestCustomLadder(t *testing.T) {
	l, err := Ladder{{To: []string{"desk", "watch"}, Wait: time.Second}, {To: []string{"anna"}}}.Resolve(people())
	if err != nil || len(l) != 2 || strings.Join(l[1].To, " ") != "desk phone" || l[1].Wait != DefaultWait {
		t.Errorf("%v %v", l, err)
	}
	if _, err := (Ladder{{To: []string{"carol"}}}).Resolve(people()); err == nil || !strings.Contains(err.Error(), `"carol"`) {
		t.Errorf("an unknown name: %v", err)
	}
}

func TestQuietHoursAcrossMidnightAndDST(t *testing.T) {
	p := Person{Quiet: &push.Quiet{From: "22:00", To: "07:00", Zone: "Europe/Warsaw"}}
	place, err := time.LoadLocation("Europe/Warsaw")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		day, clock string
		awake      bool
		sleeps     time.Duration // until the end
	}{
		{"2026-06-01", "21:59", true, 0}, {"2026-06-01", "22:00", false, 9 * time.Hour}, {"2026-06-02", "06:59", false, time.Minute}, {"2026-06-02", "07:00", true, 0},
		{"2026-03-28", "22:00", false, 8 * time.Hour},  // an hour is missing in this night
		{"2026-10-24", "22:00", false, 10 * time.Hour}, // and comes twice in this one
		{"2026-10-25", "01:30", false, 6*time.Hour + 30*time.Minute},
	} {
		now, err := time.ParseInLocation("2006-01-02 15:04", c.day+" "+c.clock, place)
		if err != nil {
			t.Fatal(err)
		}
		until, awake := p.Awake(now)
		if awake != c.awake || !awake && until.Sub(now) != c.sleeps {
			t.Errorf("%s %s: awake %v until %v (%v)", c.day, c.clock, awake, until, until.Sub(now))
		}
	}
}

func TestBackOffDoublesUpToALimit(t *testing.T) {
	var p Pulse
	now := time.Unix(1000, 0)
	for i, want := range []time.Duration{2 * time.Second, 4 * time.Second, 8 * time.Second} {
		p.Failed(&Failure{Outcome: Later}, now)
		if got := p.Before.Sub(now); got != want || p.Dead() {
			t.Errorf("pause %d: %v, dead %v", i, got, p.Dead())
		}
	}
	if p.Failed(&Failure{Outcome: Later}, now); !p.Dead() || !p.Since.Equal(now) {
		t.Error("four failures in a row are not told")
	}
	for range 40 {
		p.Failed(&Failure{Outcome: Later}, now)
	}
	if got := p.Before.Sub(now); got != 15*time.Minute {
		t.Errorf("the longest pause is %v", got)
	}
	p.Well()
	p.Failed(&Failure{Outcome: Later, After: 48 * time.Hour}, now)
	if got := p.Before.Sub(now); got != time.Hour || p.Dead() {
		t.Errorf("asked for two days: %v", got)
	}
	if p.Failed(&Failure{Outcome: Broken}, now); !p.Dead() {
		t.Error("a wrong token is not told at once")
	}
	p.Well()
	if p.Failed(&Failure{Outcome: Refused}, now); !p.Before.IsZero() || p.Dead() {
		t.Error("one refused note holds the next one up")
	}
}
