package app

import (
	"cmp"
	"os"
	"reflect"
	"time"

	"nod/internal/agent/claude"
	"nod/internal/agent/demo"
	"nod/internal/agent/headless"
	"nod/internal/agent/link"
	"nod/internal/agent/terminal"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/present/words"
	"nod/internal/surface/api"
	"nod/internal/surface/entities"
	"nod/internal/surface/metrics"
	"nod/internal/surface/ollama"
	"nod/internal/surface/openai"
	passkeys "nod/internal/surface/passkey"
	"nod/internal/surface/policy"
	"nod/internal/surface/puck"
	"nod/internal/surface/relay"
	"nod/internal/surface/screen"
	"nod/internal/surface/trust"
	"nod/internal/surface/voicebridge"
	"nod/internal/surface/voicepe"
	"nod/internal/surface/webapp"
	"nod/internal/surface/wyoming"
)

// entry is a line of the table of adapters.
type entry struct {
	section string // of nod.toml, or what the adapter is called
	adapter any    // nil: it is off
}

// adapters are all that need more than their section of nod.toml, one line each, in any
// order. Agents are real, or all of them are made up: the two are never mixed.
func (a *app) adapters(p *parts) []entry {
	c, d, agents := a.Config, a.deps(), a.agentDeps()
	return []entry{
		{"claude", when(!a.Demo, claude.New(c.Claude, agents, claude.Needs{Processes: processes{}}))},
		{"terminal", when(!a.Demo, terminal.New(agents, terminal.Needs{Processes: processes{}, Files: a.files.Here}))},
		{"headless", when(!a.Demo, headless.New(c.Headless, agents, headless.Needs{Environ: os.Environ(), Assistants: c.Assistant, Phrases: a.rules.phrase, Files: a.files.Here}))},
		{"mcp", when(!a.Demo, p.tools)},
		{"demo", when(a.Demo, demo.New(d))},
		{"link", link.New(agents, link.Needs{Keys: a.credentials, OpenFile: a.openFile})},
		{"link", when(p.uplink != nil, p.uplink)},

		{"api", api.New(d, api.Needs{
			Credentials: a.credentials, Files: a.files, Started: a.started, RelayTimeout: c.Relay.Timeout, Problems: a.opened.problems,
			Directory: a.Data, Claude: cmp.Or(c.Headless.Claude, "claude"), Advise: p.advice.now,
		})},
		{"webapp", webapp.New()},
		{"tls", a.certificates.source},
		{"trust", trust.New(a.certificates.trustCA())},
		{"passkey", passkeys.New(d, passkeys.Needs{Ceremonies: a.passkeys})},
		{"policy", policy.New(d, policy.Needs{Rules: a.rules})},
		{"metrics", metrics.New(d, metrics.Needs{Meter: a.opened.meter, Started: a.started})},
		{"notify", when(p.notify != nil, p.notify)},
		{"push", p.push},
		{"relay.peer", relayPeers(c.Relay, d)},
		{"relay", relay.New(c.Relay, d, relay.Needs{Credentials: a.credentials, Tokens: a.store, CA: a.certificates.pem(), VAPIDKey: p.push.Key, WebPush: p.push})},
		{"screen", screen.New(d, screen.Needs{Gate: a.gate})},
		{"keyboard", p.keyboard},
		{"puck", puck.New(d, puck.Needs{Gate: a.gate, Assistant: c.VoicePE.Assistant, Turn: c.Headless.Turn})},
		{"voicebridge", voicebridge.New(d, voicebridge.Needs{Files: a.files, Phrases: a.rules.phrase})},
		{"ollama", ollama.New(d, ollama.Needs{Chats: p.chats, Started: a.started})},
		{"openai", openai.New(d, openai.Needs{Chats: p.chats, Started: a.started})},
		{"mqtt", p.broker.Bus},
		{"voicepe", when(c.VoicePE.Enabled && p.broker.Bus != nil, voicepe.New(c.VoicePE, d, voicepe.Needs{Bus: p.broker, Trusted: p.broker.trusted, Turn: c.Headless.Turn, Rate: c.Brain.Rate}))},
		{"entities", when(c.Entities.Enabled && p.broker.Bus != nil, entities.New(c.Entities, d, entities.Needs{Bus: p.broker, ID: p.broker.id, Status: p.broker.status, Trusted: p.broker.trusted}))},
		{"homeassistant", when(p.satellites != nil, p.satellites)},
		{"wyoming", when(c.Wyoming.Listen != "" && !a.Demo, wyoming.New(c.Wyoming, d, a.wyomingNeeds(p.satellites)))},
	}
}

// when is an adapter that is there on a condition.
func when(on bool, adapter any) any {
	if !on {
		return nil
	}
	return adapter
}

// openAdapters opens those of the table, and those that need nothing but their section
// of nod.toml and Deps: a field of Config is all that they have here.
func (a *app) openAdapters() error {
	for f, section := range reflect.ValueOf(a.Config).Fields() {
		o, ok := section.Interface().(adapter.Opener)
		if !ok {
			continue
		}
		one, err := o.Open(a.deps())
		if err != nil {
			return err
		}
		a.opened.use(f.Tag.Get("toml"), one)
	}
	shared, err := a.newParts()
	if err != nil {
		return err
	}
	for _, e := range a.adapters(shared) {
		a.opened.use(e.section, e.adapter)
	}
	return nil
}

// deps is what every adapter is given.
func (a *app) deps() adapter.Deps {
	d := adapter.Deps{
		Deps: hub.Deps{Hub: a.hub, Log: a.Log, Now: time.Now}, Data: a.Data, Version: a.Version,
		Address: func() string { return a.announcement.public }, Say: words.For(os.Getenv), Demo: a.Demo,
	}
	if a.Demo {
		d.Data = "" // a demo keeps nothing
	}
	return d
}

// agentDeps is for adapters that connect agents: they go by the hub's clock, which
// deadlines refer to.
func (a *app) agentDeps() adapter.Deps {
	d := a.deps()
	d.Now = a.hub.Now
	return d
}
