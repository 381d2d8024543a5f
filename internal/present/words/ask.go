package words

import "nod"

// The commands that hold conversations.
var (
	TopicAsk = Topic{
		Short: Message{EN: "Ask an assistant something and read the answer as it is written", PL: "Zapytaj asystenta i czytaj odpowiedź, gdy powstaje", JA: "アシスタントに聞き、答えをその場で読む"},
		Examples: []Example{
			{"nod ask 'what is on port 8742?'", Message{EN: "a new conversation with the first assistant", PL: "nowa rozmowa z pierwszym asystentem", JA: "最初のアシスタントとの新しい会話"}},
			{"nod ask --continue 'and who started it?'", Message{EN: "go on where you were", PL: "dalszy ciąg ostatniej rozmowy", JA: "前の会話の続き"}},
			{"nod ask --assistant house 'is the door shut?'", Message{EN: "somebody else from nod.toml", PL: "ktoś inny z nod.toml", JA: "nod.toml の別のアシスタントに"}},
			{"git diff | nod ask -", Message{EN: "the question from a pipe", PL: "pytanie z potoku", JA: "パイプから質問"}},
			{"nod ask --json 'how warm is it?' | jq -r .text", Message{EN: "for scripts", PL: "dla skryptów", JA: "スクリプト向け"}},
		},
	}
	TopicChat = Topic{
		Short: Message{EN: "Talk with an assistant, line by line", PL: "Rozmawiaj z asystentem, wiersz po wierszu", JA: "アシスタントと一行ずつ話す"},
		Examples: []Example{
			{"nod chat", Message{EN: "a new conversation; /help tells the rest", PL: "nowa rozmowa; /help powie resztę", JA: "新しい会話(/help で説明)"}},
			{"nod chat --continue", Message{EN: "go on where you were", PL: "dalszy ciąg ostatniej rozmowy", JA: "前の会話の続き"}},
			{"nod chat --session 4k7q", Message{EN: "one from `nod agents`, by the first letters of its id", PL: "rozmowa z `nod agents`, po początku id", JA: "`nod agents` にある会話(ID の先頭だけでよい)"}},
			{"nod chat < questions.txt", Message{EN: "one question per line", PL: "jedno pytanie w wierszu", JA: "一行に一つの質問"}},
		},
	}
	FlagAssistant = Message{EN: "whom to ask; without it the first one in nod.toml", PL: "kogo pytać; domyślnie pierwszy w nod.toml", JA: "聞く相手(省略時は nod.toml の最初)"}
	FlagSession   = Message{EN: "go on with this conversation; first letters of its id are enough", PL: "ciąg dalszy tej rozmowy; wystarczy początek id", JA: "この会話を続ける(ID の先頭だけでよい)"}
	FlagContinue  = Message{EN: "go on with your newest conversation", PL: "ciąg dalszy najnowszej rozmowy", JA: "いちばん新しい会話を続ける"}
	HelpAsk       = Message{
		EN: "Exit codes: 0 answered, 1 no answer (it says why), 2 wrong use, 4 no such conversation or assistant, 130 stopped with Ctrl+C.",
		PL: "Kody wyjścia: 0 odpowiedź, 1 brak odpowiedzi (z powodem), 2 złe użycie, 4 nie ma takiej rozmowy lub asystenta, 130 przerwano Ctrl+C.",
		JA: "終了コード: 0 回答あり、1 回答なし(理由を表示)、2 使い方の誤り、4 会話またはアシスタントがない、130 Ctrl+C で中断",
	}
)

