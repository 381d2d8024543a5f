package link

import (
	"context"
	"crypto/rand"
	"net/http"
	"strconv"
	"time"

	"nod"
	"nod/internal/net/httpd"
	"nod/internal/sys/pause"
)

// keyLife is how old a key press may be: the person looked at the screen of that moment.
const keyLife = 10 * time.Second

// orders streams to a host what people decided and said, from a place in this log. The
// host counts as connected while it listens.
func (d *Driver) orders(w http.ResponseWriter, r *http.Request, host string) error {
	text := r.Header.Get("Last-Event-ID")
	if text == "" {
		text = r.URL.Query().Get("after")
	}
	after, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return nod.Errorf(nod.Invalid, "after must be a place in the log, such as 0")
	}
	visit := nod.VisitTo(d.Link.Hub(), rand.Text()[:12])
	if err := d.Report(r.Context(), changed(host, func(h *nod.Host) {
		if !h.Up {
			h.Up, h.Since = true, d.Now()
		}
		h.Visit = visit
	})); err != nil {
		return err
	}
	defer d.leaving.set(visit, awayTime, func() { d.leaves(host, visit) })
	stream, ctx := httpd.NewStream(w, r)
	defer stream.Close()
	if err := stream.Start(nod.Seq(after)); err != nil {
		return nil
	}
	err = d.send(ctx, stream, host, nod.Seq(after))
	if err != nil && nod.CodeOf(err) == nod.Gone {
		err = d.sendStanding(ctx, stream, host, nod.Seq(after), err)
	}
	if err != nil {
		return stream.SendControl("gap", nil)
	}
	return nil
}

// send sends what concerns a host from a place on, until ctx or the connection ends.
func (d *Driver) send(ctx context.Context, stream *httpd.Stream, host string, after nod.Seq) error {
	for e, err := range d.Follow(ctx, after) {
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return nil
		}
		if !d.concerns(host, &e) || e.Kind == nod.KeyPressed && d.Now().Sub(e.At) > keyLife {
			continue
		}
		if stream.Send(e.Seq, e.Body()) != nil {
			return nil
		}
	}
	return nil
}

// Run keeps track of hosts that leave and of answers that are not continued, until ctx
// ends.
func (d *Driver) Run(ctx context.Context) {
	defer d.leaving.close()
	defer d.drafting.close()
	d.missHosts(ctx)
	<-ctx.Done()
}

// missHosts finds hosts that were connected when this hub ended. Those that do not come
// back are recorded as gone.
func (d *Driver) missHosts(ctx context.Context) {
	var list []nod.Host
	d.State(func(s *nod.State) {
		for _, h := range s.HostList() {
			if h.Visits(d.Link.Hub()) || h.Up && d.Link.Hub() == "" {
				list = append(list, *h)
			}
		}
	})
	if len(list) == 0 || !pause.For(ctx, returnTime) {
		return
	}
	for _, h := range list {
		d.leaves(h.Name, h.Visit)
	}
}

// leaves records that a host is gone, unless it has come back meanwhile.
func (d *Driver) leaves(host, visit string) {
	err := d.Report(context.Background(), changed(host, func(h *nod.Host) {
		if h.Visit == visit && h.Up {
			h.Up, h.Since = false, d.Now()
		}
	}))
	if err != nil {
		d.Log.Info("a host went while the hub ended", "host", host, "err", err)
	}
}

// concerns reports whether an event is an order for a host.
func (d *Driver) concerns(host string, e *nod.Event) bool {
	switch e.Kind {
	case nod.StopPressed:
		if e.AgentID == "" {
			return true
		}
	case nod.RequestDecided, nod.MessageSaid, nod.KeyPressed:
	case nod.AgentChanged: // only a conversation that a person opened or ended here
		if e.By == nil || e.Agent == nil || e.Agent.Talk == nil {
			return false
		}
	default:
		return false
	}
	mine := false
	d.State(func(s *nod.State) { mine = theirs(s, host, e.AgentID) })
	return mine
}
