package app

import (
	"nod/internal/net/httpd"
	"nod/internal/surface/notify"
)

// notify notifies people by the channels of nod.toml, if there are any.
func (a *app) notify() ([]httpd.Route, error) {
	if len(a.Config.Notify.Channels()) == 0 {
		return nil, nil
	}
	shared, _ := a.store.(notify.Memory)
	surface, err := notify.New(a.Config.Notify, a.deps(), notify.Needs{Shared: shared})
	if err != nil {
		return nil, err
	}
	return a.use("notify", surface), nil
}
