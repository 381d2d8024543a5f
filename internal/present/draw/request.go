package draw

import (
	"slices"
	"strings"
	"unicode/utf8"

	"nod"
	"nod/internal/present/words"
)

const (
	mostPages    = 12 // no one reads more on a small screen
	leaseMinutes = 20
)

// request is the screen of one request.
func (s *Scene) request(w World, at *Cursor) {
	r := w.Snapshot.Requests[indexOf(w, at.Request)]
	s.head(w, r)
	s.ask = asked(w.Say, r)
	s.mark(w.Say, r)
	stops, why := stopsOf(w, r)
	if why != nil {
		s.open(w, r, *why)
		s.follow(w, at, nil)
		return
	}
	at.Stop = min(max(0, at.Stop), len(stops)-1)
	at.Seen = max(at.Seen, at.Stop+1)
	stop := stops[at.Stop]
	s.Kind = Asking
	if stop.ask != "" {
		s.ask = stop.ask
	}
	s.page, s.body, s.list, s.detail = stop.page, stop.body, stop.list, stop.detail
	s.answer(w, r, stop, at.Seen >= pagesOf(stops))
	s.follow(w, at, stops)
	s.still(w, r)
}

// stop is one position in a request: a page of its text, a choice, an option.
type stop struct {
	ask, page string
	body      block
	detail    string // smaller, below
	list      []row
	text      bool // a page of what is asked
	label     string
	answer    *nod.Answer // what A means here; nil: nothing yet
}

// stopsOf are the stops of a request, or why it needs more than a button.
func stopsOf(w World, r *nod.Request) ([]stop, *words.Message) {
	switch {
	case r.Kind == nod.KindPlan:
		return nil, &words.DeviceOpenPlan
	case !r.OneTap || r.Link != "":
		return nil, &words.DeviceOpenAsk
	case r.Risk != nil && slices.Contains(w.Proof, r.Risk.Level):
		return nil, &words.DeviceOpenPasskey
	case r.Kind == nod.KindApproval:
		return approval(w, r)
	case len(r.Questions) == 1 && len(r.Questions[0].Choices) > 0 && !r.Questions[0].Multi:
		return choices(w, r)
	}
	return nil, &words.DeviceOpenAsk
}

func approval(w World, r *nod.Request) ([]stop, *words.Message) {
	text := r.Display
	if text == "" {
		text = r.Title
	}
	stops, fits := pages(w, text, colourOf(r))
	if !fits {
		return nil, &words.DeviceOpenLong
	}
	for i := range stops {
		stops[i].label, stops[i].answer = w.Say.Say(words.DeviceAllow), &nod.Answer{Verdict: nod.VerdictAllow}
	}
	for _, o := range r.Options {
		if more, ok := option(w, o); ok {
			stops = append(stops, more)
		}
	}
	for _, g := range r.Replies() {
		stops = append(stops, stop{
			ask: w.Say.Say(words.DeviceReply), body: best(g.Label, w.Size, plain(Text)), label: w.Say.Say(words.DeviceSend), answer: &g.Answer,
		})
	}
	return stops, nil
}

// option is a stop that allows more than once. It is not offered unless its exact meaning can be shown in full.
func option(w World, o nod.Option) (stop, bool) {
	span := w.Say.Span(nod.Minutes(leaseMinutes))
	out := stop{answer: &nod.Answer{Verdict: nod.VerdictAllow}}
	text := o.Label
	switch o.Kind {
	case nod.OptionAlways:
		out.ask, out.label, out.answer.Remember = w.Say.Say(words.DeviceAlways), w.Say.Say(words.DeviceEver), nod.Remember(o.ID)
		out.detail = nod.OneLine(w.Say.Kept(o.Detail))
	case nod.OptionLease:
		out.ask, out.label = w.Say.Say(words.DeviceLease, span, nod.DefaultTimes), span
		out.answer.Lease = &nod.Terms{Option: o.ID, Minutes: leaseMinutes, Times: nod.DefaultTimes, Where: nod.ReachSession}
		if len(o.Rules) > 0 {
			text = strings.Join(o.Rules, "\n")
		}
	default:
		return stop{}, false
	}
	out.body = best(text, w.Size, plain(Text))
	return out, len(out.body.lines) <= roomFor(w.Size, 1)
}

