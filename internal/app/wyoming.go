package app

import (
	"context"
	"net"
	"time"

	"nod/internal/net/httpd"
	"nod/internal/net/mdns"
	"nod/internal/surface/wyoming"
	"nod/internal/talk"
)

// announcer says something on a satellite of Home Assistant.
type announcer func(ctx context.Context, satellite, text string) error

// wyoming is nod as a conversation agent of Home Assistant.
func (h *house) wyoming() {
	c := h.Config.Wyoming
	if c.Listen == "" || h.Demo {
		return
	}
	h.run = append(h.run, func(ctx context.Context) {
		var listen net.ListenConfig
		l, err := listen.Listen(ctx, "tcp", c.Listen)
		if err != nil {
			h.Log.Error("Home Assistant cannot talk with nod: wyoming.listen does not open; is another program there?", "listen", c.Listen, "err", err)
			return
		}
		s := wyoming.New(wyoming.Options{
			Hub: h.hub, Asker: talk.New(talk.Options{Hub: h.hub, Now: time.Now, Wait: h.Config.Headless.Turn, Log: h.Log}),
			Name: c.Name, Assistant: c.Assistant, Language: c.Language, Wait: c.Wait, Context: h.Config.Brain.Context, Rate: h.Config.Brain.Rate,
			Trusted: c.TrustedNetworks, Own: httpd.OwnAddresses, Address: h.public, Version: h.Version, Announce: h.speaker, Answering: h.whence, Now: time.Now, Log: h.Log,
		})
		if c.Beyond() && h.Config.MDNS.Announce {
			go h.announceTalk(ctx, l.Addr())
		}
		if err := s.Serve(ctx, l); err != nil && ctx.Err() == nil {
			h.Log.Error("Home Assistant cannot talk with nod any more", "err", err)
		}
	})
}

// announceTalk lets Home Assistant find the agent by itself.
func (h *house) announceTalk(ctx context.Context, at net.Addr) {
	tcp, ok := at.(*net.TCPAddr)
	if !ok {
		return
	}
	self := mdns.Self{Host: hostname(), Version: h.Version}
	if err := mdns.Announce(ctx, []mdns.Service{self.Talk(tcp.Port)}); err != nil && ctx.Err() == nil {
		h.Log.Warn("Home Assistant has to be told where nod is: it cannot be announced in this network", "err", err)
	}
}