// What a conversation in a terminal says.
var (
	TalkThinking = Message{EN: "%s is thinking…", PL: "%s myśli…", JA: "%s が考えています…"}
	TalkBehind   = Message{EN: "%s is busy; your words are next…", PL: "%s jest zajęty; potem Twoje słowa…", JA: "%s は作業中です。次に聞きます…"}
	TalkAway     = Message{EN: "The hub does not answer. What you said is safe with it; looking for it…", PL: "Hub nie odpowiada. Twoje słowa są u niego bezpieczne; szukam go…", JA: "ハブが応答しません。質問はハブに残っています。再接続しています…"}
	TalkBack     = Message{EN: "The hub is back.", PL: "Hub wrócił.", JA: "ハブに再接続しました。"}
	TalkStopping = Message{EN: "Stopping. Ctrl+C once more leaves.", PL: "Zatrzymuję. Jeszcze raz Ctrl+C, aby wyjść.", JA: "止めています。もう一度 Ctrl+C で終了します。"}
	TalkLeft     = Message{EN: "Left. The conversation stays: `nod chat --session %s`.", PL: "Koniec. Rozmowa zostaje: `nod chat --session %s`.", JA: "終了しました。会話は残っています: `nod chat --session %s`"}
	TalkNone     = Message{EN: "There is no conversation to go on with. `nod ask` begins one.", PL: "Nie ma rozmowy do kontynuowania. `nod ask` zacznie nową.", JA: "続ける会話がありません。`nod ask` で始められます。"}
	TalkTerminal = Message{EN: "%[1]s has a terminal of its own and is no conversation. `nod say %[2]s …` speaks to it.", PL: "%[1]s ma własny terminal i nie jest rozmową. `nod say %[2]s …` przemówi do niego.", JA: "%[1]s には自分の端末があり、会話ではありません。`nod say %[2]s …` で話しかけられます。"}
	TalkOver     = Message{EN: "That conversation is over. `nod ask` begins a new one.", PL: "Ta rozmowa jest zakończona. `nod ask` zacznie nową.", JA: "その会話は終わっています。`nod ask` で新しく始められます。"}
	TalkOneOf    = Message{EN: "Choose one of --session, --continue and --assistant.", PL: "Wybierz jedno z: --session, --continue, --assistant.", JA: "--session、--continue、--assistant のどれか一つを選んでください。"}
	TalkNoText   = Message{EN: "There is no question. Write it after the command, or pipe it in.", PL: "Nie ma pytania. Napisz je po poleceniu albo podaj potokiem.", JA: "質問がありません。コマンドの後に書くか、パイプで渡してください。"}
	TalkNobody   = Message{
		EN: "This hub has no assistant yet, so nothing was asked. Put these two lines into nod.toml on its machine, then start it again:",
		PL: "Ten hub nie ma jeszcze asystenta, więc o nic nie zapytano. Wpisz te dwa wiersze do nod.toml na jego komputerze i uruchom go ponownie:",
		JA: "このハブにはまだアシスタントがいないため、何も聞いていません。そのマシンの nod.toml に次の二行を書き、起動し直してください:",
	}
	TalkWho   = Message{EN: "There is no assistant %[1]q. There is: %[2]s.", PL: "Nie ma asystenta %[1]q. Jest: %[2]s.", JA: "アシスタント %[1]q はいません。いるのは: %[2]s"}
	TalkWaits = Message{
		EN: "%[1]s waits for an answer: %[2]s",
		PL: "%[1]s czeka na odpowiedź: %[2]s",
		JA: "%[1]s が返事を待っています: %[2]s",
	}
	TalkYesNo    = Message{EN: "`nod allow %[1]s` or `nod deny %[1]s`, here in another terminal or on any device.", PL: "`nod allow %[1]s` albo `nod deny %[1]s`, w innym terminalu lub na dowolnym urządzeniu.", JA: "別の端末で `nod allow %[1]s` か `nod deny %[1]s`、またはほかの機器で答えられます。"}
	TalkAnswer   = Message{EN: "`nod answer %s …`, here in another terminal or on any device.", PL: "`nod answer %s …`, w innym terminalu lub na dowolnym urządzeniu.", JA: "別の端末で `nod answer %s …`、またはほかの機器で答えられます。"}
	TalkKeys     = Message{EN: "a allow · d deny · d and why · s stop", PL: "a pozwól · d odrzuć · d i powód · s stop", JA: "a 許可 · d 拒否 · d と理由 · s 停止"}
	TalkWordKeys = Message{EN: "type the word allow · d deny · d and why · s stop", PL: "wpisz słowo pozwól · d odrzuć · d i powód · s stop", JA: "「許可」と入力 · d 拒否 · d と理由 · s 停止"}
	TalkTypeWord = Message{EN: "This is marked %s, so one letter is not enough: type the word allow.", PL: "Oznaczone jako %s, więc litera nie wystarczy: wpisz słowo pozwól.", JA: "「%s」とされているため、一文字では足りません。「許可」と入力してください。"}
	TalkModeKeys = Message{EN: "1–9 choose the mode", PL: "1–9 wybiera tryb", JA: "1–9 モードを選ぶ"}
	TalkUnclear  = Message{EN: "That is none of the answers; nothing was sent.", PL: "To żadna z odpowiedzi; nic nie wysłano.", JA: "どの答えでもないため、何も送っていません。"}
	TalkReply    = Message{EN: "a number, a label or your own words · /deny refuses", PL: "numer, etykieta lub własne słowa · /deny odmawia", JA: "番号、選択肢、自由な言葉 · /deny で拒否"}
	TalkWith     = Message{EN: "conversation with %s", PL: "rozmowa z %s", JA: "%s との会話"}
	TalkWarm     = Message{EN: "warm", PL: "gotowy", JA: "準備済み"}
)

