package puck

// The rows of each state.

func (t *table) idle() {
	t.sent(Idle)
	t.asked(Idle)
	t.add(Idle, IfGoesOn, Idle, join(do(set(SetContext), light(ShowContext), say(SayAnswer)), opened()), Response)
	t.add(Idle, "", Idle, do(say(SayAnswer)), Response)
	t.add(Idle, "", Idle, join(do(set(SetContext), light(ShowContext), say(SayResumed)), opened()), Resumed)
	touched := []Event{DialCW, DialCCW, Button, Tap2, Tap3, Tap4, Tap5}
	t.add(Idle, IfContext, Idle, join(do(set(SetFull), light(ShowContext)), opened()), touched...)
	t.add(Idle, IfContext, Idle, do(stop(ContextTimer), stop(TickTimer), set(SetClosed), light(ShowRejected), start(FlashTimer)), LongPress)
	t.add(Idle, "", Idle, do(light(ShowFlash), start(FlashTimer)), append(touched, LongPress)...)
}

func (t *table) thinking() {
	t.sent(Thinking)
	t.asked(Thinking)
	t.told(Thinking)
	t.add(Thinking, "", Idle, join(do(stop(ResponseTimer), set(SetQuiet), set(SetContext), light(ShowContext), say(SayResumed)), opened()), Resumed)
	t.add(Thinking, "", Thinking, do(start(ResponseTimer)), Working)
	t.add(Thinking, "", Idle, do(stop(ResponseTimer), set(SetQuiet), light(ShowRest)), Finished)
	t.add(Thinking, "", Thinking, beep(), DialCW, DialCCW, Button, Tap2, Tap3, Tap4, Tap5, VoiceYes, VoiceNo, VoiceOption)
	t.interrupted(Thinking, SayCancelled, LongPress, VoiceCancel, VoiceStop)
	t.add(Thinking, "", Error, do(set(SetQuiet), set(SetNoResponse), light(ShowError), say(SayError), start(ErrorTimer)), NoResponse)
}

func (t *table) waiting() {
	t.add(Waiting, "", Waiting, beep(), RequestSent, Button, Tap2, Tap3, Tap4, Tap5, VoiceOption)
	t.add(Waiting, "", Waiting, join(do(say(SayAnswer)), stillAsking()), Response)
	t.withdrawn(Waiting)
	t.add(Waiting, IfOnScreen, Waiting, join(do(say(SayOnScreen)), stillAsking()), DialCW, VoiceYes)
	t.add(Waiting, IfTwice, Waiting, join(do(set(SetSure), say(SayTwice)), stillAsking()), VoiceYes)
	t.add(Waiting, "", PreviewApprove, join(notAsking(), do(light(ShowAllow), start(PreviewTimer))), DialCW)
	t.add(Waiting, "", PreviewReject, join(notAsking(), do(light(ShowRefuse), start(PreviewTimer))), DialCCW)
	t.approved(Waiting, VoiceYes)
	t.rejected(Waiting, UserReject, VoiceNo)
	t.rejected(Waiting, UserCancel, LongPress, VoiceCancel)
	t.stopped(Waiting, Rejected)
	t.add(Waiting, "", Waiting, do(say(SayWarning)), TimeoutWarning)
	t.add(Waiting, "", Idle, join(notAsking(), do(answer(Rejected, ForTimeout), set(SetForget), set(SetQuiet), light(ShowRest), say(SayTimeout))), Timeout)
}

// previews: the dial has shown an intent, and a second action commits it.
func (t *table) previews() {
	back := join(do(stop(PreviewTimer), light(ShowWaiting)), stillAsking())
	for _, from := range []State{PreviewApprove, PreviewReject} {
		t.add(from, "", from, beep(), RequestSent, Tap2, Tap3, Tap4, Tap5, VoiceOption)
		t.add(from, "", from, do(say(SayAnswer), start(PreviewTimer)), Response)
		t.withdrawn(from)
		t.add(from, "", Waiting, back, PreviewTimeout)
		t.add(from, IfOnScreen, Waiting, join(do(say(SayOnScreen)), back), VoiceYes)
		t.add(from, IfTwice, Waiting, join(do(set(SetSure), stop(PreviewTimer), light(ShowWaiting), say(SayTwice)), stillAsking()), VoiceYes)
		t.approved(from, VoiceYes)
		t.rejected(from, UserReject, VoiceNo)
		t.rejected(from, UserCancel, LongPress, VoiceCancel)
		t.stopped(from, Rejected)
	}
	t.approved(PreviewApprove, Button, DialCW)
	t.add(PreviewApprove, "", Waiting, back, DialCCW)
	t.rejected(PreviewReject, UserReject, Button, DialCCW)
	t.add(PreviewReject, "", Waiting, back, DialCW)
}

