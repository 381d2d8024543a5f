package notify

import (
	"cmp"
	"strings"

	"nod"
	"nod/internal/net/notify"
	"nod/internal/net/notify/channel"
	"nod/internal/net/push"
	"nod/internal/sys/secretfile"
)

// people are those of the configuration, or else one person with all channels in their
// order.
func (n Config) people() (list []notify.Person) {
	people := n.Person
	if len(people) == 0 {
		alone := PersonConfig{Name: "you"}
		for _, c := range n.Channels() {
			alone.Channels = append(alone.Channels, c.Name)
		}
		people = []PersonConfig{alone}
	}
	for _, p := range people {
		out := notify.Person{Name: p.Name, Channels: p.Channels, Lang: cmp.Or(p.Lang, n.Lang), News: p.News == nil || *p.News}
		if from, to, ok := strings.Cut(cmp.Or(p.Quiet, n.Quiet), "-"); ok {
			out.Quiet = &push.Quiet{From: strings.TrimSpace(from), To: strings.TrimSpace(to), Zone: cmp.Or(p.Zone, n.Zone)}
		}
		list = append(list, out)
	}
	return list
}

// resolveLadder is the ladder of the configuration, or all people in their order, each by
// all their channels.
func (n Config) resolveLadder(people []notify.Person) (notify.Ladder, error) {
	l := notify.DefaultLadder(people, n.Wait)
	if len(n.Ladder) > 0 {
		l = nil
	}
	for _, step := range n.Ladder {
		l = append(l, notify.Step{To: step.To, Wait: step.Wait})
	}
	return l.Resolve(people)
}

// openChannels makes all channels with their senders. They belong to no person yet.
func (n Config) openChannels(sender newSender) (list []*target, err error) {
	for _, c := range n.Channels() {
		t := newTarget(c.Name, c.Kind)
		t.Answer = c.Kind == "ntfy" || channel.Chats(c.Kind)
		if c.Buttons != nil {
			t.Answer = *c.Buttons
		}
		if t.Content, err = notify.ParseContent(cmp.Or(c.Content, n.Content)); err != nil {
			return nil, err
		}
		s, err := c.settings()
		if err != nil {
			return nil, err
		}
		if t.Sender, err = sender(s, channel.Outside{}); err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}

// settings reads the secrets of a channel from their files.
func (c ChannelConfig) settings() (channel.Settings, error) {
	s := channel.Settings{Kind: c.Kind, URL: c.URL, User: c.User, Topic: c.Topic, Chat: c.Chat, Users: c.Users, From: c.From, To: c.To}
	var address channel.Secret
	for _, one := range []struct {
		file string
		to   *channel.Secret
	}{{c.URLFile, &address}, {c.TokenFile, &s.Token}, {c.PasswordFile, &s.Password}, {c.ClearFile, &s.Clear}, {c.SecretFile, &s.Secret}} {
		if one.file == "" {
			continue
		}
		text, err := secretfile.Read(one.file)
		if err != nil {
			return s, nod.Errorf(nod.Invalid, "the channel %q cannot read %s", c.Name, one.file).Because(err)
		}
		*one.to = channel.Secret(text)
	}
	s.URL = cmp.Or(address.Reveal(), s.URL)
	return s, nil
}

// check makes sure that each channel belongs to one person: a notification has one
// language, one time of quiet hours and one person who answers.
func check(people []notify.Person, channels []*target) error {
	owner := map[string]string{}
	for _, p := range people {
		if p.Name == "" {
			return nod.Errorf(nod.Invalid, "a person who is to be told needs a name")
		}
		if p.Quiet != nil {
			if err := p.Quiet.Check(); err != nil {
				return nod.Errorf(nod.Invalid, "quiet hours of %s: %s", p.Name, err)
			}
		}
		for _, name := range p.Channels {
			if find(channels, name) == nil {
				return nod.Errorf(nod.Invalid, "%s is to be told by %q, and there is no such channel", p.Name, name)
			}
			if other, taken := owner[name]; taken {
				return nod.Errorf(nod.Invalid, "the channel %q is %s's and %s's: give each their own, or make one person of them", name, other, p.Name)
			}
			owner[name] = p.Name
		}
	}
	seen := map[string]bool{}
	for _, c := range channels {
		switch {
		case seen[c.Name]:
			return nod.Errorf(nod.Invalid, "there are two channels called %q", c.Name)
		case owner[c.Name] == "":
			return nod.Errorf(nod.Invalid, "the channel %q is nobody's: name it in the channels of a person", c.Name)
		}
		seen[c.Name] = true
	}
	return nil
}
