package link

import (
	"net/http"
	"strings"

	"nod"
	"nod/internal/agent/link/wire"
	"nod/internal/net/httpd"
)

// mostOffered is how many assistants one host may have: more than anyone configures.
const mostOffered = 50

// offer records the assistants of a host that conversations can be opened with.
func (d *Driver) offer(w http.ResponseWriter, r *http.Request, host string) error {
	var in wire.Offer
	if err := httpd.Decode(w, r, &in); err != nil {
		return err
	}
	if len(in.Assistants) > mostOffered {
		return nod.Errorf(nod.TooLarge, "a host has %d assistants at most", mostOffered)
	}
	var list []nod.Assistant
	for _, a := range in.Assistants {
		if a.Name == "" || len(a.Name) > 100 || strings.Trim(a.Name, "abcdefghijklmnopqrstuvwxyz0123456789-@") != "" {
			return nod.Errorf(nod.Invalid, "%q is no name of an assistant", nod.Fold(nod.OneLine(a.Name), 40))
		}
		for _, part := range []*string{&a.About, &a.Kind, &a.Model, &a.Cwd, &a.Language} {
			*part = nod.Fold(nod.OneLine(*part), 200)
		}
		a.Host = ""
		list = append(list, a)
	}
	if err := d.Report(r.Context(), changed(host, func(h *nod.Host) { h.Assistants = list })); err != nil {
		return err
	}
	return httpd.NoContent(w)
}