// What a chat in a terminal says.
var (
	ChatHint    = Message{EN: "/help · Ctrl+C stops · Ctrl+D leaves", PL: "/help · Ctrl+C zatrzymuje · Ctrl+D kończy", JA: "/help · Ctrl+C で停止 · Ctrl+D で終了"}
	ChatNew     = Message{EN: "A new conversation with %s.", PL: "Nowa rozmowa z %s.", JA: "%s との新しい会話です。"}
	ChatUnknown = Message{EN: "There is no %s here; /help lists what there is. Nothing was sent.", PL: "Nie ma tu %s; /help pokaże, co jest. Nic nie wysłano.", JA: "%s はありません。/help で一覧を見られます。何も送っていません。"}
	ChatIdle    = Message{EN: "Nothing is running. Ctrl+C once more leaves.", PL: "Nic nie działa. Jeszcze raz Ctrl+C, aby wyjść.", JA: "動いているものはありません。もう一度 Ctrl+C で終了します。"}
	ChatToHelp  = Message{EN: "this list", PL: "ta lista", JA: "この一覧"}
	ChatToNew   = Message{EN: "a new conversation, also /new NAME", PL: "nowa rozmowa, także /new NAZWA", JA: "新しい会話(/new 名前 も可)"}
	ChatToStop  = Message{EN: "stop what it does; while it answers: Ctrl+C", PL: "zatrzymaj; w trakcie odpowiedzi: Ctrl+C", JA: "作業を止める(回答中は Ctrl+C)"}
	ChatToEnd   = Message{EN: "end this conversation and leave", PL: "zakończ tę rozmowę i wyjdź", JA: "この会話を終えて出る"}
	ChatToQuit  = Message{EN: "leave; the conversation stays", PL: "wyjdź; rozmowa zostaje", JA: "出る(会話は残る)"}
	ChatToLines = Message{EN: "Alt+Enter or Ctrl+J begins a new line; a pasted text stays one message.", PL: "Alt+Enter lub Ctrl+J zaczyna nowy wiersz; wklejony tekst to jedna wiadomość.", JA: "Alt+Enter か Ctrl+J で改行。貼り付けた文章は一つのメッセージになります。"}
)

