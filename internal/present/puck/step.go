package puck

import "sync"

// place is a state and an event.
type place struct {
	at State
	on Event
}

// rows finds the rows of a place. The index is built at first use.
var rows struct {
	once sync.Once
	of   map[place][]Row
}

func at(p place) []Row {
	rows.once.Do(func() {
		rows.of = map[place][]Row{}
		for _, row := range Table() {
			from := place{row.From, row.On}
			rows.of[from] = append(rows.of[from], row)
		}
	})
	return rows.of[p]
}

// Step is one step of the machine: its new memory, and what to do, in this order. An unknown event changes nothing.
func Step(m Memory, in Input) (Memory, []Effect) {
	m.State = m.At()
	if other := in.Request != "" && in.Request != m.Request; other && m.Request != "" && in.Event.Person() {
		return m, []Effect{{Beep: true}} // meant for something that is no longer shown
	} else if other && in.Event == Withdrawn {
		return m, nil
	}
	for _, row := range at(place{m.State, in.Event}) {
		if row.When.holds(&m, &in) {
			return follow(m, in, row)
		}
	}
	return m, nil
}

func follow(m Memory, in Input, row Row) (Memory, []Effect) {
	var effects []Effect
	m.State = row.To
	for _, d := range row.Do {
		switch {
		case d.Set != "":
			m = m.set(d.Set, in)
		case d.Light != "":
			shown := m.Light(d.Light)
			effects = append(effects, Effect{Light: &shown})
		case d.Say == SayOnboarding && (m.Taught || m.OnScreen):
		case d.Say != "":
			said := m.speech(d.Say, in)
			m.Taught = m.Taught || d.Say == SayOnboarding
			effects = append(effects, Effect{Say: &said})
		case d.Beep:
			effects = append(effects, Effect{Beep: true})
		case d.Start != "":
			effects = append(effects, Effect{Start: d.Start, For: timing(d.Start).For})
		case d.Stop != "":
			effects = append(effects, Effect{Stop: d.Stop})
		case d.Interrupt:
			effects = append(effects, Effect{Interrupt: true})
		case d.Answer != "":
			a := Answer{Request: m.Request, Type: d.Answer, Reason: d.Reason}
			if d.Answer == Chosen {
				a.Option = m.Selected
			}
			m.Answered = m.Request
			effects = append(effects, Effect{Answer: &a})
		}
	}
	return m, effects
}

// option is the number that an event names.
func (in *Input) option() int {
	switch in.Event {
	case Tap2:
		return 2
	case Tap3:
		return 3
	case Tap4:
		return 4
	case Tap5:
		return 5
	}
	return in.Option
}

func (m Memory) set(s Set, in Input) Memory {
	switch s {
	case SetTalking:
		m.Talking = true
	case SetQuiet:
		m.Talking = false
	case SetApproval:
		m = m.forget()
		m.Request, m.Command, m.Text, m.OnScreen, m.Twice = in.Request, in.Command, in.Text, in.OnScreen, in.Twice
		if in.Total > 1 {
			m.Total, m.Index, m.Ongoing = in.Total, min(max(in.Index, 1), in.Total), in.Ongoing
		}
	case SetChoice:
		m = m.forget()
		m.Request, m.Question, m.Selected = in.Request, in.Question, 1
		m.Count = copy(m.Options[:], in.Options)
	case SetSure:
		m.Twice = false
	case SetForget:
		m = m.forget()
	case SetNext:
		m.Selected = m.Selected%m.Count + 1
	case SetPrevious:
		m.Selected = (m.Selected+m.Count-2)%m.Count + 1
	case SetOption:
		m.Selected = in.option()
	case SetContext:
		m.Turn, m.Context, m.Left = in.Turn, true, LEDs
	case SetFull:
		m.Left = LEDs
	case SetDrained:
		m.Left = max(m.Left-1, 0)
	case SetClosed:
		m.Turn, m.Context, m.Left = 0, false, 0
	case SetError:
		m.Code, m.Detail = in.Code, in.Detail
	case SetNoResponse:
		m.Code, m.Detail = NoResponseCode, timing(ResponseTimer).For.String()
	case SetNoOptions:
		m.Code, m.Detail = ParseError, "options is missing"
	}
	return m
}

// forget is the memory without a question.
func (m Memory) forget() Memory {
	m.Request, m.Command, m.Text, m.Question, m.OnScreen, m.Twice = "", "", "", "", false, false
	m.Options, m.Count, m.Selected, m.Index, m.Total, m.Ongoing = [MostOptions]string{}, 0, 0, 0, 0, false
	return m
}

func (m Memory) speech(key Say, in Input) Speech {
	s := Speech{Key: key}
	switch key {
	case SayPrompt:
		s.Command, s.Text, s.Index, s.Total, s.Ongoing = m.Command, m.Text, m.Index, m.Total, m.Ongoing
		switch {
		case m.OnScreen:
			s.Key = SayScreenOnly
		case m.Total > 1:
			s.Key = SayPromptOf
		}
	case SayTwice:
		s.Command, s.Text = m.Command, m.Text
	case SayAnswer, SayResumed:
		s.Text = in.Text
	case SayOption:
		s.Option = m.Options[max(m.Selected, 1)-1]
	case SayChoices:
		s.Question, s.Options = m.Question, append([]string(nil), m.Options[:m.Count]...)
	case SayError:
		s.Code, s.Detail = m.Code, m.Detail
	}
	return s
}
