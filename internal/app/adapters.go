package app

import (
	"os"
	"time"

	"nod/internal/driver/claude"
	"nod/internal/httpd"
	"nod/internal/surface/api"
)

// routes are all doors of the house: one line for each adapter.
func (h *house) routes() []httpd.Route {
	var all []httpd.Route
	all = append(all, h.api()...)
	all = append(all, h.claude()...)
	return all
}

func (h *house) api() []httpd.Route {
	return api.Routes(api.Deps{
		Hub: h.hub, Keeper: h.keeper, Version: h.Version, Started: h.started,
		Data: h.Data, Listen: func() string { return h.public }, PID: os.Getpid(),
	})
}

func (h *house) claude() []httpd.Route {
	timing := claude.DefaultTiming()
	timing.HandBack, timing.Proof = h.Config.Claude.HandBack, h.Config.Claude.Proof
	driver := claude.New(claude.Options{Hub: h.hub, Log: h.Log, Now: time.Now, Processes: processes{}, Timing: timing})
	intake := claude.NewIntake(driver)
	h.run = append(h.run, intake.Run)
	return intake.Routes()
}
