package app

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"nod"
	"nod/internal/net/httpd"
	rules "nod/internal/net/notify"
	"nod/internal/net/notify/channel"
	"nod/internal/net/push"
	"nod/internal/surface/notify"
)

// openNotify makes the surface of notes before anything listens: what is wrong
// with its configuration is said at the start. Without channels there is none.
func (a *app) openNotify() error {
	c := a.Config.Notify
	if len(c.Channels()) == 0 {
		return nil
	}
	o := notify.Options{
		Hub: a.hub, Wait: c.Wait, DoneAfter: c.DoneAfter, Proof: a.Config.Passkey.Required, Here: c.LinksFromHere,
		Public: func() string { return strings.TrimRight(cmp.Or(c.Public, a.public), "/") },
		Memory: a.noteMemory(), Log: a.Log,
	}
	alone := notify.PersonConfig{Name: "you"}
	for _, one := range c.Channels() {
		made, err := a.channel(one)
		if err != nil {
			return err
		}
		o.Channels = append(o.Channels, made)
		alone.Channels = append(alone.Channels, one.Name)
	}
	people := c.Person
	if len(people) == 0 {
		people = []notify.PersonConfig{alone}
	}
	for _, p := range people {
		o.People = append(o.People, person(p, c))
	}
	for _, step := range c.Ladder {
		o.Ladder = append(o.Ladder, rules.Step{To: step.To, Wait: step.Wait})
	}
	var err error
	a.notes, err = notify.New(o)
	return err
}

// noteMemory is where it is kept which notes are out there: with the log, where
// several hubs share one.
func (a *app) noteMemory() notify.Memory {
	if drawer, ok := a.store.(notify.Drawer); ok {
		return notify.In(drawer)
	}
	return notify.File(filepath.Join(a.Data, "notify.json"))
}

func person(p notify.PersonConfig, c notify.Config) rules.Person {
	out := rules.Person{Name: p.Name, Channels: p.Channels, Lang: cmp.Or(p.Lang, c.Lang), News: p.News == nil || *p.News}
	if from, to, ok := strings.Cut(cmp.Or(p.Quiet, c.Quiet), "-"); ok {
		out.Quiet = &push.Quiet{From: strings.TrimSpace(from), To: strings.TrimSpace(to), Zone: cmp.Or(p.Zone, c.Zone)}
	}
	return out
}

func (a *app) channel(c notify.ChannelConfig) (out notify.Channel, err error) {
	out = notify.Channel{Name: c.Name, Kind: c.Kind, Answer: c.Kind == "ntfy" || channel.Chats(c.Kind)}
	if c.Buttons != nil {
		out.Answer = *c.Buttons
	}
	if out.Content, err = rules.ParseContent(cmp.Or(c.Content, a.Config.Notify.Content)); err != nil {
		return out, err
	}
	s := channel.Settings{Kind: c.Kind, URL: c.URL, User: c.User, Topic: c.Topic, Chat: c.Chat, Users: c.Users, From: c.From, To: c.To}
	var address channel.Secret
	for _, one := range []struct {
		file string
		to   *channel.Secret
	}{{c.URLFile, &address}, {c.TokenFile, &s.Token}, {c.PasswordFile, &s.Password}, {c.ClearFile, &s.Clear}, {c.SecretFile, &s.Secret}} {
		if one.file == "" {
			continue
		}
		text, err := firstLine(one.file)
		if err != nil {
			return out, nod.Errorf(nod.Invalid, "the channel %q cannot read %s", c.Name, one.file).Because(err)
		}
		*one.to = channel.Secret(text)
	}
	s.URL = cmp.Or(address.Reveal(), s.URL)
	out.Sender, err = channel.New(s, channel.Outside{})
	return out, err
}

// firstLine is what a file that keeps a secret says.
func firstLine(file string) (string, error) {
	text, err := os.ReadFile(file)
	first, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimSpace(first), err
}

func (a *app) notify() []httpd.Route {
	if a.notes == nil {
		return nil
	}
	a.run = append(a.run, a.hub.AsLeader("notify", a.notes.Run))
	return a.notes.Routes()
}
