package puck

// Row is one line of the table: in this state, on this event, if the guard holds.
type Row struct {
	From State
	On   Event
	When Guard // empty: always
	To   State
	Do   []Do
}

// Guard is a condition, by name.
type Guard string

const (
	IfAnswered  Guard = "answered"   // the request was already answered here: it came twice
	IfNoOptions Guard = "no_options" // a choice without options
	IfGoesOn    Guard = "goes_on"    // the answer belongs to a conversation: its turn is known
	IfContext   Guard = "context"    // a conversation can be continued
	IfTalking   Guard = "talking"    // a person asked and has no answer yet
	IfOnScreen  Guard = "on_screen"  // the request can be refused here, but not allowed
	IfTwice     Guard = "twice"      // a yes has to be said twice, and was not yet
	IfSeveral   Guard = "several"    // it is one of several approvals
	IfOption    Guard = "has_option" // there is an option of that number
)

func (g Guard) holds(m *Memory, in *Input) bool {
	switch g {
	case "":
		return true
	case IfAnswered:
		return in.Request != "" && in.Request == m.Answered
	case IfNoOptions:
		return len(in.Options) == 0
	case IfGoesOn:
		return in.Turn > 0
	case IfContext:
		return m.Context
	case IfTalking:
		return m.Talking
	case IfOnScreen:
		return m.OnScreen
	case IfTwice:
		return m.Twice
	case IfSeveral: // that wait together; one after the other, a no is a no to one of them
		return m.Total > 1 && !m.Ongoing
	case IfOption:
		n := in.option()
		return n >= 1 && n <= m.Count
	}
	return false
}

// Do is one effect, by name: exactly one field is set, and Reason with Answer.
type Do struct {
	Set       Set
	Light     Show
	Say       Say
	Beep      bool
	Start     Timer
	Stop      Timer
	Answer    string
	Reason    string
	Interrupt bool
}

// Set is something to remember, by name.
type Set string

const (
	SetTalking    Set = "talking"          // a person has asked
	SetQuiet      Set = "quiet"            // and has an answer, or will get none
	SetApproval   Set = "approval"         // request, command, index, total, on_screen, twice from the event
	SetSure       Set = "sure"             // a first yes was said: the next one counts
	SetChoice     Set = "choice"           // request, question, options from the event; the first is selected
	SetForget     Set = "forget"           // all that the two above remember
	SetNext       Set = "next_option"      // the selection moves on, and wraps around
	SetPrevious   Set = "previous_option"  // and back
	SetOption     Set = "option"           // the selection is the event's number
	SetContext    Set = "context_open"     // turn from the event; the ring is full
	SetFull       Set = "context_full"     // the ring is full again
	SetDrained    Set = "context_drain"    // one LED less
	SetClosed     Set = "context_close"    // the conversation is over
	SetError      Set = "error"            // code and detail from the event
	SetNoResponse Set = "error_no_reply"   // code NO_RESPONSE, detail 30s
	SetNoOptions  Set = "error_no_options" // code PARSE_ERROR, detail "options is missing"
)

// Show is a light, by name.
type Show string

// The lights. ShowWaiting, ShowChoice, ShowPicked, ShowContext, ShowSettled and ShowRest depend on the memory.
const (
	ShowOff      Show = "off"
	ShowThinking Show = "thinking"
	ShowWaiting  Show = "waiting" // orange, or the progress of several approvals
	ShowAllow    Show = "preview_approve"
	ShowRefuse   Show = "preview_reject"
	ShowApproved Show = "approved"
	ShowRejected Show = "rejected"
	ShowChoice   Show = "choice"
	ShowPicked   Show = "picked"  // the chosen segment, blinking
	ShowContext  Show = "context" // the draining ring
	ShowSettled  Show = "settled" // after the last of several: all their LEDs; else as ShowRest
	ShowFlash    Show = "flash"   // this makes no sense now
	ShowError    Show = "error"
	ShowRest     Show = "rest" // what the state shows when nothing happens
)

// Light is what a name stands for with this memory.
func (m Memory) Light(name Show) Light {
	switch name {
	case ShowThinking:
		return Light{Mode: Solid, Color: Blue}
	case ShowWaiting:
		if m.Total > 1 {
			return Light{Mode: Progress, Color: Orange, Completed: m.Index - 1, Current: m.Index}
		}
		return Light{Mode: Solid, Color: Orange}
	case ShowAllow:
		return Light{Mode: Solid, Color: LightGreen}
	case ShowRefuse:
		return Light{Mode: Solid, Color: LightRed}
	case ShowApproved:
		return Light{Mode: Solid, Color: Green}
	case ShowRejected:
		return Light{Mode: Solid, Color: Red}
	case ShowChoice:
		return Light{Mode: Segments, Options: m.Count, Selected: m.Selected}
	case ShowPicked:
		return Light{Mode: Blink, Options: m.Count, Selected: m.Selected}
	case ShowContext:
		return Light{Mode: Drain, Color: Age(m.Turn), Percent: m.Left * 100 / LEDs}
	case ShowSettled:
		if m.Total > 1 && m.Index >= m.Total {
			return Light{Mode: Progress, Color: Orange, Completed: m.Total}
		}
		return m.rest()
	case ShowFlash, ShowError:
		return Light{Mode: Blink, Color: Red}
	case ShowRest:
		return m.rest()
	}
	return Light{Mode: Off}
}

// rest is what a state shows when nothing happens.
func (m Memory) rest() Light {
	switch m.At() {
	case Thinking, Executing:
		return m.Light(ShowThinking)
	case Waiting:
		return m.Light(ShowWaiting)
	case PreviewApprove:
		return m.Light(ShowAllow)
	case PreviewReject:
		return m.Light(ShowRefuse)
	case MultipleChoice:
		return m.Light(ShowChoice)
	case Error:
		return m.Light(ShowError)
	}
	if m.Context {
		return m.Light(ShowContext)
	}
	return Light{Mode: Off}
}
