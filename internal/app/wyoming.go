package app

import (
	"context"

	"nod/internal/net/httpd"
	"nod/internal/net/mdns"
	"nod/internal/surface/wyoming"
)

// announcer says something on a satellite of Home Assistant.
type announcer func(ctx context.Context, satellite, text string) error

// wyoming is nod as a conversation agent of Home Assistant.
func (h *house) wyoming() {
	if h.Config.Wyoming.Listen == "" || h.Demo {
		return
	}
	needs := wyoming.Needs{
		Asker: h.asker(h.Config.Headless.Turn), Context: h.Config.Brain.Context, Rate: h.Config.Brain.Rate, Own: httpd.OwnAddresses,
		Announce: h.speaker, Answering: h.whence,
	}
	if h.Config.MDNS.Announce {
		needs.Found = h.announceTalk
	}
	h.use("wyoming", wyoming.New(h.Config.Wyoming, h.deps(), needs))
}

// announceTalk lets Home Assistant find the agent by itself.
func (h *house) announceTalk(ctx context.Context, port int) {
	self := mdns.Self{Host: hostname(), Version: h.Version}
	if err := mdns.Announce(ctx, []mdns.Service{self.Talk(port)}); err != nil && ctx.Err() == nil {
		h.Log.Warn("Home Assistant has to be told where nod is: it cannot be announced in this network", "err", err)
	}
}
