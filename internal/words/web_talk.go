package words

// Conversations without a terminal.
var webTalk = []WebWord{
	{"talk.who", Message{EN: "Who should answer?", PL: "Kto ma odpowiadać?", JA: "誰と話しますか?"}},
	{"talk.name", Message{EN: "Name (optional)", PL: "Nazwa (opcjonalnie)", JA: "名前 (任意)"}},
	{"talk.name.hint", Message{EN: "So that you find it again in the list.", PL: "Aby łatwo ją odnaleźć na liście.", JA: "一覧で見つけやすくなります。"}},
	{"talk.with", Message{EN: "with %s", PL: "z %s", JA: "相手: %s"}},
	{"talk.warm", Message{EN: "ready", PL: "w gotowości", JA: "準備完了"}},
	{"talk.until", Message{EN: "remembers until %s", PL: "pamięta do %s", JA: "%s まで記憶"}},
	{"talk.writing", Message{EN: "It is writing", PL: "Pisze", JA: "書いています"}},
	{"talk.end", Message{EN: "End conversation", PL: "Zakończ rozmowę", JA: "会話を終える"}},
	{"talk.end.what", Message{EN: "It stops what it does and forgets what it knows. What was said stays here to read.", PL: "Przerwie pracę i zapomni, co wie. To, co powiedziano, zostaje tu do czytania.", JA: "作業を止め、覚えたことを忘れます。話した内容はここで読めます。"}},
	{"talk.ended", Message{EN: "The conversation is over.", PL: "Rozmowa zakończona.", JA: "会話を終えました。"}},
	{"talk.gone", Message{EN: "There is no assistant any more. Look into nod.toml on the hub's machine.", PL: "Nie ma już asystenta. Zajrzyj do nod.toml na komputerze z hubem.", JA: "アシスタントがいなくなりました。ハブのマシンの nod.toml を確認してください。"}},
	{"talk.how.title", Message{EN: "Or talk without a terminal", PL: "Albo rozmawiaj bez terminala", JA: "端末なしで話すこともできます"}},
	{"talk.how.text", Message{EN: "Give the hub an assistant, and a conversation begins here with one tap. Put this into nod.toml on its machine and start nod again:", PL: "Daj hubowi asystenta, a rozmowa zacznie się tu jednym dotknięciem. Wpisz to do nod.toml na jego komputerze i uruchom nod ponownie:", JA: "ハブにアシスタントを追加すると、ここからすぐに会話を始められます。ハブのマシンの nod.toml に次を書き、nod を起動し直してください:"}},

	{"trouble.login", TroubleLogin},
	{"trouble.program", TroubleProgram},
	{"trouble.limit", TroubleLimit},
	{"trouble.busy", TroubleBusy},
	{"trouble.crash", TroubleCrash},
	{"trouble.restart", TroubleRestart},
	{"trouble.timeout", TroubleTimeout},
	{"trouble.stopped", TroubleStopped},
	{"trouble.refused", TroubleRefused},
	{"trouble.error", TroubleError},
}
