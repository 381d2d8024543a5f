package words

// What was decided, told to the one who did it.
var (
	Allowed      = Message{EN: "Allowed `%[1]s` for %[2]s.", PL: "Pozwolono: `%[1]s` dla %[2]s.", JA: "%[2]s の `%[1]s` を許可しました。"}
	AllowedRule  = Message{EN: "Allowed `%[1]s` for %[2]s, always from now on: %[3]s", PL: "Pozwolono: `%[1]s` dla %[2]s, odtąd zawsze: %[3]s", JA: "%[2]s の `%[1]s` を許可しました。今後は常に許可: %[3]s"}
	AllowedOther = Message{EN: "Allowed for %[2]s, changed to `%[1]s`.", PL: "Pozwolono dla %[2]s po zmianie na `%[1]s`.", JA: "%[2]s に `%[1]s` へ書き換えて許可しました。"}
	Denied       = Message{EN: "Denied `%[1]s` for %[2]s.", PL: "Odrzucono: `%[1]s` dla %[2]s.", JA: "%[2]s の `%[1]s` を拒否しました。"}
	Stopped      = Message{EN: "Denied `%[1]s` and stopped %[2]s.", PL: "Odrzucono: `%[1]s`; %[2]s zatrzymany.", JA: "`%[1]s` を拒否し、%[2]s を止めました。"}
	Answered     = Message{EN: "Answered %[2]s: %[1]s", PL: "Odpowiedziano dla %[2]s: %[1]s", JA: "%[2]s に回答しました: %[1]s"}
)

// Another device answered first, or the answer is no longer needed.
var (
	AlreadyAllowed  = Message{EN: "Already allowed by %[1]s through %[2]s, %[3]s.", PL: "Już dozwolone: %[1]s przez %[2]s, %[3]s.", JA: "%[3]s、%[1]s が %[2]s からすでに許可しています。"}
	AlreadyDenied   = Message{EN: "Already denied by %[1]s through %[2]s, %[3]s.", PL: "Już odrzucone: %[1]s przez %[2]s, %[3]s.", JA: "%[3]s、%[1]s が %[2]s からすでに拒否しています。"}
	AlreadyAnswered = Message{EN: "Already answered by %[1]s through %[2]s, %[3]s.", PL: "Już odpowiedziane: %[1]s przez %[2]s, %[3]s.", JA: "%[3]s、%[1]s が %[2]s からすでに回答しています。"}

	TerminalAllowed  = Message{EN: "Already allowed in the agent's terminal on %[1]s, %[2]s.", PL: "Już dozwolone w terminalu agenta na %[1]s, %[2]s.", JA: "%[2]s、%[1]s の端末ですでに許可されています。"}
	TerminalDenied   = Message{EN: "Already denied in the agent's terminal on %[1]s, %[2]s.", PL: "Już odrzucone w terminalu agenta na %[1]s, %[2]s.", JA: "%[2]s、%[1]s の端末ですでに拒否されています。"}
	TerminalAnswered = Message{EN: "Already answered in the agent's terminal on %[1]s, %[2]s.", PL: "Już odpowiedziane w terminalu agenta na %[1]s, %[2]s.", JA: "%[2]s、%[1]s の端末ですでに回答されています。"}

	GoneEnded      = Message{EN: "Nobody waits for this any more: the agent ended, %s.", PL: "Nikt już na to nie czeka: agent zakończył pracę, %s.", JA: "もう返事は不要です。エージェントは終了しました(%s)。"}
	GoneSuperseded = Message{EN: "Nobody waits for this any more: the agent went on without it, %s.", PL: "Nikt już na to nie czeka: agent poszedł dalej bez tego, %s.", JA: "もう返事は不要です。エージェントは先へ進みました(%s)。"}
	GoneBack       = Message{EN: "Nobody was there, so it was left to the agent's terminal on %[1]s, %[2]s. Answer it there.", PL: "Nikogo nie było, więc zostało w terminalu agenta na %[1]s, %[2]s. Odpowiedz tam.", JA: "誰もいなかったため、%[2]s、%[1]s の端末に戻しました。そちらで回答してください。"}
	GoneLost       = Message{EN: "The agent's hook on %[1]s went away, %[2]s. Only its terminal can be answered now.", PL: "Hook agenta na %[1]s zniknął, %[2]s. Odpowiedzieć można już tylko w jego terminalu.", JA: "%[2]s、%[1]s のフックとの接続が切れました。今は端末でのみ回答できます。"}
	GoneExpired    = Message{EN: "Its time is over; nothing was allowed. If the agent still needs it, it asks again.", PL: "Czas minął; na nic nie pozwolono. Jeśli agent nadal tego potrzebuje, zapyta ponownie.", JA: "期限が切れました。何も許可されていません。まだ必要なら、エージェントがもう一度聞きます。"}
)

