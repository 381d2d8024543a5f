package words

// Spoken replies when an answer takes longer than a person waits.
var (
	WyomingWorking  = Message{EN: "Working on it. You will hear the answer here.", PL: "Pracuję nad tym. Odpowiedź usłyszysz tutaj.", JA: "作業中です。答えはここでお伝えします。"}
	WyomingAskAgain = Message{EN: "Working on it. Speak to me again in a moment.", PL: "Pracuję nad tym. Odezwij się za chwilę.", JA: "作業中です。少ししたらもう一度話しかけてください。"}
	WyomingBefore   = Message{EN: "Here is what you asked before: %s", PL: "Oto odpowiedź na poprzednie pytanie: %s", JA: "先ほどの質問の答えです。%s"}
)