// choices are the answers to one question, in order.
func choices(w World, r *nod.Request) ([]stop, *words.Message) {
	q := r.Questions[0]
	width := textWidth(w.Size)
	text := q.Text
	if r.Display != "" && !strings.Contains(r.Display, q.Text) {
		text = r.Display + "\n\n" + q.Text
	}
	stops, fits := pages(w, text, plain(Text))
	if !fits {
		return nil, &words.DeviceOpenLong
	}
	head := wrap(text, width, 1, plain(Text))
	if room := max(1, roomFor(w.Size, 1)-3); len(head) <= room {
		stops = nil
	} else { // the question needs pages of its own
		for i := range stops {
			stops[i].label = w.Say.Say(words.DeviceChoose)
		}
		head = append(head[:1:1], line{{r: '…', width: halfWidth, ink: Orange}})
	}
	for i, c := range q.Choices {
		if widthOf(nod.OneLine(c.Label), 1) > width-24 {
			return nil, &words.DeviceOpenLong
		}
		stops = append(stops, stop{
			page: w.Say.Say(words.DevicePick, i+1, len(q.Choices)), body: block{lines: head, scale: 1},
			list: window(q.Choices, i, roomFor(w.Size, 1)-len(head)), label: w.Say.Say(words.DeviceChoose),
			answer: &nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{q.Key(): {Picked: []string{c.Label}}}},
		})
	}
	return stops, nil
}

// window is as many choices as fit, the selected one among them.
func window(list []nod.Choice, chosen, room int) []row {
	first := min(max(0, chosen-room/2), max(0, len(list)-room))
	var rows []row
	for i := first; i < len(list) && len(rows) < room; i++ {
		r := row{text: nod.OneLine(list[i].Label), ink: Soft}
		if r.chosen = i == chosen; r.chosen {
			r.ink, r.soft = Text, nod.OneLine(list[i].Description)
		}
		rows = append(rows, r)
	}
	return rows
}

// pages splits a text into screens; false: it is too long for that.
func pages(w World, text string, ink func(string) Ink) ([]stop, bool) {
	if len(text) > mostPages*roomFor(w.Size, 1)*(textWidth(w.Size)/halfWidth+1)*utf8.UTFMax {
		return nil, false // not worth laying out
	}
	all := best(text, w.Size, ink)
	room := roomFor(w.Size, all.scale)
	n := max(1, (len(all.lines)+room-1)/room)
	if n > mostPages {
		return nil, false
	}
	stops := make([]stop, n)
	for i := range stops {
		part := all
		part.lines = slices.Clone(all.lines[i*room : min(len(all.lines), (i+1)*room)])
		if i < n-1 {
			last := &part.lines[len(part.lines)-1]
			*last = append(slices.Clone(*last), cell{r: '…', width: halfWidth, ink: Orange})
		}
		stops[i] = stop{body: part, text: true}
		if n > 1 {
			stops[i].page = w.Say.Say(words.DevicePage, i+1, n)
		}
	}
	return stops, true
}

func pagesOf(stops []stop) int {
	n := 0
	for _, s := range stops {
		if s.text {
			n++
		}
	}
	return n
}

// asked is the question above the text.
func asked(say words.Printer, r *nod.Request) string {
	switch {
	case r.Kind == nod.KindQuestion && len(r.Questions) > 0 && r.Questions[0].Header != "":
		return nod.OneLine(r.Questions[0].Header)
	case r.Kind == nod.KindQuestion:
		return say.Say(words.DeviceQuestion)
	case r.Kind == nod.KindPlan:
		return say.Say(words.DevicePlan)
	case r.Kind == nod.KindElicitation:
		return say.Say(words.DeviceForm)
	}
	switch r.Tool {
	case "Bash", "PowerShell":
		return say.Say(words.DeviceRun)
	case "Edit", "MultiEdit", "NotebookEdit":
		return say.Say(words.DeviceChange)
	case "Write":
		return say.Say(words.DeviceWrite)
	case "Read":
		return say.Say(words.DeviceRead)
	case "WebFetch":
		return say.Say(words.DeviceFetch)
	case "WebSearch":
		return say.Say(words.DeviceSearch)
	}
	return say.Say(words.DeviceUse, nod.OneLine(r.Tool))
}

func plain(ink Ink) func(string) Ink { return func(string) Ink { return ink } }

// colourOf draws removed and added lines of an edit in their colours; the signs stay.
func colourOf(r *nod.Request) func(string) Ink {
	if r.Tool != "Edit" && r.Tool != "MultiEdit" {
		return plain(Text)
	}
	return func(paragraph string) Ink {
		switch {
		case strings.HasPrefix(paragraph, "+ "):
			return Green
		case strings.HasPrefix(paragraph, "- "):
			return Red
		}
		return Text
	}
}
