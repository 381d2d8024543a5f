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
	{"talk.over", Message{EN: "This conversation is over.", PL: "Ta rozmowa jest zakończona.", JA: "この会話は終わりました。"}},
	{"talk.over.how", Message{EN: "Everything that was said stays readable. To go on, begin a new one.", PL: "Całą rozmowę nadal można czytać. Aby mówić dalej, zacznij nową.", JA: "話した内容は引き続き読めます。続けるには新しい会話を始めてください。"}},
	{"talk.begin", Message{EN: "Write below, or press the button beside the box to talk.", PL: "Napisz poniżej albo naciśnij przycisk obok pola, aby mówić.", JA: "下に書くか、入力欄の横のボタンを押して話してください。"}},
	{"talk.first.title", Message{EN: "Or just talk", PL: "Albo po prostu porozmawiaj", JA: "すぐに話すこともできます"}},
	{"talk.first.text", Message{EN: "Claude Code on the hub's machine answers here, without a terminal.", PL: "Claude Code na komputerze z hubem odpowie tutaj, bez terminala.", JA: "ハブのマシンの Claude Code が、端末なしでここで答えます。"}},
	{"keys.voice", Message{EN: "voice mode, in a conversation", PL: "tryb głosowy, w rozmowie", JA: "音声モード (会話中)"}},
	{"talk.gone", Message{EN: "There is no assistant any more. Look into nod.toml on the hub's machine.", PL: "Nie ma już asystenta. Zajrzyj do nod.toml na komputerze z hubem.", JA: "アシスタントがいなくなりました。ハブのマシンの nod.toml を確認してください。"}},

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
