package words

import "nod"

// The steps of a request's way, as the receipts prove them.
var (
	StepRaised    = Message{EN: "raised", PL: "zgłoszone", JA: "発生"}
	StepStored    = Message{EN: "stored", PL: "zapisane", JA: "保存"}
	StepTold      = Message{EN: "notified", PL: "powiadomiono", JA: "通知"}
	StepShown     = Message{EN: "shown", PL: "pokazane", JA: "表示"}
	StepDecided   = Message{EN: "decided", PL: "rozstrzygnięte", JA: "決定"}
	StepDelivered = Message{EN: "delivered", PL: "doręczone", JA: "配達"}
	StepApplied   = Message{EN: "applied", PL: "wykonane", JA: "適用"}
	StepDoubted   = Message{EN: "not confirmed", PL: "niepotwierdzone", JA: "未確認"}
	StepHeld      = Message{EN: "waits at another hub", PL: "czeka przy innym hubie", JA: "別のハブで待機"}
	StepOverruled = Message{EN: "overruled", PL: "uchylone", JA: "無効"}

	ShownTo   = Message{EN: "shown to %s", PL: "pokazane: %s", JA: "表示: %s"}
	DecidedBy = Message{EN: "decided by %s", PL: "rozstrzygnięte: %s", JA: "決定: %s"}
)

// Step is the word for a step.
func (p Printer) Step(s nod.Step) string {
	switch s {
	case nod.StepRaised:
		return p.Say(StepRaised)
	case nod.StepStored:
		return p.Say(StepStored)
	case nod.StepTold:
		return p.Say(StepTold)
	case nod.StepShown:
		return p.Say(StepShown)
	case nod.StepDecided:
		return p.Say(StepDecided)
	case nod.StepDelivered:
		return p.Say(StepDelivered)
	case nod.StepApplied:
		return p.Say(StepApplied)
	case nod.StepDoubted:
		return p.Say(StepDoubted)
	case nod.StepHeld:
		return p.Say(StepHeld)
	case nod.StepOverruled:
		return p.Say(StepOverruled)
	}
	return string(s)
}

// What became of one's own decision.
var (
	Applied = Message{
		EN: "Applied.",
		PL: "Wykonane.",
		JA: "適用されました。",
	}
	NotDelivered = Message{
		EN: "Recorded, but not delivered to %[1]s yet. It is delivered as soon as the agent asks again; `nod requests %[2]s` shows how far it is.",
		PL: "Zapisane, ale %[1]s jeszcze tego nie ma. Trafi tam, gdy tylko agent zapyta ponownie; `nod requests %[2]s` pokazuje postęp.",
		JA: "記録しましたが、%[1]s にはまだ届いていません。エージェントが次に問い合わせたときに届きます。`nod requests %[2]s` で進み具合がわかります。",
	}
	NotConfirmed = Message{
		EN: "Delivered, not confirmed yet: %[1]s has it, but has not shown that it acted on it. `nod requests %[2]s` shows when it does.",
		PL: "Doręczone, jeszcze niepotwierdzone: %[1]s ma odpowiedź, ale nie pokazał, że jej użył. `nod requests %[2]s` pokaże, gdy to zrobi.",
		JA: "届きましたが、まだ確認できていません。%[1]s がそのとおりに動いた証拠がありません。`nod requests %[2]s` で確認できます。",
	}
	Doubted = Message{
		EN: "Delivered, but %[1]s never showed that it acted on it. Look at its terminal on %[2]s.",
		PL: "Doręczone, ale %[1]s nie pokazał, że tego użył. Zajrzyj do jego terminala na %[2]s.",
		JA: "届きましたが、%[1]s はそのとおりに動いた様子がありません。%[2]s の端末を見てください。",
	}
	Overruled = Message{
		EN: "Too late after all: %[1]s did something else, most likely what was answered in its terminal on %[2]s.",
		PL: "Jednak za późno: %[1]s zrobił coś innego, zapewne to, co wybrano w jego terminalu na %[2]s.",
		JA: "間に合いませんでした。%[1]s は別の動きをしました。おそらく %[2]s の端末で先に回答されています。",
	}
	NotFollowed = Message{
		EN: "Recorded. The hub went quiet before it could say whether the agent has it; `nod requests %s` shows how far it is.",
		PL: "Zapisane. Hub zamilkł, zanim potwierdził, że agent to ma; `nod requests %s` pokazuje postęp.",
		JA: "記録しました。エージェントに届いたかどうかがわかる前にハブとの接続が切れました。`nod requests %s` で確認できます。",
	}
)
