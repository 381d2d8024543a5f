// Package puck is a voice puck: a dial, a button, a ring of twelve lights and a voice. One table defines its
// behaviour; Step reads it, and so do the documentation and other implementations of the same machine. Nothing here
// does I/O or reads a clock.
package puck

import "time"

// State is a state of the puck.
type State string

const (
	Idle           State = "IDLE"
	Thinking       State = "THINKING"
	Waiting        State = "WAITING"
	PreviewApprove State = "PREVIEW_APPROVE"
	PreviewReject  State = "PREVIEW_REJECT"
	Executing      State = "EXECUTING"
	MultipleChoice State = "MULTIPLE_CHOICE"
	Error          State = "ERROR"
)

// Event is something that happens to it.
type Event string

// Events from the agent, or from a program that speaks for it.
const (
	RequestSent Event = "request_sent" // a person's words are on their way
	Working     Event = "working"      // a heartbeat; optional
	Response    Event = "response"     // Text, and Turn when the conversation continues
	Approval    Event = "approval"     // Request, Command, OnScreen, Twice; Index, Total and Ongoing when there are several
	Choice      Event = "choice"       // Request, Question, Options
	Failure     Event = "error"        // Code, Detail
	Withdrawn   Event = "withdrawn"    // Request needs no answer any more
	Finished    Event = "finished"     // the agent is done and has nothing to say
	Resumed     Event = "resumed"      // Text: what an older conversation is about; Turn
)

// Events from a person.
const (
	DialCW      Event = "dial_cw"
	DialCCW     Event = "dial_ccw"
	Button      Event = "button"
	LongPress   Event = "long_press"
	Tap2        Event = "tap_2"
	Tap3        Event = "tap_3"
	Tap4        Event = "tap_4"
	Tap5        Event = "tap_5"
	VoiceYes    Event = "voice_yes"
	VoiceNo     Event = "voice_no"
	VoiceOption Event = "voice_option" // Option, from 1
	VoiceCancel Event = "voice_cancel"
	VoiceStop   Event = "voice_stop"
)

// Events from the timers.
const (
	PreviewTimeout Event = "preview_timeout"
	TimeoutWarning Event = "timeout_warning"
	Timeout        Event = "timeout"
	ContextTick    Event = "context_tick"
	ContextTimeout Event = "context_timeout"
	NoResponse     Event = "no_response"
	Stale          Event = "stale"
	FlashOver      Event = "flash_over"
	ErrorOver      Event = "error_over"
)

// Input is an event with its data.
type Input struct {
	Event    Event
	Request  string // with a person's action: the request that was shown to them, if known
	Command  string // already for the ear; of an approval that is not a command, Text says what is asked
	Question string
	Options  []string // at most MostOptions are shown
	Option   int      // from 1
	Index    int      // which of Total approvals
	Total    int
	Ongoing  bool // Total is how many there were so far: more may come
	Turn     int  // of the conversation; 0: it does not continue
	Text     string
	Code     string
	Detail   string
	OnScreen bool // an approval that can be refused here, but not allowed
	Twice    bool // an approval that takes a second yes after it was read back
}

// MostOptions is how many options a ring can show and a person can remember.
const MostOptions = 5

// Memory is all that the machine remembers. The zero Memory is idle.
type Memory struct {
	State    State
	Request  string // what is shown; a press is about this
	Command  string
	Text     string // the question, when it is not a command
	Question string
	Options  [MostOptions]string
	Count    int // of options
	Selected int // from 1
	Index    int
	Total    int
	Ongoing  bool
	Turn     int
	Left     int  // of the context, in LEDs
	Context  bool // the conversation can be continued
	Talking  bool // a person asked and has no answer yet
	OnScreen bool
	Twice    bool
	Taught   bool   // the one-sentence introduction was said
	Answered string // the last request that was answered here
	Code     string
	Detail   string
}

// At is the state, also of a zero Memory.
func (m Memory) At() State {
	if m.State == "" {
		return Idle
	}
	return m.State
}

// Speech is something to say. Key is its key in the message catalogue.
type Speech struct {
	Key      Say
	Text     string // an answer, verbatim
	Command  string
	Question string
	Option   string
	Options  []string
	Index    int
	Total    int
	Ongoing  bool
	Code     string
	Detail   string
}

// Answer is the puck's answer to a request.
type Answer struct {
	Request string
	Type    string // approved, rejected, choice, cancelled
	Option  int    // of a choice, from 1
	Reason  string // timeout, user_reject, user_cancel; empty for a plain yes
}

// The types and reasons of answers, as they are on the wire.
const (
	Approved   = "approved"
	Rejected   = "rejected"
	Chosen     = "choice"
	Cancelled  = "cancelled"
	ForTimeout = "timeout"
	UserReject = "user_reject"
	UserCancel = "user_cancel"
)

// Effect is one thing to do. Exactly one of its fields is set, and For with Start.
type Effect struct {
	Light     *Light
	Say       *Speech
	Beep      bool
	Start     Timer
	For       time.Duration
	Stop      Timer
	Answer    *Answer
	Interrupt bool // stop the agent that works for this puck
}

// Timer is the name of a timer. Starting a running one restarts it.
type Timer string

const (
	PreviewTimer  Timer = "preview"
	WarningTimer  Timer = "warning"
	ApprovalTimer Timer = "approval"
	ContextTimer  Timer = "context"
	TickTimer     Timer = "tick"
	ResponseTimer Timer = "response"
	StaleTimer    Timer = "stale"
	FlashTimer    Timer = "flash"
	ErrorTimer    Timer = "error"
)

// Timing is one timer: how long it runs, and the event it causes.
type Timing struct {
	Timer Timer
	For   time.Duration
	Event Event
}

// Timers are all timers.
func Timers() []Timing {
	return []Timing{
		{PreviewTimer, 10 * time.Second, PreviewTimeout},
		{WarningTimer, 10 * time.Second, TimeoutWarning},
		{ApprovalTimer, 15 * time.Second, Timeout},
		{ContextTimer, 60 * time.Second, ContextTimeout},
		{TickTimer, 5 * time.Second, ContextTick},
		{ResponseTimer, 30 * time.Second, NoResponse},
		{StaleTimer, 10 * time.Minute, Stale},
		{FlashTimer, time.Second, FlashOver},
		{ErrorTimer, 3 * time.Second, ErrorOver},
	}
}

func timing(t Timer) Timing {
	for _, one := range Timers() {
		if one.Timer == t {
			return one
		}
	}
	return Timing{Timer: t}
}
