package app

import (
	"context"
	"io"
	"os"

	"nod"
	"nod/internal/agent/link"
	"nod/internal/agent/link/wire"
	"nod/internal/client"
	"nod/internal/net/httpd"
	"nod/internal/surface/uplink"
	"nod/internal/sys/secretfile"
)

// links are other machines whose agents reach this hub.
func (a *app) links() []httpd.Route {
	d := a.deps()
	d.Now = a.hub.Now
	return a.use("link", link.New(d, link.Needs{Keys: a.keeper, OpenFile: a.file}))
}

// file opens a file that a person sent to an agent.
func (a *app) file(ctx context.Context, id string) (io.ReadCloser, int64, error) {
	found, err := a.files.Find(ctx, id)
	if err != nil {
		return nil, 0, err
	}
	f, err := os.Open(found.Path)
	return f, found.Size, err
}

// uplink lets people at a hub elsewhere answer the agents of this machine.
func (a *app) uplink() error {
	c := a.Config.Link
	if c.Hub == "" || a.Demo {
		return nil
	}
	token, err := secretfile.Read(c.TokenFile)
	if err != nil {
		return nod.Errorf(nod.Invalid, "link.token_file: %s cannot be read", c.TokenFile).Because(err)
	}
	far, err := client.Remote(c.Hub, token, "link")
	if err == nil && c.CA != "" {
		err = far.Trust(c.CA)
	}
	if err != nil {
		return err
	}
	u := uplink.New(c, a.deps(), uplink.Needs{
		Far: farHub{far}, Newer: farHub{far}, Assistants: a.assistants(), Fetch: far.LinkFile, Keep: a.files.Keep,
	})
	a.use("link", u)
	a.linkUp = u.Up
	return nil
}

// farHub is a hub elsewhere, through its public interface.
type farHub struct{ *client.Client }

func (f farHub) Hello(ctx context.Context, h wire.Hello) (w wire.Welcome, err error) {
	return w, f.LinkHello(ctx, h, &w)
}

func (f farHub) Tell(ctx context.Context, facts wire.Facts) (nod.Seq, error) {
	var now wire.Heard
	err := f.LinkFacts(ctx, facts, &now)
	return now.Heard, err
}

func (f farHub) Orders(ctx context.Context, after nod.Seq, take func(nod.Event) error) error {
	return f.LinkOrders(ctx, after, take)
}

func (f farHub) Draft(ctx context.Context, d wire.Drafts) ([]nod.AgentID, error) {
	var redo wire.Redo
	err := f.LinkDrafts(ctx, d, &redo)
	return redo.Again, err
}

func (f farHub) Offer(ctx context.Context, o wire.Offer) error { return f.LinkOffer(ctx, o) }

func (f farHub) Stand(ctx context.Context, s wire.Standing) (nod.Seq, error) {
	var now wire.Heard
	err := f.LinkStanding(ctx, s, &now)
	return now.Heard, err
}
