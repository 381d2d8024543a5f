package mcp

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"maps"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"nod"
	"nod/internal/agent/mcp/server"
	"nod/internal/present/words"
)

// Key is one key of a keyboard as an agent wants it. A press sends Action as a message
// to that agent and does nothing else; if it differs from Label, the first press shows
// it and the second sends it. Pending requests come before it.
type Key struct {
	Label  string
	Action string
	Emoji  string // chosen by nod; an agent's own keys have none
	Image  string // the name of a picture, or empty
}

// Set is what an agent wants on four keys.
type Set struct {
	Type   string
	Detail string
	Keys   [4]Key
	At     time.Time
}

// suggestions are in memory only: they are outdated after a restart of the hub.
type suggestions struct {
	mu       sync.Mutex
	sets     map[nod.AgentID]Set
	watchers map[chan struct{}]nod.AgentID // "": of all agents
}

// Suggested is what an agent wants on the keys, for surfaces that have some.
func (d *Driver) Suggested(id nod.AgentID) (Set, bool) { return d.suggestions.set(id) }

// Suggestions signals changes of any agent's suggestions until stop is called.
func (d *Driver) Suggestions() (changed <-chan struct{}, stop func()) { return d.suggestions.watch("") }

func (b *suggestions) set(id nod.AgentID) (Set, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s, ok := b.sets[id]
	return s, ok
}

func (b *suggestions) store(id nod.AgentID, s Set) {
	b.mu.Lock()
	b.sets[id] = s
	b.mu.Unlock()
	b.notify(id)
}

func (b *suggestions) forget(id nod.AgentID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.sets, id)
}

func (b *suggestions) watch(id nod.AgentID) (<-chan struct{}, func()) {
	c := make(chan struct{}, 1)
	b.mu.Lock()
	b.watchers[c] = id
	c <- struct{}{} // something may have changed just before
	b.mu.Unlock()
	return c, func() {
		b.mu.Lock()
		delete(b.watchers, c)
		b.mu.Unlock()
	}
}

func (b *suggestions) notify(id nod.AgentID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for c, of := range maps.All(b.watchers) {
		if of != "" && of != id {
			continue
		}
		select {
		case c <- struct{}{}:
		default: // a signal is pending already
		}
	}
}

// Keys applies a change, if there is one, and returns the agent's keys.
func (d *Driver) Keys(ctx context.Context, c server.Caller, change *server.Change) (server.Keys, error) {
	agent, err := d.agentOf(ctx, c)
	if err != nil {
		return server.Keys{}, err
	}
	if change != nil {
		s, err := d.newSet(*change)
		if err != nil {
			return server.Keys{}, err
		}
		if err := d.presence.touch(ctx, agent, c); err != nil {
			return server.Keys{}, err
		}
		s.At = d.Now()
		d.suggestions.store(agent, s)
	}
	return d.keys(agent), nil
}

func (d *Driver) keys(agent nod.AgentID) server.Keys {
	s, ok := d.suggestions.set(agent)
	if !ok {
		s = d.forContext("default", "")
	}
	k := server.Keys{Session: string(agent), Context: server.Context{Type: s.Type, Detail: s.Detail}}
	if !s.At.IsZero() {
		k.Context.Timestamp = s.At.UnixMilli()
	}
	for i, key := range s.Keys {
		k.Context.Buttons[i], k.Context.Images[i] = key.Label, key.Image
	}
	d.link.State(func(st *nod.State) {
		if a := st.Agents[agent]; a != nil && a.Process != nil {
			k.PID = a.Process.PID
		}
	})
	if d.Keyboard != nil {
		k.Connected, k.Queue = d.Keyboard(agent)
	}
	return k
}

// The limits of a key; that of the image is the firmware's.
const (
	longestKey    = 40
	longestAction = 90 // what a person can read on one small screen before they send it
	longestImage  = 23
)

// newSet checks a change.
func (d *Driver) newSet(c server.Change) (Set, error) {
	if len(c.Buttons) == 0 {
		if c.Context == "" {
			return Set{}, nod.Errorf(nod.Invalid, "say a context, or four buttons")
		}
		return d.forContext(c.Context, c.Detail), nil
	}
	s := Set{Type: "custom", Detail: "manually set"}
	if len(c.Buttons) != len(s.Keys) || len(c.Actions) != 0 && len(c.Actions) != len(s.Keys) || len(c.Images) != 0 && len(c.Images) != len(s.Keys) {
		return Set{}, nod.Errorf(nod.Invalid, "buttons, actions and images must be %d strings, one for each key", len(s.Keys))
	}
	for i, label := range c.Buttons {
		k := Key{Label: nod.Fold(nod.OneLine(strings.TrimSpace(label)), longestKey), Action: label}
		if len(c.Actions) > 0 {
			k.Action = c.Actions[i]
		}
		if k.Action = strings.TrimSpace(k.Action); utf8.RuneCountInString(k.Action) > longestAction || nod.Visible(k.Action) != k.Action {
			return Set{}, nod.Errorf(nod.Unprocessable, "the action of key %d is longer than %d characters or holds characters that do not show: a person reads it on the keyboard before it is sent", i+1, longestAction)
		}
		if len(c.Images) > 0 {
			k.Image = pictureName(c.Images[i])
		}
		s.Keys[i] = k
	}
	return s, nil
}

// pictureName is empty for an invalid name, so that the key shows its label.
func pictureName(s string) string {
	if len(s) > longestImage || strings.HasPrefix(s, ".") || strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") != "" {
		return ""
	}
	return s
}

// iconName is how the original project names the picture of an emoji.
func iconName(emoji string) string {
	sum := md5.Sum([]byte(emoji)) // a name, not a secret
	return "icon-" + hex.EncodeToString(sum[:4]) + ".rgb"
}

// forContext chooses keys for what an agent is doing.
func (d *Driver) forContext(context, detail string) Set {
	s := Set{Type: nod.Fold(nod.OneLine(context), longestKey), Detail: nod.Fold(nod.OneLine(detail), longestQuestion)}
	for i, k := range words.KeysFor(context) {
		label := d.Say.Say(k.Label)
		s.Keys[i] = Key{Label: label, Action: label, Emoji: k.Emoji, Image: iconName(k.Emoji)}
	}
	return s
}
