package cli

import (
	"context"
	"strings"

	"nod"
	"nod/internal/cli/console"
	"nod/internal/cli/show"
)

func showRequest(c *console.Console, ctx context.Context, id string, asJSON bool) error {
	cl, err := c.Client("terminal")
	if err != nil {
		return err
	}
	r, err := c.FindRequest(ctx, cl, id)
	if err != nil {
		return err
	}
	if asJSON {
		return c.PrintJSON(r)
	}
	p := c.Page()
	if snap, err := cl.State(ctx); err == nil { // where it is can be told, and need not be
		p = p.With(snap)
	}
	if err := c.Println(strings.Join(show.RequestDetails(p, r, id[:min(8, len(id))]), "\n")); err != nil {
		return err
	}
	if p.Terminal {
		console.ReportShown(ctx, cl, []*nod.Request{r})
	}
	return nil
}
