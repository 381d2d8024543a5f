package words

import "time"

// Spans of time, as short as they can be read.
var (
	seconds = Message{EN: "%d s", PL: "%d s", JA: "%d 秒"}
	minutes = Message{EN: "%d min", PL: "%d min", JA: "%d 分"}
	hours   = Message{EN: "%d h", PL: "%d godz.", JA: "%d 時間"}
	days    = Plural{
		EN: [2]string{"%d day", "%d days"},
		PL: [3]string{"%d dzień", "%d dni", "%d dni"},
		JA: "%d 日",
	}
	ago     = Message{EN: "%s ago", PL: "%s temu", JA: "%s前"}
	justNow = Message{EN: "just now", PL: "przed chwilą", JA: "たった今"}
)

// Span is a length of time in its one largest unit: a person who glances does
// not add up.
func (p Printer) Span(d time.Duration) string {
	switch d = max(0, d); {
	case d < time.Minute:
		return p.Say(seconds, int(d/time.Second))
	case d < time.Hour:
		return p.Say(minutes, int(d/time.Minute))
	case d < 48*time.Hour:
		return p.Say(hours, int(d/time.Hour))
	}
	return p.Count(days, int(d/(24*time.Hour)))
}

// Left is how long something still lasts, rounded up: a code that is good for
// 119 seconds is good for two minutes.
func (p Printer) Left(d time.Duration) string {
	switch {
	case d < time.Minute:
		d += time.Second - 1
	case d < time.Hour:
		d += time.Minute - 1
	case d < 48*time.Hour:
		d += time.Hour - 1
	}
	return p.Span(d)
}

// Ago is how long ago something was. Clocks of two machines differ; the future
// is now.
func (p Printer) Ago(d time.Duration) string {
	if d < time.Second {
		return p.Say(justNow)
	}
	return p.Say(ago, p.Span(d))
}
