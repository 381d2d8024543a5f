package push

import (
	"errors"
	"fmt"
	"time"
)

// Quiet are the daily hours in which a device is left alone, in a time zone.
type Quiet struct {
	From string `json:"from"` // "22:00"
	To   string `json:"to"`   // "07:00"; on the next day unless it is after From
	Zone string `json:"zone"` // "Europe/Warsaw"
}

// Check explains what is wrong with quiet hours.
func (q Quiet) Check() error {
	from, err := clock(q.From)
	if err != nil {
		return err
	}
	to, err := clock(q.To)
	if err != nil {
		return err
	}
	if from == to {
		return errors.New("quiet hours that end when they begin: choose two times, or turn notifications off")
	}
	_, err = zone(q.Zone)
	return err
}

// Until reports whether it is quiet now, and until when. Each night is one span between two instants: an hour that is
// repeated or skipped at a clock change neither wakes anyone nor restarts the night.
func (q Quiet) Until(now time.Time) (time.Time, bool) {
	from, errFrom := clock(q.From)
	to, errTo := clock(q.To)
	place, errZone := zone(q.Zone)
	if errFrom != nil || errTo != nil || errZone != nil {
		return time.Time{}, false // checked when it was set; a zone may be missing on another machine
	}
	year, month, day := now.In(place).Date()
	for _, start := range []int{day - 1, day} {
		end := start
		if to <= from {
			end++
		}
		begins := time.Date(year, month, start, 0, from, 0, 0, place)
		ends := time.Date(year, month, end, 0, to, 0, 0, place)
		if !now.Before(begins) && now.Before(ends) {
			return ends, true
		}
	}
	return time.Time{}, false
}

// clock parses a time of day into minutes.
func clock(s string) (int, error) {
	t, err := time.Parse("15:04", s)
	if err != nil || len(s) != len("15:04") {
		return 0, fmt.Errorf("%q is no time of day: write it like 22:00", s)
	}
	return t.Hour()*60 + t.Minute(), nil
}

// zone requires a name, because "Local" and "" would be the hub's clock, not the device's.
func zone(name string) (*time.Location, error) {
	if name == "" || name == "Local" || len(name) > 64 {
		return nil, errors.New("quiet hours need the name of a time zone, such as Europe/Warsaw")
	}
	place, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("the time zone %q is not known here", name)
	}
	return place, nil
}
