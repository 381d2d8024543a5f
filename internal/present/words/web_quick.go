package words

// Short replies above the box of a conversation.
var webQuick = []WebWord{
	{"quick.label", Message{EN: "Quick replies", PL: "Szybkie odpowiedzi", JA: "クイック返信"}},
}