func (t *table) executing() {
	t.sent(Executing)
	t.asked(Executing)
	t.told(Executing)
	t.add(Executing, "", Executing, do(start(StaleTimer)), Working)
	t.add(Executing, "", Idle, do(stop(StaleTimer), set(SetQuiet), light(ShowSettled), set(SetForget), start(FlashTimer)), Finished)
	t.add(Executing, "", Executing, beep(), DialCW, DialCCW, Button, Tap2, Tap3, Tap4, Tap5, VoiceYes, VoiceNo, VoiceOption)
	t.interrupted(Executing, SayStopping, LongPress, VoiceCancel, VoiceStop)
	t.add(Executing, "", Idle, do(set(SetForget), set(SetQuiet), light(ShowRest)), Stale)
}

func (t *table) choosing() {
	const here = MultipleChoice
	taps := []Event{Tap2, Tap3, Tap4, Tap5}
	chosen := join(notAsking(), do(answer(Chosen, ""), light(ShowPicked), start(FlashTimer), start(StaleTimer)))
	t.add(here, "", here, join(do(set(SetNext), light(ShowChoice), say(SayOption)), stillAsking()), DialCW)
	t.add(here, "", here, join(do(set(SetPrevious), light(ShowChoice), say(SayOption)), stillAsking()), DialCCW)
	t.add(here, "", Executing, chosen, Button)
	t.add(here, IfOption, Executing, join(do(set(SetOption), say(SayOption)), chosen), taps...)
	t.add(here, IfOption, Executing, join(do(set(SetOption)), chosen), VoiceOption)
	t.add(here, "", here, beep(), append(taps, VoiceOption, VoiceYes, RequestSent)...)
	t.add(here, "", here, join(do(say(SayAnswer)), stillAsking()), Response)
	t.withdrawn(here)
	given := join(notAsking(), do(answer(Cancelled, UserCancel), set(SetForget), set(SetQuiet), light(ShowRejected), say(SayCancelled), start(FlashTimer)))
	t.add(here, "", Idle, given, LongPress, VoiceNo, VoiceCancel)
	t.stopped(here, Cancelled)
	t.add(here, "", here, do(say(SayWarning)), TimeoutWarning)
	t.add(here, "", Idle, join(notAsking(), do(answer(Cancelled, ForTimeout), set(SetForget), set(SetQuiet), light(ShowRest), say(SayTimeout))), Timeout)
}

func (t *table) failed() {
	t.sent(Error)
	t.asked(Error)
	t.told(Error)
	t.add(Error, "", Idle, do(light(ShowRest)), ErrorOver)
	t.add(Error, "", Idle, do(stop(ErrorTimer), light(ShowRest)), Button, LongPress, VoiceCancel, VoiceStop)
	t.add(Error, "", Error, beep(), DialCW, DialCCW, Tap2, Tap3, Tap4, Tap5, VoiceYes, VoiceNo, VoiceOption)
}

// approved is the only way to an allow.
func (t *table) approved(from State, on ...Event) {
	t.add(from, "", Executing, join(notAsking(), do(answer(Approved, ""), light(ShowApproved), start(FlashTimer), start(StaleTimer))), on...)
}

// rejected: of several approvals, one no ends the whole task.
func (t *table) rejected(from State, reason string, on ...Event) {
	no := join(notAsking(), do(answer(Rejected, reason)))
	end := do(set(SetForget), set(SetQuiet), light(ShowRejected), say(SayCancelled), start(FlashTimer))
	t.add(from, IfSeveral, Idle, join(no, interrupt(), end), on...)
	t.add(from, "", Idle, join(no, end), on...)
}

// stopped: no, and everything else that the agent does for this person.
func (t *table) stopped(from State, what string) {
	t.add(from, "", Idle, join(notAsking(), do(answer(what, UserCancel)), interrupt(),
		do(set(SetForget), set(SetQuiet), light(ShowRejected), say(SayStopping), start(FlashTimer))), VoiceStop)
}

// withdrawn: another answer was first, or none is needed any more. The short rest after it keeps a hand that is still
// turning from answering the next question.
func (t *table) withdrawn(from State) {
	t.add(from, IfTalking, Executing, join(notAsking(), do(set(SetForget), light(ShowThinking), say(SayElsewhere), start(FlashTimer), start(StaleTimer))), Withdrawn)
	t.add(from, "", Idle, join(notAsking(), do(set(SetForget), light(ShowRest), say(SayElsewhere), start(FlashTimer))), Withdrawn)
}
