package entities

import "nod"

// events is what the event entities of devices report.
type events struct {
	presenter
	asked map[nod.RequestID]struct{} // whose start was published, so that its end is published too
}

// of is what the event entity reports of an event; nil: nothing.
func (h events) of(e nod.Event) map[string]any {
	var r *nod.Request
	if e.RequestID != "" {
		h.Hub.Look(func(st *nod.State) { r = st.Requests[e.RequestID] })
	}
	_, known := h.asked[e.RequestID]
	kind := ""
	switch {
	case e.Kind == nod.TurnTaken && e.Turn.Role == nod.TurnAgent && e.Turn.Who == nil:
		return map[string]any{"event_type": "finished", "answer": h.line(e.Turn.Text), "text": h.text(e.Turn.Text)}
	case r == nil:
		return nil
	case e.Kind == nod.RequestRaised && !r.Settled(): // a rule or a lease may have answered it at once
		h.asked[r.ID] = struct{}{}
		m := h.attributes(r)
		m["event_type"] = r.Kind
		return m
	case e.Kind == nod.RequestDecided && known:
		kind = map[nod.Verdict]string{nod.VerdictAllow: "allowed", nod.VerdictDeny: "denied", nod.VerdictAnswer: "answered"}[e.Decision.Verdict]
	case e.Kind == nod.RequestWithdrawn && known:
		kind = "withdrawn"
	case e.Kind == nod.RequestExpired && known:
		kind = "expired"
	}
	if kind == "" {
		return nil
	}
	delete(h.asked, r.ID)
	m := h.attributes(r)
	m["event_type"] = kind
	if e.Decision != nil {
		m["by"], m["through"] = cut(e.Decision.By, mostState), e.Decision.Via
	}
	return m
}

// eventTypes are all that the event entity may report.
var eventTypes = [...]string{
	string(nod.KindApproval), string(nod.KindQuestion), string(nod.KindPlan), string(nod.KindElicitation),
	"allowed", "denied", "answered", "withdrawn", "expired", "finished", "refused",
}
