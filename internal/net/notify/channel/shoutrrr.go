package channel

import (
	"context"
	"net/url"
	"strings"

	"github.com/nicholas-fedor/shoutrrr/pkg/services/chat/googlechat"
	"github.com/nicholas-fedor/shoutrrr/pkg/services/chat/matrix"
	"github.com/nicholas-fedor/shoutrrr/pkg/services/chat/mattermost"
	"github.com/nicholas-fedor/shoutrrr/pkg/services/chat/rocketchat"
	"github.com/nicholas-fedor/shoutrrr/pkg/services/push/bark"
	"github.com/nicholas-fedor/shoutrrr/pkg/services/push/pushbullet"
	"github.com/nicholas-fedor/shoutrrr/pkg/types"

	"nod"
	"nod/internal/net/notify"
)

// plain is a send-only service, through a library that knows many. The services are listed one by one: the library's
// router would link all of them, and some do work at program start, which would slow down every command.
type plain struct {
	service func() (types.Service, error)
	at      *url.URL
}

func newShoutrrr(s Settings) (*plain, error) {
	at, err := url.Parse(s.URL)
	if err != nil || at.Scheme == "" {
		return nil, nod.Errorf(nod.Invalid, "a channel of kind shoutrrr needs url, such as matrix://:TOKEN@example.com/?rooms=ROOM")
	}
	p := &plain{at: at}
	p.service = func() (types.Service, error) {
		service := serviceOf(at.Scheme)
		return service, service.Initialize(at, nil)
	}
	if serviceOf(at.Scheme) == nil {
		return nil, nod.Errorf(nod.Invalid, "nod knows no service %q: matrix, mattermost, rocketchat, googlechat, bark and pushbullet go this way", at.Scheme)
	}
	return p, nil
}

func serviceOf(scheme string) types.Service {
	switch scheme {
	case matrix.Scheme:
		return &matrix.Service{}
	case mattermost.Scheme:
		return &mattermost.Service{}
	case rocketchat.Scheme:
		return &rocketchat.Service{}
	case googlechat.Scheme:
		return &googlechat.Service{}
	case bark.Scheme:
		return &bark.Service{}
	case pushbullet.Scheme:
		return &pushbullet.Service{}
	}
	return nil
}

// Show implements notify.Sender. The library takes no context: a hanging call is left behind and ends with the
// library's own timeout.
func (c *plain) Show(ctx context.Context, n notify.Note, _ notify.Handle) (notify.Handle, error) {
	ended := make(chan error, 1)
	go func() { ended <- c.send(n) }()
	select {
	case err := <-ended:
		return "", err
	case <-ctx.Done():
		return "", &notify.Failure{Outcome: notify.Later, Detail: ctx.Err().Error()}
	}
}

func (c *plain) send(n notify.Note) error {
	service, err := c.service() // some log in here
	if err == nil {
		text := n.Title
		for _, part := range []string{n.Body, n.Link} {
			if part != "" {
				text += "\n" + part
			}
		}
		for _, b := range n.Buttons {
			if b.URL != "" {
				text += "\n" + b.Label + ": " + b.URL
			}
		}
		err = service.Send(text, &types.Params{})
	}
	if err != nil {
		return &notify.Failure{Outcome: notify.Later, Detail: c.scrub(err.Error())}
	}
	return nil
}

// scrub removes the secrets of the address from an error: the library quotes it freely.
func (c *plain) scrub(text string) string {
	var secrets []string
	if c.at.User != nil {
		password, _ := c.at.User.Password()
		secrets = append(secrets, password, c.at.User.Username())
	}
	secrets = append(secrets, strings.Split(c.at.Path, "/")...)
	for _, values := range c.at.Query() {
		secrets = append(secrets, values...)
	}
	secrets = append(secrets, c.at.Hostname()) // pushbullet and others have the token there
	for _, s := range secrets {
		if len(s) >= 6 {
			text = strings.ReplaceAll(text, s, masked)
		}
	}
	return within(text, maxDetail)
}

// Settle implements notify.Sender.
func (c *plain) Settle(context.Context, notify.Handle, notify.Note) error { return nil }
