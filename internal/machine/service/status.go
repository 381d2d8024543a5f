package service

import (
	"context"
	"time"

	v1 "nod/internal/client/v1"
	"nod/internal/machine/console"
	"nod/internal/machine/env"
	"nod/internal/present/words"
)

// The states of a service.
const (
	serviceRunning = "running"
	serviceStopped = "stopped"
	serviceMissing = "missing"
)

// statusReport is what `nod service status --json` prints.
type statusReport struct {
	State   string     `json:"state"` // running, stopped, missing
	Manager string     `json:"manager"`
	File    string     `json:"file"`
	PID     int        `json:"pid,omitempty"`
	Since   *time.Time `json:"since,omitempty"`
	Exit    string     `json:"last_exit,omitempty"` // if it keeps failing
	Listen  string     `json:"listen,omitempty"`    // where the hub answers
	Other   int        `json:"other_hub,omitempty"` // process of a hub that the service did not start
	Logs    string     `json:"logs"`
}

func (s *commands) status(ctx context.Context, p installation, e options) error {
	st, err := p.state(ctx)
	if err != nil {
		return err
	}
	k := newStatusReport(p, st, s.health(ctx, e.data))
	if e.json {
		err = s.PrintJSON(k)
	} else {
		s.printStatus(p, k, st)
	}
	switch {
	case err != nil:
		return err
	case k.State == serviceMissing:
		return &env.Error{Exit: exitMissing}
	case k.State == serviceStopped:
		return &env.Error{Exit: exitStopped}
	}
	return nil
}

// statusReport combines what the manager and the hub say.
func newStatusReport(p installation, st state, h *v1.Health) statusReport {
	k := statusReport{State: serviceMissing, Manager: p.name, File: p.file, PID: st.pid, Exit: st.failure, Logs: p.logCommand}
	switch {
	case st.installed && !st.foreign && st.running:
		k.State = serviceRunning
	case st.installed && !st.foreign:
		k.State = serviceStopped
	}
	since := st.since
	switch {
	case h == nil:
	case k.State != serviceRunning || k.PID != 0 && h.PID != 0 && h.PID != k.PID:
		k.Other = h.PID
	default:
		k.Listen = h.Listen
		if k.PID == 0 {
			k.PID = h.PID
		}
		if since.IsZero() {
			since = h.Started
		}
	}
	if !since.IsZero() {
		k.Since = &since
	}
	return k
}

func (s *commands) printStatus(p installation, k statusReport, st state) {
	out := s.Page()
	switch k.State {
	case serviceRunning:
		text := s.Say(words.ServiceUp)
		if k.Since != nil {
			text = s.Say(words.ServiceUpSince, s.Ago(s.Now().Sub(*k.Since)), k.PID)
		}
		out.Done(text)
		if k.Listen != "" {
			out.Print(2, k.Listen)
		} else {
			out.Warn(s.Say(words.ServiceMute))
		}
	case serviceStopped:
		out.Print(0, out.Paint(console.Red, "✗ ")+s.Say(words.ServiceDown))
		if k.Exit != "" {
			out.Warn(s.Say(words.ServiceEnding, k.Exit))
		}
	default:
		out.Print(0, s.Say(words.ServiceMissing))
		if st.foreign {
			out.Warn(s.Say(words.ServiceNotOurs, k.File))
		}
	}
	if k.State != serviceMissing {
		if k.Other != 0 {
			out.Warn(s.Say(words.ServiceStranger, k.Other))
		}
		out.Print(0, s.Say(words.ServiceFile, p.name, p.file))
		out.Print(0, s.Say(words.ServiceLogs, p.logCommand))
	}
}
