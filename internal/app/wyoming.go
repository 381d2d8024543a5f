package app

import (
	"context"

	"nod/internal/net/httpd"
	"nod/internal/net/mdns"
	"nod/internal/surface/homeassistant"
	"nod/internal/surface/wyoming"
)

// wyoming is nod as a conversation agent of Home Assistant. It speaks through the
// satellites, if there are any.
func (a *app) wyoming(satellites *homeassistant.Surface) {
	if a.Config.Wyoming.Listen == "" || a.Demo {
		return
	}
	needs := wyoming.Needs{
		Asker: a.asker(a.Config.Headless.Turn), Context: a.Config.Brain.Context, Rate: a.Config.Brain.Rate, Own: httpd.OwnAddresses,
	}
	if satellites != nil {
		needs.Announce, needs.Answering = satellites.Announce, satellites.Answering
	}
	if a.Config.MDNS.Announce {
		needs.Found = a.announceTalk
	}
	a.use("wyoming", wyoming.New(a.Config.Wyoming, a.deps(), needs))
}

// announceTalk lets Home Assistant find the agent by itself.
func (a *app) announceTalk(ctx context.Context, port int) {
	self := mdns.Self{Host: hostname(), Version: a.Version}
	if err := mdns.Announce(ctx, []mdns.Service{self.Talk(port)}); err != nil && ctx.Err() == nil {
		a.Log.Warn("Home Assistant has to be told where nod is: it cannot be announced in this network", "err", err)
	}
}
