package words

// What clients of Prompt Relay read of a request that came another way.
var (
	RelayOpen   = Message{EN: "Open nod to answer this; only “No” works here.", PL: "Otwórz nod, aby odpowiedzieć; tutaj działa tylko „Nie”.", JA: "nod を開いて回答してください。ここでは「いいえ」だけが使えます。"}
	RelayYes    = Message{EN: "Yes", PL: "Tak", JA: "はい"}
	RelayAlways = Message{EN: "Yes, and always: %s", PL: "Tak, i zawsze: %s", JA: "はい、今後も常に: %s"}
	RelayNo     = Message{EN: "No", PL: "Nie", JA: "いいえ"}
)
