package app

import (
	"cmp"
	"os"
	"path/filepath"
	"time"

	"nod"
	"nod/internal/agent/claude"
	"nod/internal/agent/demo"
	"nod/internal/agent/mcp"
	"nod/internal/agent/terminal"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/attachment"
	"nod/internal/hub/store/postgres"
	"nod/internal/net/httpd"
	"nod/internal/present/words"
	"nod/internal/surface/api"
	passkeys "nod/internal/surface/passkey"
	"nod/internal/surface/policy"
	"nod/internal/surface/push"
	"nod/internal/surface/screen"
	"nod/internal/surface/voicebridge"
	"nod/internal/surface/webapp"
	"nod/internal/talk"
)

// routes are all doors of the house: one line for each adapter.
func (h *house) routes() ([]httpd.Route, error) {
	all, err := h.openPlain()
	if err != nil {
		return nil, err
	}
	h.advice = h.newAdvice(func() { h.keys.Refresh() })
	all = append(all, h.api()...)
	all = append(all, h.agents()...)
	all = append(all, h.trust()...)
	all = append(all, h.policy()...)
	all = append(all, h.push()...)
	all = append(all, h.passkey()...)
	all = append(all, h.voiceBridge()...)
	all = append(all, h.brain()...)
	all = append(all, h.screens()...)
	all = append(all, h.relay()...)
	all = append(all, h.notify()...)
	all = append(all, h.keyboard()...)
	all = append(all, h.pucks()...)
	all = append(all, h.links()...)
	all = append(all, webapp.Routes()...)
	h.voicePE()
	h.entities()
	h.homeAssistant()
	h.wyoming()
	return append(all, h.metrics()...), nil
}

// deps is what every adapter is given.
func (h *house) deps() adapter.Deps {
	d := adapter.Deps{
		Deps: hub.Deps{Hub: h.hub, Log: h.Log, Now: time.Now}, Data: h.Data, Version: h.Version,
		Address: func() string { return h.public }, Say: words.For(os.Getenv), Demo: h.Demo,
	}
	if h.Demo {
		d.Data = "" // a demo keeps nothing
	}
	return d
}

// asker waits for an assistant's answer as long as it is told.
func (h *house) asker(wait time.Duration) *talk.Asker {
	return talk.New(talk.Options{Hub: h.hub, Now: time.Now, Wait: wait, Log: h.Log})
}

func (h *house) api() []httpd.Route {
	return api.Routes(api.Deps{
		Hub: h.hub, Credentials: h.keeper, Version: h.Version, Started: h.started,
		Files: h.files,
		Data:  h.Data, Listen: func() string { return h.public }, PID: os.Getpid(), Demo: h.Demo,
		RelayTimeout: h.Config.Relay.Timeout, Proof: h.Config.Passkey.Required, Advise: h.advice.now,
		Problems: h.health.problems,
		Claude:   cmp.Or(h.Config.Headless.Claude, "claude"), Now: h.hub.Now,
	})
}

// agents are real, or all of them are made up: the two are never mixed.
func (h *house) agents() []httpd.Route {
	if h.Demo {
		h.run = append(h.run, demo.New(demo.Options{Hub: h.hub, Log: h.Log, Now: time.Now}).Run)
		return nil
	}
	return h.claude()
}

func (h *house) claude() []httpd.Route {
	timing := claude.DefaultTiming()
	timing.HandBack, timing.Proof = h.Config.Claude.HandBack, h.Config.Claude.Proof
	driver := claude.New(claude.Options{Hub: h.hub, Log: h.Log, Now: h.hub.Now, Processes: processes{}, Timing: timing})
	intake := claude.NewIntake(driver)
	panes := terminal.New(terminal.Options{Hub: h.hub, Log: h.Log, Now: h.hub.Now, Processes: processes{}, Data: h.Data, Files: h.files.Here})
	h.run = append(h.run, intake.Run, panes.Run)
	h.conversations()
	h.tools = mcp.New(mcp.Options{
		Hub: h.hub, Log: h.Log, Now: h.hub.Now, Version: h.Version, Timing: mcp.DefaultTiming(),
		Keyboard: func(nod.AgentID) (bool, int) { return h.keys.Status().Connected, 0 },
	})
	h.run = append(h.run, h.tools.Run)
	return append(intake.Routes(), h.tools.Routes()...)
}

func (h *house) policy() []httpd.Route {
	return policy.Routes(policy.Deps{Hub: h.hub, Rules: h.rules, Now: time.Now})
}

func (h *house) push() []httpd.Route {
	c := h.Config.Push
	surface := push.New(push.Options{
		Hub: h.hub, Tokens: h.keeper, Book: h.store, Contact: c.Contact, Private: c.Private, Now: time.Now, Log: h.Log,
	})
	h.run = append(h.run, h.hub.AsLeader("push", surface.Run))
	h.pusher = surface
	return surface.Routes()
}

func (h *house) passkey() []httpd.Route {
	return passkeys.Routes(passkeys.Deps{Hub: h.hub, Ceremonies: h.passkeys, Required: h.Config.Passkey.Required})
}

func (h *house) voiceBridge() []httpd.Route {
	marks := filepath.Join(h.Data, "voice-read.json")
	if h.Demo {
		marks = "" // a demo keeps nothing
	}
	return voicebridge.Routes(voicebridge.Options{
		Hub: h.hub, Files: h.files, Marks: marks, Phrases: h.rules.phrase, Log: h.Log, Now: time.Now,
	})
}

// screens are small displays with three buttons.
func (h *house) screens() []httpd.Route {
	return screen.Routes(screen.Options{
		Hub: h.hub, Gate: h.gate, Log: h.Log, Now: time.Now, Address: func() string { return h.public }, Proof: h.Config.Passkey.Required,
	})
}

// shelf is where files for agents lie: those of all hubs, where they share a store.
func shelf(s store, data string) attachment.FileStore {
	all := attachment.FileStore{Dir: filepath.Join(data, "attachments"), Now: time.Now}
	if with, ok := s.(interface{ Files() *postgres.Files }); ok {
		all.Shared = with.Files()
	}
	return all
}
