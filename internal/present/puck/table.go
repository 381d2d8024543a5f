package puck

// States are all of them, in a fixed order.
func States() []State {
	return []State{Idle, Thinking, Waiting, PreviewApprove, PreviewReject, Executing, MultipleChoice, Error}
}

// Events are all of them, in a fixed order.
func Events() []Event {
	return []Event{
		RequestSent, Working, Response, Approval, Choice, Failure, Withdrawn, Finished, Resumed,
		DialCW, DialCCW, Button, LongPress, Tap2, Tap3, Tap4, Tap5,
		VoiceYes, VoiceNo, VoiceOption, VoiceCancel, VoiceStop,
		PreviewTimeout, TimeoutWarning, Timeout, ContextTick, ContextTimeout, NoResponse, Stale, FlashOver, ErrorOver,
	}
}

// Person reports whether an event is a person's action.
func (e Event) Person() bool {
	switch e {
	case DialCW, DialCCW, Button, LongPress, Tap2, Tap3, Tap4, Tap5, VoiceYes, VoiceNo, VoiceOption, VoiceCancel, VoiceStop:
		return true
	}
	return false
}

// Table is all rows: every event for every state. The first matching row is taken. Two rules precede it: a person's
// action about another request than the one shown is a beep, and such a withdrawal is ignored.
func Table() []Row {
	var t table
	for _, from := range States() {
		t.everywhere(from)
	}
	t.idle()
	t.thinking()
	t.waiting()
	t.previews()
	t.executing()
	t.choosing()
	t.failed()
	return t.complete()
}

// table is written in groups; complete puts it in order.
type table struct{ rows []Row }

func (t *table) add(from State, when Guard, to State, do []Do, on ...Event) {
	for _, event := range on {
		t.rows = append(t.rows, Row{From: from, On: event, When: when, To: to, Do: do})
	}
}

// complete orders the rows, and adds empty ones for missing events.
func (t *table) complete() []Row {
	var all []Row
	for _, from := range States() {
		for _, on := range Events() {
			whole := false
			for _, row := range t.rows {
				if row.From == from && row.On == on && !whole {
					all, whole = append(all, row), row.When == ""
				}
			}
			if !whole {
				all = append(all, Row{From: from, On: on, To: from})
			}
		}
	}
	return all
}

func set(s Set) Do                  { return Do{Set: s} }
func light(s Show) Do               { return Do{Light: s} }
func say(s Say) Do                  { return Do{Say: s} }
func start(t Timer) Do              { return Do{Start: t} }
func stop(t Timer) Do               { return Do{Stop: t} }
func answer(what, reason string) Do { return Do{Answer: what, Reason: reason} }
func do(list ...Do) []Do            { return list }
func join(lists ...[]Do) (all []Do) {
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

func beep() []Do      { return do(Do{Beep: true}) }
func interrupt() []Do { return do(Do{Interrupt: true}) }

// notAsking ends the timers of a question.
func notAsking() []Do { return do(stop(PreviewTimer), stop(WarningTimer), stop(ApprovalTimer)) }

// stillAsking restarts them: a person is there.
func stillAsking() []Do { return do(start(WarningTimer), start(ApprovalTimer)) }

// notBusy ends whatever was shown or awaited before something new.
func notBusy() []Do {
	return do(stop(ResponseTimer), stop(StaleTimer), stop(FlashTimer), stop(ErrorTimer))
}

// opened: an answer was given, and the conversation can continue.
func opened() []Do { return do(start(ContextTimer), start(TickTimer)) }

// everywhere holds in each state.
func (t *table) everywhere(from State) {
	t.add(from, "", Error, join(notAsking(), notBusy(),
		do(set(SetForget), set(SetQuiet), set(SetError), light(ShowError), say(SayError), start(ErrorTimer))), Failure)
	t.add(from, "", from, do(light(ShowRest)), FlashOver)
	if from == Idle {
		t.add(from, IfContext, from, do(set(SetDrained), light(ShowContext), start(TickTimer)), ContextTick)
		t.add(from, "", from, do(set(SetClosed), stop(TickTimer), light(ShowOff)), ContextTimeout)
		return
	}
	t.add(from, IfContext, from, do(set(SetDrained), start(TickTimer)), ContextTick)
	t.add(from, "", from, do(set(SetClosed), stop(TickTimer)), ContextTimeout)
}

// sent: a person's words are on their way.
func (t *table) sent(from State) {
	t.add(from, "", Thinking, join(notBusy(), do(stop(ContextTimer), stop(TickTimer), set(SetClosed), set(SetForget), set(SetTalking),
		light(ShowThinking), say(SayAsking), start(ResponseTimer))), RequestSent)
}

// asked: a question comes where none is open.
func (t *table) asked(from State) {
	t.add(from, IfAnswered, from, nil, Approval, Choice)
	t.add(from, "", Waiting, join(notBusy(), do(set(SetApproval), light(ShowWaiting), say(SayOnboarding), say(SayPrompt)), stillAsking()), Approval)
	t.add(from, IfNoOptions, Error, join(notBusy(), do(set(SetForget), set(SetQuiet), set(SetNoOptions), light(ShowError), say(SayError), start(ErrorTimer))), Choice)
	t.add(from, "", MultipleChoice, join(notBusy(), do(set(SetChoice), light(ShowChoice), say(SayChoices)), stillAsking()), Choice)
}

// told: an answer ends the wait.
func (t *table) told(from State) {
	over := join(do(stop(ResponseTimer), stop(StaleTimer), stop(ErrorTimer), set(SetQuiet)))
	end := do(light(ShowSettled), set(SetForget), start(FlashTimer), say(SayAnswer))
	t.add(from, IfGoesOn, Idle, join(over, do(set(SetContext)), end, opened()), Response)
	t.add(from, "", Idle, join(over, end), Response)
}

// interrupted: a person ends what the agent does for them.
func (t *table) interrupted(from State, words Say, on ...Event) {
	t.add(from, "", Idle, join(do(stop(ResponseTimer), stop(StaleTimer), set(SetForget), set(SetQuiet)), interrupt(),
		do(light(ShowRejected), say(words), start(FlashTimer))), on...)
}
