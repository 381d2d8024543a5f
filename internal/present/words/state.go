package words

import "nod"

// What an agent is doing.
var (
	StateIdle     = Message{EN: "Idle", PL: "Bezczynny", JA: "待機中"}
	StateWorking  = Message{EN: "Working", PL: "Pracuje", JA: "作業中"}
	StateNeedsYou = Message{EN: "Needs you", PL: "Czeka na Ciebie", JA: "返事待ち"}
	StateLimited  = Message{EN: "Limited", PL: "Limit", JA: "制限中"}
	StateFailed   = Message{EN: "Failed", PL: "Błąd", JA: "エラー"}
	StateEnded    = Message{EN: "Ended", PL: "Zakończony", JA: "終了"}
	StateStopping = Message{EN: "Stopping…", PL: "Zatrzymuje się…", JA: "停止中…"}
	StateUnknown  = Message{EN: "Unknown", PL: "Nieznany", JA: "不明"}

	LimitedUntil = Message{EN: "limited until %s", PL: "limit do %s", JA: "%s まで制限"}
	NotConnected = Message{EN: "Not connected", PL: "Brak połączenia", JA: "未接続"}
)

// State is the word for an agent's state.
func (p Printer) State(s nod.AgentState) string {
	switch s {
	case nod.AgentIdle:
		return p.Say(StateIdle)
	case nod.AgentWorking:
		return p.Say(StateWorking)
	case nod.AgentWaiting:
		return p.Say(StateNeedsYou)
	case nod.AgentLimited:
		return p.Say(StateLimited)
	case nod.AgentError:
		return p.Say(StateFailed)
	case nod.AgentEnded:
		return p.Say(StateEnded)
	}
	return p.Say(StateUnknown)
}

// Where a request stands.
var (
	StatusAllowed   = Message{EN: "allowed", PL: "dozwolone", JA: "許可済み"}
	StatusDenied    = Message{EN: "denied", PL: "odrzucone", JA: "拒否済み"}
	StatusAnswered  = Message{EN: "answered", PL: "odpowiedziane", JA: "回答済み"}
	StatusExpired   = Message{EN: "expired", PL: "wygasło", JA: "期限切れ"}
	StatusWithdrawn = Message{EN: "withdrawn", PL: "wycofane", JA: "取り下げ"}
)

// Verdict is what a decision was, as an adjective.
func (p Printer) Verdict(v nod.Verdict) string {
	switch v {
	case nod.VerdictAllow:
		return p.Say(StatusAllowed)
	case nod.VerdictDeny:
		return p.Say(StatusDenied)
	}
	return p.Say(StatusAnswered)
}

// What sort of answer is wanted.
var (
	KindApproval    = Message{EN: "Approval", PL: "Zgoda", JA: "許可"}
	KindQuestion    = Message{EN: "Question", PL: "Pytanie", JA: "質問"}
	KindPlan        = Message{EN: "Plan", PL: "Plan", JA: "計画"}
	KindElicitation = Message{EN: "Form", PL: "Formularz", JA: "フォーム"}
)

// Kind is the word for a request's kind.
func (p Printer) Kind(k nod.RequestKind) string {
	switch k {
	case nod.KindQuestion:
		return p.Say(KindQuestion)
	case nod.KindPlan:
		return p.Say(KindPlan)
	case nod.KindElicitation:
		return p.Say(KindElicitation)
	}
	return p.Say(KindApproval)
}

// What could go wrong.
var (
	RiskRead        = Message{EN: "read", PL: "odczyt", JA: "読み取り"}
	RiskWrite       = Message{EN: "write", PL: "zapis", JA: "書き込み"}
	RiskNetwork     = Message{EN: "network", PL: "sieć", JA: "ネットワーク"}
	RiskDestructive = Message{EN: "destructive", PL: "niszczące", JA: "破壊的"}
	RiskSecret      = Message{EN: "secret", PL: "poufne", JA: "機密"}
	RiskUnknown     = Message{EN: "unknown risk", PL: "ryzyko nieznane", JA: "リスク不明"}
)

// Risk is the word for a level of risk.
func (p Printer) Risk(level string) string {
	switch level {
	case "read":
		return p.Say(RiskRead)
	case "write":
		return p.Say(RiskWrite)
	case "network":
		return p.Say(RiskNetwork)
	case "destructive":
		return p.Say(RiskDestructive)
	case "secret":
		return p.Say(RiskSecret)
	}
	return p.Say(RiskUnknown)
}
