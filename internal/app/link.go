package app

import (
	"context"
	"io"
	"os"

	"nod"
	"nod/internal/agent/link"
	"nod/internal/client"
	"nod/internal/net/httpd"
	"nod/internal/surface/uplink"
	"nod/internal/sys/secretfile"
)

// links are other machines whose agents reach this hub.
func (a *app) links() []httpd.Route {
	return a.use("link", link.New(a.agentDeps(), link.Needs{Keys: a.credentials, OpenFile: a.file}))
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
	link := far.Link()
	u := uplink.New(c, a.deps(), uplink.Needs{
		Far: link, Newer: link, Assistants: a.assistants(), Fetch: link.File, Keep: a.files.Keep,
	})
	a.use("link", u)
	return nil
}
