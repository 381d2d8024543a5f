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
	"nod/internal/surface/puck"
	"nod/internal/surface/push"
	"nod/internal/surface/screen"
	"nod/internal/surface/voicebridge"
	"nod/internal/surface/webapp"
	"nod/internal/talk"
)

// routes opens every adapter, one line each, and returns their endpoints.
func (a *app) routes() ([]httpd.Route, error) {
	all, err := a.openPlain()
	if err != nil {
		return nil, err
	}
	notes, err := a.notify()
	if err != nil {
		return nil, err
	}
	a.advice = a.newAdvice(func() { a.keys.Refresh() })
	all = append(all, a.api()...)
	all = append(all, a.agents()...)
	all = append(all, a.trust()...)
	all = append(all, a.policy()...)
	browsers := push.New(a.Config.Push, a.deps(), push.Needs{Tokens: a.credentials, Store: a.store})
	all = append(all, a.use("push", browsers)...)
	all = append(all, a.passkey()...)
	all = append(all, a.voiceBridge()...)
	all = append(all, a.chats()...)
	all = append(all, a.use("screen", screen.New(a.deps(), screen.Needs{Gate: a.gate}))...)
	all = append(all, a.relay(browsers)...)
	all = append(all, notes...)
	all = append(all, a.keyboard()...)
	all = append(all, a.use("puck", puck.New(a.deps(), puck.Needs{Gate: a.gate, Assistant: a.Config.VoicePE.Assistant, Turn: a.Config.Headless.Turn}))...)
	all = append(all, a.links()...)
	all = append(all, a.use("webapp", webapp.New())...)
	a.voicePE()
	a.entities()
	a.wyoming(a.homeAssistant())
	return append(all, a.metrics()...), nil
}

// deps is what every adapter is given.
func (a *app) deps() adapter.Deps {
	d := adapter.Deps{
		Deps: hub.Deps{Hub: a.hub, Log: a.Log, Now: time.Now}, Data: a.Data, Version: a.Version,
		Address: func() string { return a.public }, Say: words.For(os.Getenv), Demo: a.Demo,
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

// asker waits for an assistant's answer as long as it is told.
func (a *app) asker(wait time.Duration) *talk.Asker {
	return talk.New(a.deps().Deps, wait)
}

func (a *app) api() []httpd.Route {
	return a.use("api", api.New(a.deps(), api.Needs{
		Credentials: a.credentials, Files: a.files, Started: a.started, RelayTimeout: a.Config.Relay.Timeout, Problems: a.health.problems,
		Directory: a.Data, Claude: cmp.Or(a.Config.Headless.Claude, "claude"), Advise: a.advice.now,
	}))
}

// agents are real, or all of them are made up: the two are never mixed.
func (a *app) agents() []httpd.Route {
	if a.Demo {
		return a.use("demo", demo.New(a.deps()))
	}
	return a.claude()
}

func (a *app) claude() []httpd.Route {
	hooks := a.use("claude", claude.New(a.Config.Claude, a.agentDeps(), claude.Needs{Processes: processes{}}))
	a.use("terminal", terminal.New(a.agentDeps(), terminal.Needs{Processes: processes{}, Files: a.files.Here}))
	a.conversations()
	a.tools = mcp.New(a.agentDeps(), mcp.Needs{
		Keyboard: func(nod.AgentID) (bool, int) { return a.keys.Status().Connected, 0 },
	})
	return append(hooks, a.use("mcp", a.tools)...)
}

func (a *app) policy() []httpd.Route {
	return a.use("policy", policy.New(a.deps(), policy.Needs{Rules: a.rules}))
}

func (a *app) passkey() []httpd.Route {
	return passkeys.New(a.deps(), passkeys.Needs{Ceremonies: a.passkeys}).Routes()
}

func (a *app) voiceBridge() []httpd.Route {
	return voicebridge.New(a.deps(), voicebridge.Needs{Files: a.files, Phrases: a.rules.phrase}).Routes()
}

// fileStore keeps files for agents: those of all hubs, where they share a store.
func fileStore(s store, data string) attachment.FileStore {
	all := attachment.FileStore{Dir: filepath.Join(data, "attachments"), Now: time.Now}
	if with, ok := s.(interface{ Files() *postgres.Files }); ok {
		all.Shared = with.Files()
	}
	return all
}
