package app

import (
	"context"
	"io"
	"os"
	"time"

	"nod"
	"nod/internal/agent/mcp"
	"nod/internal/client"
	"nod/internal/hub/adapter"
	"nod/internal/net/httpd"
	"nod/internal/net/mdns"
	"nod/internal/surface/homeassistant"
	"nod/internal/surface/keyboard"
	"nod/internal/surface/notify"
	"nod/internal/surface/push"
	"nod/internal/surface/relay"
	"nod/internal/surface/relaypeer"
	"nod/internal/surface/uplink"
	"nod/internal/surface/wyoming"
	"nod/internal/sys/secretfile"
	"nod/internal/talk"
)

// parts are what several adapters share, and the adapters that others need or that
// cannot always be opened.
type parts struct {
	broker     broker
	advice     *advice
	keyboard   *keyboard.Surface
	tools      *mcp.Driver
	chats      *talk.Chats
	push       *push.Surface
	satellites *homeassistant.Surface // nil: no Home Assistant is configured
	notify     *notify.Surface        // nil: no channel is configured
	uplink     *uplink.Surface        // nil: this machine has no hub elsewhere
}

func (a *app) newParts() (p *parts, err error) {
	c, d := a.Config, a.deps()
	p = &parts{
		broker: a.openBroker(), satellites: a.openHomeAssistant(),
		push: push.New(c.Push, d, push.Needs{Tokens: a.credentials, Store: a.store}),
		chats: talk.NewChats(talk.ChatOptions{
			Asker:   talk.New(d.Deps, c.Headless.Turn), // programs wait longer than voices
			Context: c.Brain.Context, Rate: c.Brain.Rate, Now: time.Now, While: httpd.WhileServing, Phrases: a.rules.phrase,
		}),
	}
	p.advice, p.keyboard, p.tools = a.newKeyboard()
	if p.notify, err = a.openNotify(); err != nil {
		return nil, err
	}
	p.uplink, err = a.openUplink()
	return p, err
}

// newKeyboard makes the keyboards and what puts keys on them: advice about an agent, and
// the tools by which an agent sets its own.
func (a *app) newKeyboard() (tips *advice, keys *keyboard.Surface, tools *mcp.Driver) {
	tips = a.newAdvice(func() { keys.Refresh() })
	tools = mcp.New(a.agentDeps(), mcp.Needs{Keyboard: func(nod.AgentID) (bool, int) { return keys.Status().Connected, 0 }})
	tips.context = func(id nod.AgentID) (context, detail string) {
		set, _ := tools.Suggested(id)
		return set.Type, set.Detail
	}
	needs := keyboard.Needs{Credentials: a.credentials, Gate: a.gate, Advise: tips.all, Pressed: tips.pressed}
	if !a.Demo {
		needs.AgentKeysChanged = tools.Suggestions
		needs.AgentKeys = func(id nod.AgentID) (list []keyboard.Key, at time.Time) {
			set, _ := tools.Suggested(id)
			for _, k := range set.Keys {
				list = append(list, keyboard.Key{Label: k.Label, Emoji: k.Emoji, Do: keyboard.Act{Say: k.Action}})
			}
			return list, set.At
		}
	}
	keys = keyboard.New(a.Config.Keyboard, a.deps(), needs)
	return tips, keys, tools
}

// openNotify notifies people by the channels of nod.toml.
func (a *app) openNotify() (*notify.Surface, error) {
	if len(a.Config.Notify.Channels()) == 0 {
		return nil, nil
	}
	shared, _ := a.store.(notify.Memory)
	return notify.New(a.Config.Notify, a.deps(), notify.Needs{Shared: shared})
}

// openHomeAssistant lets nod speak through the satellites of a Home Assistant.
func (a *app) openHomeAssistant() *homeassistant.Surface {
	if a.Config.HomeAssistant.URL == "" {
		return nil
	}
	s, err := homeassistant.New(a.Config.HomeAssistant, a.deps(), homeassistant.Needs{Turn: a.Config.Headless.Turn})
	if err != nil {
		a.Log.Error("Home Assistant is left out", "err", err)
		return nil
	}
	return s
}

// wyomingNeeds lets nod's conversation agent speak through the satellites of Home
// Assistant, if there are any.
func (a *app) wyomingNeeds(satellites *homeassistant.Surface) wyoming.Needs {
	c := a.Config
	n := wyoming.Needs{Asker: talk.New(a.deps().Deps, c.Headless.Turn), Context: c.Brain.Context, Rate: c.Brain.Rate, Own: httpd.OwnAddresses}
	if satellites != nil {
		n.Announce, n.Answering = satellites.Announce, satellites.Answering
	}
	if c.MDNS.Announce {
		n.Found = func(ctx context.Context, port int) {
			self := mdns.Self{Host: hostname(), Version: a.Version}
			if err := mdns.Announce(ctx, []mdns.Service{self.Talk(port)}); err != nil && ctx.Err() == nil {
				a.Log.Warn("Home Assistant has to be told where nod is: it cannot be announced in this network", "err", err)
			}
		}
	}
	return n
}

// relayPeers are Prompt Relay's own devices: those that are configured, and those that
// were found.
func relayPeers(c relay.Config, d adapter.Deps) any {
	if len(c.Peer) == 0 && c.Found == "off" {
		return nil
	}
	needs := relaypeer.Needs{Found: c.Found}
	for _, p := range c.Peer {
		needs.Peers = append(needs.Peers, relaypeer.Peer(p))
	}
	return relaypeer.New(d, needs)
}

// openUplink lets people at a hub elsewhere answer the agents of this machine.
func (a *app) openUplink() (*uplink.Surface, error) {
	c := a.Config.Link
	if c.Hub == "" || a.Demo {
		return nil, nil
	}
	token, err := secretfile.Read(c.TokenFile)
	if err != nil {
		return nil, nod.Errorf(nod.Invalid, "link.token_file: %s cannot be read", c.TokenFile).Because(err)
	}
	far, err := client.Remote(c.Hub, token, "link")
	if err == nil && c.CA != "" {
		err = far.Trust(c.CA)
	}
	if err != nil {
		return nil, err
	}
	there := far.Link()
	return uplink.New(c, a.deps(), uplink.Needs{
		Far: there, Newer: there, Assistants: a.assistants(), Fetch: there.File, Keep: a.files.Keep,
	}), nil
}

// openFile opens a file that a person sent to an agent.
func (a *app) openFile(ctx context.Context, id string) (io.ReadCloser, int64, error) {
	found, err := a.files.Find(ctx, id)
	if err != nil {
		return nil, 0, err
	}
	f, err := os.Open(found.Path)
	return f, found.Size, err
}