// Answers that do not fit.
var (
	QuestionNotYesNo = Message{
		EN: "This is a question, so a bare allow would answer nothing. Choose with `nod answer`:",
		PL: "To pytanie, samo pozwolenie nic nie powie. Wybierz przez `nod answer`:",
		JA: "これは質問なので、許可だけでは答えになりません。`nod answer` で選んでください:",
	}
	AnswersNeeded = Message{
		EN: "It asks this; give an answer to each, in order:",
		PL: "Oto pytania; odpowiedz na każde, po kolei:",
		JA: "質問は次のとおりです。順番に一つずつ答えてください:",
	}
	NotAQuestion = Message{
		EN: "This is no question: allow or deny it. `nod requests %s` shows it in full.",
		PL: "To nie pytanie: pozwól albo odrzuć. `nod requests %s` pokaże całość.",
		JA: "これは質問ではありません。許可するか拒否してください。全文は `nod requests %s` で見られます。",
	}
	NoRuleOffered = Message{
		EN: "The agent offers no rule here, so it can only be allowed once: `nod allow %s`.",
		PL: "Agent nie proponuje tu reguły, więc można pozwolić tylko raz: `nod allow %s`.",
		JA: "ここで使えるルールはありません。一度だけ許可できます: `nod allow %s`",
	}
	NoSuchRule = Message{
		EN: "There is no rule %q here. The agent offers:",
		PL: "Nie ma tu reguły %q. Agent proponuje:",
		JA: "ルール %q はありません。選べるもの:",
	}
	NoSuchMode = Message{
		EN: "There is no mode %q here. This plan can go on in:",
		PL: "Nie ma tu trybu %q. Ten plan może iść dalej w:",
		JA: "モード %q はありません。この計画で選べるモード:",
	}
	NotEditable = Message{
		EN: "This cannot be edited: allow it as it is, or deny it and say what you want instead.",
		PL: "Tego nie można zmienić: pozwól tak, jak jest, albo odrzuć i napisz, co ma być zamiast.",
		JA: "これは書き換えられません。そのまま許可するか、拒否して代わりの指示を伝えてください。",
	}
)

// Where a rule is kept, and so how far it reaches.
var (
	KeptLocal   = Message{EN: "kept in .claude/settings.local.json: this project, only you", PL: "zapis w .claude/settings.local.json: ten projekt, tylko Ty", JA: "保存先 .claude/settings.local.json: このプロジェクト、自分だけ"}
	KeptProject = Message{EN: "kept in .claude/settings.json: this project, everyone in it", PL: "zapis w .claude/settings.json: ten projekt, wszyscy w nim", JA: "保存先 .claude/settings.json: このプロジェクトの全員"}
	KeptUser    = Message{EN: "kept in ~/.claude/settings.json: all your projects", PL: "zapis w ~/.claude/settings.json: wszystkie Twoje projekty", JA: "保存先 ~/.claude/settings.json: 自分の全プロジェクト"}
	KeptSession = Message{EN: "kept until this session ends", PL: "do końca tej sesji", JA: "このセッションが終わるまで"}
)

// Kept says where a rule is kept, when an agent names the place in its own word;
// anything else is shown unchanged.
func (p Printer) Kept(place string) string {
	switch place {
	case "localSettings":
		return p.Say(KeptLocal)
	case "projectSettings":
		return p.Say(KeptProject)
	case "userSettings":
		return p.Say(KeptUser)
	case "session":
		return p.Say(KeptSession)
	}
	return place
}
