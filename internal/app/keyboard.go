package app

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"nod"
	"nod/internal/net/httpd"
	"nod/internal/present/advise"
	"nod/internal/present/draw/icon"
	"nod/internal/present/words"
	"nod/internal/surface/keyboard"
	"nod/internal/sys/applescript"
)

// keyboards have four keys that are screens.
func (a *app) keyboard() []httpd.Route {
	say := words.For(os.Getenv)
	advice := a.advice
	o := keyboard.Options{
		Hub: a.hub, Keys: a.keeper, Gate: a.gate, Say: say, Now: time.Now, Log: a.Log,
		Suggest: func(agent *nod.Agent, pending []*nod.Request, last *nod.Turn, most int) []keyboard.Key {
			list := advice.all(advise.Situation{Agent: agent, Pending: pending, Last: last, Proof: a.Config.Passkey.Required, Say: say})
			var keys []keyboard.Key
			if len(pending) == 0 {
				keys = a.wished(agent)
				most -= len(keys)
			}
			for _, s := range list[:min(len(list), max(0, most))] {
				keys = append(keys, keyOf(s))
			}
			return keys
		},
	}
	o.Pressed = advice.pressed
	if a.Config.Keyboard.AppleScript && runtime.GOOS == "darwin" {
		o.Type = applescript.Type
	}
	if !a.Demo { // which keeps nothing, so its keys show text
		o.File = filepath.Join(a.Data, "keyboards.json")
		o.Icons = a.icons()
	}
	a.keys = keyboard.New(o)
	a.run = append(a.run, a.keys.Run, a.watchWishes)
	return a.keys.Routes()
}

// wished are the keys that an agent set for itself. A press says what the key
// shows and nothing else: what an agent would have said in a person's name must
// be readable.
func (a *app) wished(agent *nod.Agent) []keyboard.Key {
	if a.tools == nil || agent == nil {
		return nil
	}
	set, ok := a.tools.Suggested(agent.ID)
	if !ok {
		return nil
	}
	var keys []keyboard.Key
	for i, k := range set.Keys {
		if k.Label != "" {
			keys = append(keys, keyboard.Key{ID: "wish-" + strconv.Itoa(i+1), Label: k.Label, Emoji: k.Emoji, Do: keyboard.Act{Say: k.Label}})
		}
	}
	return keys
}

// watchWishes shows them as soon as they are set.
func (a *app) watchWishes(ctx context.Context) {
	if a.tools == nil {
		return
	}
	changed, stop := a.tools.Suggestions()
	defer stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-changed:
			a.keys.Refresh()
		}
	}
}

// icons are pictures for keys, kept on the disk.
func (a *app) icons() keyboard.Icons {
	full := func(f icon.Fill) {
		a.Log.Warn("the place for pictures of keys is almost full; the oldest are drawn anew", "pictures", f.Pictures, "used", f.Used, "limit", f.Limit)
	}
	cache, err := icon.OpenCache(filepath.Join(a.Data, "cache", "icons"), icon.Options{Warn: full})
	if err != nil {
		a.Log.Warn("keys show text: there is no place for pictures", "err", err)
		return nil
	}
	return icon.LoggedCache{Cache: cache, Log: a.Log}
}

func keyOf(s advise.Suggestion) keyboard.Key {
	k := keyboard.Key{ID: s.ID, Label: s.Label, Emoji: s.Emoji}
	switch s.Do.Kind {
	case advise.Decide:
		if s.Do.Answer != nil && !s.Hold {
			k.Do = keyboard.Act{Decide: s.Do.Request, Answer: *s.Do.Answer}
		}
	case advise.Say:
		k.Do = keyboard.Act{Say: s.Do.Text}
	case advise.Stop:
		k.Do = keyboard.Act{Stop: true}
	case advise.Background:
		k.Do = keyboard.Act{Background: true}
	}
	return k
}