// Why there is no answer: what happened, and what to do.
var (
	TroubleLogin   = Message{EN: "The program behind %[1]s is not signed in, so nobody read your question. Sign in once with `claude` on %[2]s, then ask again.", PL: "Program asystenta %[1]s nie jest zalogowany, więc nikt nie przeczytał pytania. Zaloguj się raz przez `claude` na %[2]s i zapytaj ponownie.", JA: "%[1]s のプログラムがログインしていないため、質問は読まれていません。%[2]s で一度 `claude` にログインしてから、もう一度どうぞ。"}
	TroubleProgram = Message{EN: "The program behind %[1]s does not start on %[2]s. `nod doctor` there says what is missing.", PL: "Program asystenta %[1]s nie uruchamia się na %[2]s. `nod doctor` powie tam, czego brakuje.", JA: "%[1]s のプログラムが %[2]s で起動しません。そこで `nod doctor` を実行すると原因が分かります。"}
	TroubleLimit   = Message{EN: "%[1]s has reached the usage limit of its account. Ask again later; `nod agents` on %[2]s shows until when.", PL: "%[1]s osiągnął limit swojego konta. Zapytaj później; `nod agents` na %[2]s pokaże, do kiedy.", JA: "%[1]s は利用上限に達しました。後でもう一度どうぞ。%[2]s の `nod agents` で解除の時刻が分かります。"}
	TroubleBusy    = Message{EN: "The model behind %[1]s is overloaded or cannot be reached from %[2]s. Ask again in a minute.", PL: "Model asystenta %[1]s jest przeciążony lub nieosiągalny z %[2]s. Zapytaj ponownie za minutę.", JA: "%[1]s のモデルが混雑しているか、%[2]s から接続できません。一分ほどしてからもう一度どうぞ。"}
	TroubleCrash   = Message{EN: "The program behind %[1]s ended on %[2]s in the middle of the answer. The conversation can go on: ask again.", PL: "Program asystenta %[1]s zakończył się na %[2]s w trakcie odpowiedzi. Rozmowę można kontynuować: zapytaj ponownie.", JA: "%[1]s のプログラムが %[2]s で回答中に終了しました。会話は続けられます。もう一度どうぞ。"}
	TroubleRestart = Message{EN: "nod was started anew on %[2]s while %[1]s was answering. The conversation can go on: ask again.", PL: "nod uruchomił się ponownie na %[2]s, gdy %[1]s odpowiadał. Rozmowę można kontynuować: zapytaj ponownie.", JA: "%[1]s の回答中に %[2]s の nod が再起動しました。会話は続けられます。もう一度どうぞ。"}
	TroubleTimeout = Message{EN: "%[1]s on %[2]s waited too long, for its model or for a person's answer, and gave up. Ask again.", PL: "%[1]s na %[2]s czekał zbyt długo, na model lub na odpowiedź człowieka, i zrezygnował. Zapytaj ponownie.", JA: "%[2]s の %[1]s は、モデルか人の返事を待ちすぎて中止しました。もう一度どうぞ。"}
	TroubleStopped = Message{EN: "Stopped: %[1]s on %[2]s does not finish this answer. The conversation can go on.", PL: "Zatrzymano: %[1]s na %[2]s nie dokończy tej odpowiedzi. Rozmowę można kontynuować.", JA: "停止しました。%[2]s の %[1]s はこの回答を中断しました。会話は続けられます。"}
	TroubleRefused = Message{EN: "Refused before %[1]s on %[2]s did anything. `nod log` says by whom.", PL: "Odmówiono, zanim %[1]s na %[2]s cokolwiek zrobił. `nod log` powie, kto odmówił.", JA: "%[2]s の %[1]s が何かをする前に拒否されました。誰によるかは `nod log` で分かります。"}
	TroubleError   = Message{EN: "%[1]s on %[2]s could not answer. Ask again; if it stays so, `nod doctor` may know why.", PL: "%[1]s na %[2]s nie mógł odpowiedzieć. Zapytaj ponownie; jeśli to się powtarza, `nod doctor` może wiedzieć dlaczego.", JA: "%[2]s の %[1]s は答えられませんでした。もう一度どうぞ。続く場合は `nod doctor` で原因が分かるかもしれません。"}
)

// Trouble says why there is no answer; who is the assistant, host its machine.
func (p Printer) Trouble(t nod.Trouble, who, host string) string {
	m := TroubleError
	switch t {
	case nod.TroubleLogin:
		m = TroubleLogin
	case nod.TroubleProgram:
		m = TroubleProgram
	case nod.TroubleLimit:
		m = TroubleLimit
	case nod.TroubleBusy:
		m = TroubleBusy
	case nod.TroubleCrash:
		m = TroubleCrash
	case nod.TroubleRestart:
		m = TroubleRestart
	case nod.TroubleTimeout:
		m = TroubleTimeout
	case nod.TroubleStopped:
		m = TroubleStopped
	case nod.TroubleRefused:
		m = TroubleRefused
	}
	return p.Say(m, who, host)
}
